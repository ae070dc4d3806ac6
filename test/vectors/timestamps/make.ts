// Makes the forged-* vectors and index.json, with the verdict of `openssl ts -verify` beside ours. Run by hand in this
// folder, after make.sh. Each forgery is one change of the accepted forged-good.der, validly signed.
import { chainVectors } from "./chain.ts";
import { entryOf, writeIndex, writeVector } from "./corpus.ts";
import { envelopeVectors } from "./envelope.ts";
import { issuerCertificateVectors } from "./issuer-certificate.ts";
import { keyPurposeVectors } from "./key-purpose.ts";
import { limitVectors } from "./limits.ts";
import { messageImprintVectors } from "./message-imprint.ts";
import { OPENSSL_TOKENS } from "./openssl-tokens.ts";
import { publicKeyVectors } from "./public-keys.ts";
import { responseVectors } from "./responses.ts";
import { signatureAlgorithmVectors } from "./signature-algorithms.ts";
import { signatureVectors } from "./signatures.ts";
import { signedAttributesVectors } from "./signed-attributes.ts";
import { signerCertificateVectors } from "./signer-certificate.ts";
import { signerInfoVectors } from "./signer-info.ts";
import { signingCertificateVectors } from "./signing-certificate.ts";
import { tstInfoVectors } from "./tst-info.ts";

const forged = [
  ...envelopeVectors,
  ...tstInfoVectors,
  ...messageImprintVectors,
  ...signerInfoVectors,
  ...signedAttributesVectors,
  ...signingCertificateVectors,
  ...signatureAlgorithmVectors,
  ...signatureVectors,
  ...publicKeyVectors,
  ...signerCertificateVectors,
  ...keyPurposeVectors,
  ...issuerCertificateVectors,
  ...chainVectors,
  ...limitVectors,
  ...responseVectors,
];
const entries = [...OPENSSL_TOKENS.map((row) => entryOf(...row)), ...forged.map(writeVector)];
writeIndex(entries);

const disagreements = entries.filter(
  ({ expected, openssl }) => (expected === "accepted") !== (openssl === "accepted"),
);
console.log(`${entries.length} vectors; openssl differs on:`);
for (const { file, expected, openssl } of disagreements) console.log(`  ${file}: ${expected} / ${openssl}`);
