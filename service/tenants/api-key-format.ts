// API keys as text, dr_live_<key id>_<secret>: 80 bits that name the key, 256 bits that open it.
import { createHash, randomBytes } from "node:crypto";
import { API_KEY_PATTERN, KEY_ID_PATTERN } from "../../contract/api-key.ts";

const KEY_ID_BYTES = 10;
const SECRET_BYTES = 32;
export const SECRET_HASH_BYTES = 32;

interface ApiKeyParts {
  readonly keyId: string;
  readonly secret: string;
}

/** The parts of a key, or null for any other text. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const [, keyId, secret] = API_KEY_PATTERN.exec(text) ?? [];
  return keyId === undefined || secret === undefined ? null : { keyId, secret };
}

export const formatApiKey = ({ keyId, secret }: ApiKeyParts): string => `dr_live_${keyId}_${secret}`;

export const isKeyId = (text: string): boolean => KEY_ID_PATTERN.test(text);

export const newApiKey = (): ApiKeyParts => ({
  keyId: randomBytes(KEY_ID_BYTES).toString("hex"),
  secret: randomBytes(SECRET_BYTES).toString("hex"),
});

/** A secret of 256 random bits needs no slow hash: there is nothing to guess. */
export const hashSecret = (secret: string): Uint8Array => createHash("sha256").update(secret).digest();

/**
 * The value of API Gateway's own key, by which it counts the calls of a tenant, whichever of the tenant's keys they bear.
 * The fingerprint is the tenant's in this deployment alone: two deployments of an account may have tenants of one id. Each
 * plan has another value, so that a tenant can be in the next plan before it leaves the last, and no call fails between.
 */
export const usageKeyOf = (fingerprint: string, plan: string): string =>
  createHash("sha256").update(`${fingerprint}\n${plan}`).digest("hex");
