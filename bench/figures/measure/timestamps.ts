// A timestamp token verified here, by bare pkijs and by `openssl ts -verify`.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromBER } from "asn1js";
import { Certificate, ContentInfo, SignedData } from "pkijs";
import {
  parseTimestampToken,
  verifyTimestampToken,
} from "../../../evidence/core/timestamps/timestamp-token.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { opensslVersion, opensslWork } from "../openssl.ts";
import { type Cell, columnsOf, figureOf, type Measure, ratioOf } from "../result.ts";
import { timeOf } from "../timed.ts";

const VECTORS = new URL("../../../test/vectors/timestamps/", import.meta.url);
const ROOT = "0cdec3d7cc55da628e0d6f819fdd7e5da178338a0819902e8e0f5a47b423dd72";
/** The preimage of the root: pkijs hashes it anew. */
const PREIMAGE = new TextEncoder().encode("disclosure-receipts timestamp vectors").buffer;
const RUNS = { whole: 300, short: 20 };
const PROCESSES = { whole: 40, short: 5 };
const TOKENS = [
  ["P-256, SHA-256", "openssl-p256-sha256.der", "openssl-p256-ca.pem"],
  ["P-384, SHA-384", "openssl-p384.der", "openssl-p384-ca.pem"],
  ["P-521, SHA-512", "openssl-p521.der", "openssl-p521-ca.pem"],
  ["RSA-2048, SHA-256", "openssl-rsa-sha256.der", "openssl-rsa-ca.pem"],
] as const;

const pathOf = (file: string): string => fileURLToPath(new URL(file, VECTORS));

export const measure: Measure = async ({ isQuick, progress }) => {
  const kind = isQuick ? "short" : "whole";
  const openssl = opensslVersion();
  const rows: Cell[][] = [];
  for (const token of TOKENS) {
    progress(token[0]);
    rows.push(await measureToken(token, kind, openssl !== null));
  }
  const [, ours, , byPkijs, byOpenssl] = rows[0] ?? [];
  return {
    columns: columnsOf(
      "token: text",
      "ours: ms",
      "of which parsing: ms",
      "bare pkijs: ms",
      "openssl: ms",
      "with its start: ms",
    ),
    rows,
    figures: [
      figureOf("a P-256 token here against openssl", ratioOf(ours, byOpenssl), "times"),
      figureOf("a P-256 token here against bare pkijs", ratioOf(ours, byPkijs), "times"),
    ],
    skipped: openssl === null ? ["openssl ts -verify, for openssl is not here"] : [],
    versions: openssl === null ? {} : { openssl },
  };
};

async function measureToken(
  [what, file, anchorFile]: (typeof TOKENS)[number],
  kind: keyof typeof RUNS,
  hasOpenssl: boolean,
): Promise<Cell[]> {
  const der = new Uint8Array(readFileSync(pathOf(file)));
  const anchors = parseCertificatesPem(readFileSync(pathOf(anchorFile), "utf8"));
  const root = new Uint8Array(Buffer.from(ROOT, "hex"));
  const msOf = async (work: () => unknown) => (await timeOf(work, { runs: RUNS[kind], waits: true })).median;
  const words = ["-digest", ROOT, "-in", pathOf(file), "-token_in", "-CAfile", pathOf(anchorFile)];
  const openssl = hasOpenssl ? opensslWork(words, PROCESSES[kind]) : null;
  return [
    what,
    await msOf(() => verifyTimestampToken(der, root, anchors)),
    await msOf(() => parseTimestampToken(der)),
    await msOf(() => verifyWithPkijs(der, anchors[0] ?? der)),
    openssl?.ms ?? null,
    openssl?.wholeMs ?? null,
  ];
}

/** pkijs verifies the signature and the chain; see docs/decisions/0005 for what it leaves out. */
async function verifyWithPkijs(der: Uint8Array<ArrayBuffer>, anchor: Uint8Array): Promise<boolean> {
  const content = new ContentInfo({ schema: fromBER(der).result }).content;
  const signedData = new SignedData({ schema: content });
  const trustedCerts = [Certificate.fromBER(new Uint8Array(anchor))];
  return signedData.verify({ signer: 0, checkChain: true, trustedCerts, data: PREIMAGE });
}
