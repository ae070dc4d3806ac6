// The tokens that make.sh had openssl make, and the anchors that they are verified with.
import type { Expected } from "./vector.ts";

type Row = readonly [file: string, anchor: string, expected: Expected, what: string];

const KEYS = ["rsa", "p256"];
const SIGNER_DIGESTS = ["sha256", "sha384", "sha512"];

export const OPENSSL_TOKENS: readonly Row[] = [
  ...KEYS.flatMap((key) =>
    SIGNER_DIGESTS.map(
      (digest): Row => [
        `openssl-${key}-${digest}.der`,
        `openssl-${key}-ca.pem`,
        "accepted",
        `openssl, ${key} keys, signer digest ${digest}`,
      ],
    ),
  ),
  [
    "openssl-p384.der",
    "openssl-p384-ca.pem",
    "accepted",
    "openssl, P-384 keys, SHA-384, ESSCertIDv2 with SHA-384",
  ],
  [
    "openssl-p521.der",
    "openssl-p521-ca.pem",
    "accepted",
    "openssl, P-521 keys, SHA-512, ESSCertIDv2 with SHA-512",
  ],
  ["openssl-rsa-ess-v1.der", "openssl-rsa-ca.pem", "accepted", "openssl, ESSCertID v1"],
  [
    "openssl-pss-certificates.der",
    "openssl-pss-ca.pem",
    "accepted",
    "openssl, certificates signed with RSASSA-PSS",
  ],
  ["openssl-p256-sha256.tsr", "openssl-p256-ca.pem", "accepted", "openssl, the whole TimeStampResp"],
  [
    "openssl-rsa-sha256.der",
    "openssl-p256-ca.pem",
    "other_authority: trust_anchor",
    "a good token, asked for with another CA",
  ],
];
