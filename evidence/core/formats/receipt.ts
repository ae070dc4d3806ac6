// The receipt of one attested disclosure: its core, and the hashes that anyone recomputes from it.
import * as z from "zod";
import { concatBytes, utf8 } from "../bytes.ts";
import { canonicalBytes } from "../canonical-json.ts";
import { DisclosureError } from "../errors.ts";
import { formatDigest, HASH_BYTES, hashBytes, hashLeaf, parseDigest } from "../merkle/hash.ts";
import { attestationRequestSchema, withoutIdentifiers } from "./attestation-request.ts";
import {
  chainIdSchema,
  digestSchema,
  indexSchema,
  instantSchema,
  MAX_LIST_LENGTH,
  sizeSchema,
} from "./shapes.ts";

export const RECEIPT_FORMAT_VERSION = "1.0";
export const AUTH_MECHANISM = "hmac-sha256";
export const VERDICTS = ["ALLOW", "MODIFY", "BLOCK"] as const;

/** `previous_hash` of the first receipt of a chain. */
export const NO_PREVIOUS_HASH = formatDigest(new Uint8Array(HASH_BYTES));

/** A leaf of a chain's tree: the label of the turn, then the hash of the core. */
export const RECEIPT_LEAF_BYTES = 2 * HASH_BYTES;
const FIRST_TURN = utf8("disclosure-receipt/1/first-turn\n");
const TURN_AFTER = utf8("disclosure-receipt/1/turn-after\n");

const MAC_BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** How a receipt or a response is authenticated: an HMAC under a key that the service holds, not a signature. */
export const authenticationSchema = z.object({
  auth_mechanism: z.literal(AUTH_MECHANISM),
  key_id: z
    .string()
    .min(1)
    .describe(
      "The service's key in KMS, and the UTC date whose key, derived from it, made the authentication code",
    ),
  signature: z.string().regex(MAC_BASE64).describe("HMAC-SHA256 in base64"),
});

/** The same of a report or a bundle, which needs no code to be proven: all null where the key service made none. */
export const answerAuthenticationSchema = z.object({
  auth_mechanism: authenticationSchema.shape.auth_mechanism.nullable(),
  key_id: authenticationSchema.shape.key_id.nullable(),
  signature: authenticationSchema.shape.signature
    .nullable()
    .describe(
      "HMAC-SHA256 in base64 over the answer; null in a report or a bundle where the key service could not be reached, and never in the answer to an attestation",
    ),
});

const policyOutcomeSchema = z.object({
  jurisdiction: z.string(),
  version: z.string().describe("Version of the wording policy layer that was applied"),
  digest: digestSchema.describe("SHA-256 of the canonical layer: the very one that was applied"),
  wording_id: z.string().nullable().describe("The approved wording that subject_hash names, or null"),
  findings: z
    .array(z.string())
    .max(MAX_LIST_LENGTH)
    .describe("What the layer asks to change; docs/policy-layer.md has their meanings, and more may come")
    .meta({ examples: [["wording_unknown"], ["method_unknown", "wording_unknown"]] }),
});

/** The request as the receipt shows it. A reader takes methods and countries that came or went since. */
const disclosureSchema = z.object({
  ...withoutIdentifiers(attestationRequestSchema.shape),
  disclosure_method: z.string(),
  jurisdiction: z.string(),
});

/** A published seal with a token: what commits to it is younger than the token. */
const recordedAfterSchema = z.object({
  seal_index: indexSchema,
  seal_hash: digestSchema.describe("SHA-256 of the canonical seal, its tokens included"),
});
export type RecordedAfter = z.infer<typeof recordedAfterSchema>;

/** The part that is hashed into the chain and the tree: the receipt without its authentication. */
export const receiptCoreSchema = z.object({
  event_id: z.uuid(),
  chain_id: chainIdSchema,
  sequence: indexSchema.describe("Position in the chain, from 0"),
  turn: sizeSchema.describe("Position in the conversation, from 1"),
  verdict: z.enum(VERDICTS),
  input_hash: digestSchema.describe("SHA-256 of the canonical request body"),
  output_hash: digestSchema.describe("SHA-256 of the canonical { event_id, policy, turn, verdict }"),
  previous_hash: digestSchema.describe("leaf hash of the previous receipt of the chain"),
  previous_turn_hash: digestSchema
    .nullable()
    .describe("leaf hash of the previous receipt of the conversation, or null"),
  issued_at: instantSchema.describe("RFC 3339, UTC, milliseconds; never before the previous receipt's"),
  recorded_after: recordedAfterSchema
    .nullable()
    .describe(
      "The newest published seal with a token that the service knew; null before the first, never older than the previous receipt's",
    ),
  disclosure: disclosureSchema,
  policy: policyOutcomeSchema,
  receipt_format_version: z.literal(RECEIPT_FORMAT_VERSION),
  verifiability: z.literal("verifiable"),
});

export const receiptSchema = receiptCoreSchema.extend(authenticationSchema.shape).meta({ id: "Receipt" });

/**
 * A receipt as evidence shows it: with its authentication, or the core alone, as other formats carry it. The
 * authentication says nothing to a reader, who has no key of the service.
 */
export const shownReceiptSchema = receiptCoreSchema
  .extend(authenticationSchema.partial().shape)
  .refine(
    ({ auth_mechanism, key_id, signature }) =>
      new Set([auth_mechanism, key_id, signature].map((member) => member === undefined)).size === 1,
    { path: ["auth_mechanism"] },
  );

export type PolicyVerdict = (typeof VERDICTS)[number];
export type ReceiptCore = z.infer<typeof receiptCoreSchema>;
export type Receipt = z.infer<typeof receiptSchema>;
export type ShownReceipt = z.infer<typeof shownReceiptSchema>;
export type Authentication = z.infer<typeof authenticationSchema>;
export type AnswerAuthentication = z.infer<typeof answerAuthenticationSchema>;

/**
 * The members in the order of the format, whatever order they came in: one receipt has one text, in the first answer as in
 * every later one.
 */
export const inFormatOrder = (core: ReceiptCore): ReceiptCore =>
  ordered(receiptCoreSchema.shape, {
    ...core,
    recorded_after: core.recorded_after && ordered(recordedAfterSchema.shape, core.recorded_after),
    disclosure: ordered(disclosureSchema.shape, core.disclosure),
    policy: ordered(policyOutcomeSchema.shape, core.policy),
  });

const ordered = <T extends object>(shape: Record<keyof T, unknown>, members: T): T =>
  Object.fromEntries(
    Object.keys(shape)
      .filter((name) => Object.hasOwn(members, name))
      .map((name) => [name, members[name as keyof T]]),
  ) as T;

/** Anything without its own `auth_mechanism`, `key_id` and `signature`; members that we don't know stay in. */
export function withoutAuthentication<T extends object>(signed: T): Omit<T, keyof Authentication> {
  const { auth_mechanism: _a, key_id: _k, signature: _s, ...rest } = signed as T & Partial<Authentication>;
  return rest as Omit<T, keyof Authentication>;
}

/**
 * The leaf of a core in its chain's tree, 64 bytes: the label that its conversation gives it, and the hash of the core. Throws
 * `malformed` where `previous_turn_hash` is neither null nor a digest: such a core has no place in a conversation.
 */
export const receiptLeaf = (core: object): Uint8Array => leafOfText(canonicalBytes(core), core);

/** The same, where the canonical bytes of the core are at hand. */
export function leafOfText(canonical: Uint8Array, core: object): Uint8Array {
  const coreHash = hashBytes(canonical);
  const { previous_turn_hash: previous } = core as { readonly previous_turn_hash?: unknown };
  if (previous === null) return concatBytes(hashBytes(concatBytes(FIRST_TURN, coreHash)), coreHash);
  const { data } = digestSchema.safeParse(previous);
  if (data === undefined)
    throw new DisclosureError("malformed", "previous_turn_hash is neither null nor a digest");
  return concatBytes(labelAfter(parseDigest(data)), coreHash);
}

/** The label of the turn that follows the one with this leaf hash. */
export const labelAfter = (leafHash: Uint8Array): Uint8Array => hashBytes(concatBytes(TURN_AFTER, leafHash));

/** The leaf hash of a receipt core, which is also the link that the next receipt carries. Throws as `receiptLeaf` does. */
export const hashReceiptCore = (core: object): Uint8Array => hashLeaf(receiptLeaf(core));

/** SHA-256(JCS({ event_id, policy, turn, verdict })) as `sha256:` and hex. */
export function hashOutput(outcome: Pick<ReceiptCore, "event_id" | "policy" | "turn" | "verdict">): string {
  const { event_id, policy, turn, verdict } = outcome;
  return formatDigest(hashBytes(canonicalBytes({ event_id, policy, turn, verdict })));
}
