// The `extra` of a receipt's .tlog-proof: what leads from the receipt to the metachain's entry (docs/exports.md).
// Nothing of it is believed: a reader hashes it, and the log has signed the root above that hash.
import * as z from "zod";
import { canonicalBytes, canonicalize, type JsonValue, parseJson } from "../canonical-json.ts";
import { DisclosureError } from "../errors.ts";
import { formatNode, parseNode } from "../merkle/hash.ts";
import { rootOfInclusion } from "../merkle/merkle-proof.ts";
import { untouchedObject } from "./evidence.ts";
import type { ChainHead } from "./metachain.ts";
import { hashReceiptCore } from "./receipt.ts";
import { chainIdSchema, indexSchema, pathSchema, sizeSchema } from "./shapes.ts";

const RECEIPT_EXTRA_FORMAT = "disclosure-receipt/1";

const receiptExtraSchema = z.strictObject({
  event_inclusion_proof: z.strictObject({
    leaf_index: indexSchema,
    path: pathSchema,
    tree_size: sizeSchema,
  }),
  format: z.literal(RECEIPT_EXTRA_FORMAT),
  head_index: indexSchema,
  /** The receipt core, member for member as it was hashed. */
  receipt: untouchedObject,
  /** Where the root is published. It is not hashed: whoever asks there compares the root. */
  seal_index: indexSchema,
});

/** The members of the receipt that its place in the log follows from. */
const placeSchema = z.object({ chain_id: chainIdSchema, sequence: indexSchema });

export type ReceiptExtra = z.infer<typeof receiptExtraSchema>;

export const receiptExtra = (given: Omit<ReceiptExtra, "format">): ReceiptExtra => ({
  ...given,
  format: RECEIPT_EXTRA_FORMAT,
});

export const formatReceiptExtra = (extra: ReceiptExtra): Uint8Array => canonicalBytes(extra);

/** Throws `malformed` for anything but the canonical form of such an object. */
export function parseReceiptExtra(bytes: Uint8Array): ReceiptExtra {
  const value = readJson(bytes);
  const { data, error } = receiptExtraSchema.safeParse(value);
  if (data === undefined) {
    const [issue] = error.issues;
    throw malformed(`the extra of the proof is not a receipt's: ${issue?.path.join(".") || "this"}`);
  }
  // The text was UTF-8 and is decoded without loss, so equal texts are equal bytes.
  if (canonicalize(value) === new TextDecoder().decode(bytes)) return data;
  throw malformed("the extra of the proof is not canonical JSON");
}

/** The leaf hash of the receipt, and the head of its chain to which its path leads. Throws `proof_invalid`. */
export function headOfExtra({ receipt, event_inclusion_proof: proof, head_index }: ReceiptExtra): {
  readonly leafHash: string;
  readonly head: ChainHead;
} {
  const { data: place } = placeSchema.safeParse(receipt);
  const { leaf_index, tree_size, path } = proof;
  if (place === undefined || place.sequence !== leaf_index) {
    throw new DisclosureError("proof_invalid", "the receipt in the proof is of another place of its chain");
  }
  const leafHash = hashReceiptCore(receipt);
  const root = rootOfInclusion(leafHash, leaf_index, tree_size, path.map(parseNode));
  const head = { chain_id: place.chain_id, head_index, tree_size, root: formatNode(root) };
  return { leafHash: formatNode(leafHash), head };
}

function readJson(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes);
  } catch (cause) {
    throw new DisclosureError("malformed", "the extra of the proof is not JSON", {}, cause);
  }
}

const malformed = (message: string): DisclosureError => new DisclosureError("malformed", message);
