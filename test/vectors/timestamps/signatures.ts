// Vectors of the signature's own bytes: an ECDSA-Sig-Value of two numbers, or an RSA signature (RFC 3279, RFC 8017).
import { byTsa, flipLastBit, forge, rsa, tsa } from "./authorities.ts";
import { type Bytes, integer, membersOf, nothing, sequence, tlv } from "./der-writer.ts";
import { ecKeys, makeToken, Schemes } from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

export const signatureVectors: readonly Vector[] = [
  vector(
    "signature",
    "signature",
    "the last bit of the signature is flipped",
    forge({ alterSignature: flipLastBit }),
  ),
  vector(
    "signature-other-key",
    "signature",
    "signed by a key that is not the certificate's",
    makeToken({ tsa: { ...tsa, ...ecKeys() } }),
  ),
  vector(
    "signature-empty",
    "signature",
    "an empty signature",
    forge({ alterSignature: () => Buffer.alloc(0) }),
  ),
  vector(
    "signature-trailing-byte",
    "signature",
    "a byte after the ECDSA signature",
    forge({ alterSignature: (signature) => Buffer.concat([signature, Uint8Array.of(0)]) }),
  ),
  vector(
    "signature-zero",
    "signature",
    "an ECDSA signature of two zeros",
    forge({ alterSignature: () => sequence(integer(0), integer(0)) }),
  ),
  vector(
    "signature-curve",
    "signature",
    "an ECDSA signature whose numbers are too long for the curve",
    forge({ alterSignature: () => sequence(integer(Buffer.alloc(48, 1)), integer(Buffer.alloc(48, 1))) }),
  ),
  vector(
    "signature-three-numbers",
    "signature",
    "an ECDSA signature of three numbers",
    forge({ alterSignature: (signature) => sequence(...membersOf(signature), integer(1)) }),
  ),
  vector(
    "signature-negative",
    "signature",
    "an ECDSA signature whose first number lost its sign octet",
    forgeNegative(),
  ),
  vector(
    "rsa-signature-short",
    "signature",
    "an RSA signature without its last byte",
    byTsa(rsa, { scheme: Schemes.rsaSha256, alterSignature: (signature) => signature.subarray(0, -1) }),
  ),
  vector(
    "pss-salt",
    "signature",
    "RSASSA-PSS with a salt for which the key has no room",
    byTsa(rsa, { scheme: Schemes.pssLongSalt }),
  ),
];

/** Tries until the first number has its highest bit set. */
function forgeNegative(): Bytes {
  let isNegative = false;
  const alterSignature = (signature: Bytes): Bytes => {
    const [r = nothing, s = nothing] = membersOf(signature);
    isNegative = r[2] === 0;
    return sequence(tlv(0x02, r.subarray(isNegative ? 3 : 2)), s);
  };
  let token = forge({ alterSignature });
  while (!isNegative) token = forge({ alterSignature });
  return token;
}
