// Vectors of the purpose and the usage of the TSA's key: for timestamps, and for nothing else (RFC 3161 section 2.3).
import { byTsa, TBS } from "./authorities.ts";
import { type Bytes, boolean, octets, oid, sequence, tlv } from "./der-writer.ts";
import { digitalSignature, extendedKeyUsage, extension, keyUsage, Oid } from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

/** A token whose certificate has a key for signatures, and these extensions. */
const purposes = (...extensions: Bytes[]): Bytes => byTsa({ extensions: [digitalSignature, ...extensions] });
/** A token whose certificate has a keyUsage of these octets, the first of which counts the unused bits. */
const usage = (...octetsOfBits: number[]): Bytes =>
  byTsa({
    extensions: [
      extension("2.5.29.15", true, tlv(0x03, Uint8Array.from(octetsOfBits))),
      extendedKeyUsage(true, Oid.timeStamping),
    ],
  });

export const keyPurposeVectors: readonly Vector[] = [
  vector(
    "good-non-repudiation",
    "accepted",
    "a key for non-repudiation",
    byTsa({ extensions: [keyUsage(0x40, 2), extendedKeyUsage(true, Oid.timeStamping)] }),
  ),
  vector(
    "good-no-key-usage",
    "accepted",
    "a certificate that does not limit the key's usage",
    byTsa({ extensions: [extendedKeyUsage(true, Oid.timeStamping)] }),
  ),
  vector(
    "purpose-not-critical",
    "extended_key_usage",
    "the purpose is not critical",
    purposes(extendedKeyUsage(false, Oid.timeStamping)),
  ),
  vector(
    "purpose-critical-false",
    "extended_key_usage",
    "the purpose says in full that it is not critical",
    purposes(sequence(oid("2.5.29.37"), boolean(false), octets(sequence(oid(Oid.timeStamping))))),
  ),
  vector(
    "purpose-two",
    "extended_key_usage",
    "a second purpose",
    purposes(extendedKeyUsage(true, Oid.timeStamping, Oid.codeSigning)),
  ),
  vector(
    "purpose-other",
    "extended_key_usage",
    "another purpose",
    purposes(extendedKeyUsage(true, Oid.codeSigning)),
  ),
  vector("purpose-none", "extended_key_usage", "no purpose", purposes()),
  vector("purpose-any", "extended_key_usage", "any purpose", purposes(extendedKeyUsage(true, "2.5.29.37.0"))),
  vector(
    "purpose-twice",
    "extended_key_usage",
    "timestamps, twice",
    purposes(extendedKeyUsage(true, Oid.timeStamping, Oid.timeStamping)),
  ),
  vector(
    "extensions-none",
    "extended_key_usage",
    "a certificate without extensions",
    byTsa({ alterTbs: (all) => all.toSpliced(TBS.extensions, 1) }),
  ),
  vector(
    "key-usage",
    "key_usage",
    "a key for keyAgreement",
    byTsa({ extensions: [keyUsage(0x08, 5), extendedKeyUsage(true, Oid.timeStamping)] }),
  ),
  vector("key-usage-none", "key_usage", "a key for nothing", usage(0)),
  vector(
    "key-usage-more",
    "key_usage",
    "a key for signatures and for keyEncipherment",
    byTsa({ extensions: [keyUsage(0xa0, 3), extendedKeyUsage(true, Oid.timeStamping)] }),
  ),
  vector(
    "key-usage-ca",
    "key_usage",
    "a key for timestamps that may sign certificates too",
    byTsa({ extensions: [keyUsage(0x84, 6), extendedKeyUsage(true, Oid.timeStamping)] }),
  ),
  vector(
    "key-usage-unused-bits",
    "beyond_verifier: encoding",
    "a usage in bits that the BIT STRING calls unused",
    byTsa({
      extensions: [
        extension("2.5.29.15", true, tlv(0x03, Uint8Array.of(7, 0xff))),
        extendedKeyUsage(true, Oid.timeStamping),
      ],
    }),
  ),
  vector(
    "key-usage-second-octet",
    "key_usage",
    "a key for signatures and decipherOnly",
    usage(7, 0x80, 0x80),
  ),
  vector(
    "key-usage-third-octet",
    "key_usage",
    "a key for signatures and a usage that has no name",
    usage(0, 0x80, 0, 1),
  ),
];
