// Ed25519 signatures (RFC 8032), verified by WebCrypto: no program that reads evidence needs more.
import { DisclosureError } from "../errors.ts";

export const ED25519_KEY_BYTES = 32;
export const ED25519_SIGNATURE_BYTES = 64;

/** False for a signature that does not hold, or is none. Throws `malformed` for a key that is none. */
export async function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (publicKey.length !== ED25519_KEY_BYTES) {
    throw new DisclosureError("malformed", `an Ed25519 key has ${ED25519_KEY_BYTES} bytes`);
  }
  if (signature.length !== ED25519_SIGNATURE_BYTES) return false;
  const key = await importKey(publicKey);
  return crypto.subtle.verify("Ed25519", key, new Uint8Array(signature), new Uint8Array(message));
}

async function importKey(publicKey: Uint8Array): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey("raw", new Uint8Array(publicKey), "Ed25519", false, ["verify"]);
  } catch (cause) {
    throw new DisclosureError("malformed", "the key is no Ed25519 key that this program knows", {}, cause);
  }
}
