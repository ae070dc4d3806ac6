// The inputs of the service's HMACs: a domain label and what is authenticated, so that a code for one is never good for
// another. The key of a code is that of one day, and is itself an HMAC by KMS (docs/receipt-format.md).
import { concatBytes, utf8 } from "../bytes.ts";
import { canonicalBytes } from "../canonical-json.ts";
import { hashBytes } from "../merkle/hash.ts";
import { withoutAuthentication } from "./receipt.ts";

const DAY_KEY_LABEL = utf8("disclosure-receipt/1/mac-key\n");
const RECEIPT_LABEL = utf8("disclosure-receipt/1/receipt\n");
const WEBHOOK_LABEL = utf8("disclosure-receipt/1/webhook-secret\n");
const RESPONSE_LABEL = utf8("disclosure-receipt/1/response\n");

/** The date, `YYYY-MM-DD`, of an RFC 3339 time in UTC. */
export const utcDayOf = (instant: string): string => instant.slice(0, "YYYY-MM-DD".length);

/** The message whose HMAC under a key in KMS is the key of one UTC date. */
export const dayKeyInput = (day: string): Uint8Array => concatBytes(DAY_KEY_LABEL, utf8(day));

/** The message whose HMAC under a key in KMS is the secret of a tenant's webhook; each rotation is a generation. */
export const webhookSecretInput = (tenant_id: string, generation: number): Uint8Array =>
  concatBytes(WEBHOOK_LABEL, canonicalBytes({ generation, tenant_id }));

/** The `key_id` of that key. */
export const formatKeyId = (kmsKeyId: string, day: string): string => `${kmsKeyId}/${day}`;

/** The message behind a receipt's `signature`. */
export const receiptMacInput = (leafHash: Uint8Array): Uint8Array => concatBytes(RECEIPT_LABEL, leafHash);

/** The message behind a response's `signature`. */
export const responseMacInput = (response: object): Uint8Array =>
  concatBytes(RESPONSE_LABEL, hashBytes(canonicalBytes(withoutAuthentication(response))));
