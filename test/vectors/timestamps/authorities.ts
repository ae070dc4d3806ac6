// The authorities of the forged vectors, and tokens that differ from the good one in what an order says.
import { type Bytes, context, membersOf, sequence } from "./der-writer.ts";
import {
  type CertificateOrder,
  caExtensions,
  type Identity,
  makeIdentity,
  makeToken,
  rsaKeys,
  type TokenOrder,
  tsaExtensions,
} from "./forge.ts";

/** The root and the TSA of the good token. */
export const ca = makeIdentity({ name: "Root", extensions: caExtensions });
export const tsa = makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions });
/** A root that no reader trusts, and a second TSA below the good root. */
export const other = makeIdentity({ name: "Another root", extensions: caExtensions });
export const second = makeIdentity({ name: "Second TSA", issuer: ca, extensions: tsaExtensions });
/** Keys are slow to make: all RSA keys of 2048 bits are these. */
export const rsa = { keys: rsaKeys(2048) };

export const forge = (order: Partial<TokenOrder> = {}): Bytes => makeToken({ tsa, ...order });

/** A token by a TSA whose certificate differs from the good one. */
export const byTsa = (order: Partial<CertificateOrder>, rest: Partial<TokenOrder> = {}): Bytes =>
  makeToken({ tsa: makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions, ...order }), ...rest });

/** A token by a TSA below this issuer, whose certificate is inside the token. */
export function chainedTo(issuer: Identity, order: Partial<CertificateOrder> = {}): Bytes {
  const below = makeIdentity({ name: "TSA", issuer, extensions: tsaExtensions, ...order });
  return makeToken({ tsa: below, certificates: [below.certificate, issuer.certificate] });
}

/** A token whose chain has a certificate between the TSA and the root. */
export const byIntermediate = (order: Partial<CertificateOrder>): Bytes =>
  chainedTo(makeIdentity({ name: "Intermediate", issuer: ca, extensions: caExtensions, ...order }));

/** A token with attributes that nobody signs. */
export const withUnsigned = (...attributes: Bytes[]): Bytes =>
  forge({ alterSigners: (signer) => [sequence(...membersOf(signer), context(1, ...attributes))] });

export const flipLastBit = (signature: Bytes): Bytes =>
  signature.map((byte, i) => (i === signature.length - 1 ? byte ^ 1 : byte));

/** Places in a TBSCertificate (RFC 5280 section 4.1), for `alterTbs`. */
export const TBS = { validity: 4, publicKey: 6, extensions: 7 } as const;
export const withMember =
  (at: number, ...members: Bytes[]) =>
  (all: Bytes[]): Bytes[] =>
    all.toSpliced(at, 1, ...members);
