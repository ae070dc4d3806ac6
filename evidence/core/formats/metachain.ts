// The metachain's public shapes: the entry that commits to a chain's head, and the seal that publishes a root.
import * as z from "zod";
import { CHECKPOINT_ROUTE, ROOT_ROUTE } from "../../../contract/metachain-paths.ts";
import { concatBytes } from "../bytes.ts";
import { canonicalBytes } from "../canonical-json.ts";
import { formatDigest, hashBytes, hashLeaf } from "../merkle/hash.ts";
import { chainIdSchema, indexSchema, instantSchema, nodeSchema, pathSchema, sizeSchema } from "./shapes.ts";

/** Real tokens have 3 to 10 KB, and no authority's answer beyond this is taken: a megabyte of ASN.1 is an attack. */
export const MAX_TOKEN_BYTES = 64 * 1024;
/** The same in characters of base64. */
export const MAX_TOKEN_LENGTH = Math.ceil(MAX_TOKEN_BYTES / 3) * 4;

/** Seals are given five at most (docs/timestamps.md), and readers take as many later ones as would fit here. */
export const MAX_ADDITIONAL_TIMESTAMPS = 16;

export const chainHeadSchema = z.object({
  chain_id: chainIdSchema,
  head_index: indexSchema.describe("Position among the sealed heads of the chain, from 0 without a gap"),
  tree_size: sizeSchema,
  root: nodeSchema,
});
export type ChainHead = z.infer<typeof chainHeadSchema>;

/** Timestamps of a root: the token itself never says which JSON member it covers, so `covers` does. */
export const tsaTimestampSchema = z
  .object({
    status: z.enum(["pending", "included"]),
    timestamp_token: z
      .base64()
      .max(MAX_TOKEN_LENGTH)
      .nullable()
      .describe("base64 DER of an RFC 3161 TimeStampToken; null while pending"),
    tsa_url: z.string().nullable().describe("The timestamp authority; null while pending"),
    covers: z.literal("merkle_root"),
  })
  .meta({ id: "TsaTimestamp" });
export type TsaTimestamp = z.infer<typeof tsaTimestampSchema>;

export const PENDING_TIMESTAMP: TsaTimestamp = {
  status: "pending",
  timestamp_token: null,
  tsa_url: null,
  covers: "merkle_root",
};

/** A checkpoint with its cosignatures has one or two kilobytes. Characters. */
export const MAX_CHECKPOINT_LENGTH = 16 * 1024;
/** A COSE signature has 300 bytes. Characters of base64. */
export const MAX_SIGNED_ROOT_LENGTH = 4 * 1024;

/** A signed note of C2SP tlog-checkpoint, as it is published. */
export const logCheckpointSchema = z.string().max(MAX_CHECKPOINT_LENGTH);
/** A COSE_Sign1 over a root (RFC 9942), in base64. */
export const logSignedRootSchema = z.base64().max(MAX_SIGNED_ROOT_LENGTH);

export const sealSchema = z
  .object({
    index: indexSchema.describe("Position among the seals, from 0"),
    merkle_root: nodeSchema,
    tree_size: sizeSchema.describe("Entries of the metachain under merkle_root"),
    previous_root: nodeSchema.nullable(),
    previous_tree_size: indexSchema,
    consistency_path: pathSchema.describe("RFC 9162 section 2.1.4 path from previous_tree_size to tree_size"),
    receipt_count: indexSchema.describe("Receipts that this seal covers and no earlier one does"),
    sealed_at: instantSchema,
    tsa_timestamp: tsaTimestampSchema,
    additional_timestamps: z
      .array(tsaTimestampSchema)
      .max(MAX_ADDITIONAL_TIMESTAMPS)
      .describe("Tokens of further authorities over the same root"),
  })
  .meta({ id: "Seal" });
export type Seal = z.infer<typeof sealSchema>;

/**
 * `sha256:` and hex of SHA-256(JCS(seal)), over the members of the format, its tokens among them: what commits to this
 * is younger than the tokens. Members that the format does not know are left out.
 */
export const hashSeal = (seal: Seal): string =>
  formatDigest(hashBytes(canonicalBytes(sealSchema.parse(seal))));

/** Every timestamp over the seal's root: those that it was published with, then those that came later. */
export const timestampsOf = (seal: Seal, later: readonly TsaTimestamp[] = []): TsaTimestamp[] => [
  seal.tsa_timestamp,
  ...seal.additional_timestamps,
  ...later,
];

/** The seal's own timestamp; where it was published without one, the first that came later. */
export const ownTimestamp = (seal: Seal, [first]: readonly TsaTimestamp[]): TsaTimestamp =>
  seal.tsa_timestamp.status === "pending" && first !== undefined ? first : seal.tsa_timestamp;

export const logNameSchema = z
  .object({
    origin: z.string().describe("The log's name, which never changes (C2SP tlog-checkpoint)"),
    vkey: z.string().describe("The key that signs the log's checkpoints (C2SP signed-note)"),
    checkpoint: z.literal(CHECKPOINT_ROUTE),
  })
  .meta({ id: "Log" });
export type LogName = z.infer<typeof logNameSchema>;

export const metachainSchema = z
  .object({
    size: indexSchema.describe("How many roots are published"),
    latest: sealSchema.nullable(),
    roots: z.literal(ROOT_ROUTE),
    log: logNameSchema
      .nullable()
      .describe("The signed log; null until its key has answered for the first time"),
  })
  .meta({ id: "Metachain" });
export type Metachain = z.infer<typeof metachainSchema>;

/** The seal under a number of a list; null if none is published there, `too_new` if the list may be older than that seal. */
export type ListedSeal = Seal | null | "too_new";

/** Null without a seal under the number, or without a list. */
export const sealIn = (listed: ListedSeal | undefined): Seal | null =>
  listed === undefined || listed === "too_new" ? null : listed;

/**
 * SHA-256(JCS({ chain_id, head_index })): the label of a chain's head. Only who knows the chain's id can compute it, and
 * who does can look up every head. An honest log has each label once; head-walk.ts has the heads of any log.
 */
export const chainHeadLabel = (chain_id: string, head_index: number): Uint8Array =>
  hashBytes(canonicalBytes({ chain_id, head_index }));

/**
 * The metachain's entry for a chain's head, 64 bytes: its label, then its commitment,
 * SHA-256(JCS({ chain_id, head_index, root, tree_size })).
 */
export function chainHeadEntry({ chain_id, head_index, root, tree_size }: ChainHead): Uint8Array {
  const commitment = hashBytes(canonicalBytes({ chain_id, head_index, root, tree_size }));
  return concatBytes(chainHeadLabel(chain_id, head_index), commitment);
}

/** The metachain's leaf for a chain's head: the leaf hash over its entry. */
export const hashChainHead = (head: ChainHead): Uint8Array => hashLeaf(chainHeadEntry(head));
