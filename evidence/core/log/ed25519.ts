// Ed25519 signatures (RFC 8032), verified by WebCrypto: no program that reads evidence needs more.
import { formatHex, parseHex } from "../bytes.ts";
import { DisclosureError, isDisclosureError } from "../errors.ts";

export const ED25519_KEY_BYTES = 32;
export const ED25519_SIGNATURE_BYTES = 64;

const FIELD_PRIME = 2n ** 255n - 19n;
/** The y of the points whose order divides 8: of orders 1, 2 and 4, then of order 8. Their x differs in sign alone. */
const Y_OF_ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const Y_OF_SMALL_ORDER: ReadonlySet<bigint> = new Set([
  1n,
  FIELD_PRIME - 1n,
  0n,
  Y_OF_ORDER_8,
  FIELD_PRIME - Y_OF_ORDER_8,
]);
/** A point is y in 255 bits, little-endian; its last bit is the sign of x. */
const SIGN_OF_X = 2n ** 255n;
/** RFC 8032 section 5.1: L, the order of the base point. */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The key of the first test vector in RFC 8032 section 7.1. */
const ANY_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

/**
 * False for a signature that does not hold, or is none. Throws `malformed` for a key that is none. What runtimes differ on
 * is decided before they are asked.
 */
export async function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (publicKey.length !== ED25519_KEY_BYTES) {
    throw new DisclosureError("malformed", `an Ed25519 key has ${ED25519_KEY_BYTES} bytes`);
  }
  if (!isReduced(publicKey) || isOfSmallOrder(publicKey) || !isInForm(signature)) return false;
  const key = await importKey(publicKey);
  return crypto.subtle.verify("Ed25519", key, new Uint8Array(signature), new Uint8Array(message));
}

/** True if this program's WebCrypto knows Ed25519: browsers do since 2023 (Safari), 2024 (Firefox) and 2025 (Chromium). */
export async function isEd25519Known(): Promise<boolean> {
  try {
    await importKey(parseHex(ANY_KEY));
    return true;
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return false;
  }
}

/**
 * True for a key with which anybody can sign: its point has an order of 8 or less. RFC 8032 allows it, and runtimes
 * differ on it. A y that is not reduced counts as the point that it stands for.
 */
export const isOfSmallOrder = (point: Uint8Array): boolean =>
  Y_OF_SMALL_ORDER.has((numberOf(point) % SIGN_OF_X) % FIELD_PRIME);

/** RFC 8032 section 5.1.3: y is below p, or no point is encoded. */
const isReduced = (point: Uint8Array): boolean => numberOf(point) % SIGN_OF_X < FIELD_PRIME;

/** R and S in the one form that each has, and R no point of small order, which no honest signer comes upon. */
function isInForm(signature: Uint8Array): boolean {
  if (signature.length !== ED25519_SIGNATURE_BYTES) return false;
  const [r, s] = [signature.subarray(0, ED25519_KEY_BYTES), signature.subarray(ED25519_KEY_BYTES)];
  return isReduced(r) && !isOfSmallOrder(r) && numberOf(s) < GROUP_ORDER;
}

const numberOf = (littleEndian: Uint8Array): bigint => BigInt(`0x${formatHex(littleEndian.toReversed())}`);

async function importKey(publicKey: Uint8Array): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey("raw", new Uint8Array(publicKey), "Ed25519", false, ["verify"]);
  } catch (cause) {
    throw new DisclosureError("malformed", "the key is no Ed25519 key that this program knows", {}, cause);
  }
}
