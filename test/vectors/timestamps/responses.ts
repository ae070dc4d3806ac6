// Vectors of whole responses, which may not grant what was asked for (RFC 3161 section 2.4.2).
import { forge } from "./authorities.ts";
import { type Bytes, integer, sequence, text, tlv } from "./der-writer.ts";
import { type Expected, type Vector, vector } from "./vector.ts";

const response = (name: string, expected: Expected, what: string, bytes: Bytes): Vector =>
  vector(name, expected, what, bytes, { isResponse: true });
const good = forge();
const badAlgorithm = tlv(0x03, Uint8Array.of(7, 0x80));

export const responseVectors: readonly Vector[] = [
  response(
    "rejection",
    "authority_failed",
    "PKIStatus rejection",
    sequence(sequence(integer(2), sequence(text(0x0c, "not today")), badAlgorithm)),
  ),
  response(
    "rejection-with-token",
    "authority_failed",
    "PKIStatus rejection beside a good token",
    sequence(sequence(integer(2)), good),
  ),
  response(
    "granted-with-mods",
    "accepted",
    "PKIStatus grantedWithMods",
    sequence(sequence(integer(1)), good),
  ),
];
