// The time that a timestamp token takes to verify: here, with bare pkijs, and with `openssl ts -verify`.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromBER } from "asn1js";
import { Certificate, ContentInfo, SignedData } from "pkijs";
import { parseTimestampToken, verifyTimestampToken } from "../../../core/timestamps/timestamp-token.ts";
import { parseCertificatesPem } from "../../../core/timestamps/x509/pem.ts";
import { medianOf } from "../../measuring.ts";
import { opensslVersion, opensslWork } from "../openssl.ts";
import { type Cell, columnsOf, type Figure, type Measure } from "../result.ts";

const VECTORS = new URL("../../../test/vectors/", import.meta.url);
const ROOT = "0cdec3d7cc55da628e0d6f819fdd7e5da178338a0819902e8e0f5a47b423dd72";
/** The preimage of the root: pkijs hashes it anew. */
const PREIMAGE = new TextEncoder().encode("disclosure-receipts timestamp vectors").buffer;
const ROUNDS = { whole: 300, short: 20 };
const PROCESSES = { whole: 40, short: 5 };
const TOKENS = [
  ["P-256, SHA-256", "openssl-p256-sha256.der", "openssl-p256-ca.pem"],
  ["P-384, SHA-384", "openssl-p384.der", "openssl-p384-ca.pem"],
  ["P-521, SHA-512", "openssl-p521.der", "openssl-p521-ca.pem"],
  ["RSA-2048, SHA-256", "openssl-rsa-sha256.der", "openssl-rsa-ca.pem"],
] as const;
const NO_OPENSSL = "openssl ts -verify, for openssl is not here";

const pathOf = (file: string): string => fileURLToPath(new URL(`timestamps/${file}`, VECTORS));
const readBytes = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(pathOf(file)));

export const measure: Measure = async ({ isQuick, progress }) => {
  const kind = isQuick ? "short" : "whole";
  const openssl = opensslVersion();
  const rows: Cell[][] = [];
  for (const token of TOKENS) {
    progress(token[0]);
    rows.push(await measureToken(token, kind, openssl !== null));
  }
  return {
    columns: COLUMNS,
    rows,
    figures: figuresOf(rows),
    skipped: openssl === null ? [NO_OPENSSL] : [],
    versions: openssl === null ? {} : { openssl },
  };
};

const COLUMNS = columnsOf(
  ["token", "text"],
  ["ours", "ms"],
  ["of which parsing", "ms"],
  ["bare pkijs", "ms"],
  ["openssl", "ms"],
  ["with its start", "ms"],
);

async function measureToken(
  [what, file, anchorFile]: (typeof TOKENS)[number],
  kind: keyof typeof ROUNDS,
  hasOpenssl: boolean,
): Promise<Cell[]> {
  const der = readBytes(file);
  const anchors = parseCertificatesPem(readFileSync(pathOf(anchorFile), "utf8"));
  const root = new Uint8Array(Buffer.from(ROOT, "hex"));
  const ours = await timeOf(ROUNDS[kind], () => verifyTimestampToken(der, root, anchors));
  const parsing = await timeOf(ROUNDS[kind], () => parseTimestampToken(der));
  const theirs = await timeOf(ROUNDS[kind], () => verifyWithPkijs(der, anchors[0] ?? der));
  const words = ["-digest", ROOT, "-in", pathOf(file), "-token_in", "-CAfile", pathOf(anchorFile)];
  const openssl = hasOpenssl ? opensslWork(words, PROCESSES[kind]) : null;
  return [what, ours, parsing, theirs, openssl?.ms ?? null, openssl?.wholeMs ?? null];
}

/** The median of many runs one after the other, in milliseconds. */
async function timeOf(rounds: number, run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return medianOf(times);
}

/** pkijs verifies the signature and the chain; see docs/decisions/0005 for what it leaves out. */
async function verifyWithPkijs(der: Uint8Array<ArrayBuffer>, anchor: Uint8Array): Promise<boolean> {
  const content = new ContentInfo({ schema: fromBER(der).result }).content;
  const signedData = new SignedData({ schema: content });
  const trustedCerts = [Certificate.fromBER(new Uint8Array(anchor))];
  return signedData.verify({ signer: 0, checkChain: true, trustedCerts, data: PREIMAGE });
}

function figuresOf([first = []]: readonly Cell[][]): Figure[] {
  const [, ours, , pkijs, openssl] = first;
  const ratio = (other: Cell | undefined): number | null =>
    typeof ours === "number" && typeof other === "number" ? ours / other : null;
  return [
    { key: "of-openssl", what: "a P-256 token here against openssl", value: ratio(openssl), unit: "times" },
    { key: "of-pkijs", what: "a P-256 token here against bare pkijs", value: ratio(pkijs), unit: "times" },
  ];
}
