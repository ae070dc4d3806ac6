// SHA-256 (FIPS 180-4) by Node's OpenSSL, which uses the processor's instructions for it: several times as fast as
// JavaScript. It is the one file of core that imports a module of Node's.
import { hash } from "node:crypto";

const HASH_BYTES = 32;

/** The 32 bytes of the hash. */
export function sha256(message: Uint8Array): Uint8Array {
  // As a text with a character for each byte it comes in half the time that it takes as a Buffer.
  const text = hash("sha256", message, "binary");
  const digest = new Uint8Array(HASH_BYTES);
  for (let i = 0; i < HASH_BYTES; i++) digest[i] = text.charCodeAt(i);
  return digest;
}
