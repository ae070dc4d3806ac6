// `node bench/timestamps.ts`: what a timestamp token costs to verify: here, with bare pkijs, and with `openssl ts
// -verify`. Prints machine and versions; the tokens are those of test/vectors/timestamps.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromBER } from "asn1js";
import { Certificate, ContentInfo, SignedData } from "pkijs";
import { parseTimestampToken, verifyTimestampToken } from "../core/timestamps/timestamp-token.ts";
import { parseCertificatesPem } from "../core/timestamps/x509/pem.ts";
import { machine, medianOf } from "./measuring.ts";

const VECTORS = new URL("../test/vectors/", import.meta.url);
const ROOT = "0cdec3d7cc55da628e0d6f819fdd7e5da178338a0819902e8e0f5a47b423dd72";
/** The preimage of the root: pkijs hashes it anew. */
const PREIMAGE = new TextEncoder().encode("disclosure-receipts timestamp vectors").buffer;
const ROUNDS = 300;
const PROCESSES = 40;
const TOKENS = [
  ["P-256, SHA-256", "openssl-p256-sha256.der", "openssl-p256-ca.pem"],
  ["P-384, SHA-384", "openssl-p384.der", "openssl-p384-ca.pem"],
  ["P-521, SHA-512", "openssl-p521.der", "openssl-p521-ca.pem"],
  ["RSA-2048, SHA-256", "openssl-rsa-sha256.der", "openssl-rsa-ca.pem"],
] as const;

const pathOf = (file: string): string => fileURLToPath(new URL(`timestamps/${file}`, VECTORS));
const readBytes = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(pathOf(file)));

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

const openssl = (...words: string[]): Buffer => execFileSync("openssl", words, { stdio: "pipe" });

/**
 * The work of one `openssl ts -verify`: a whole run less a run that only starts and loads. The least of many, taken in
 * turns: a median of processes is mostly the weather on this machine.
 */
function opensslWork(file: string, anchor: string): string {
  const words = ["-verify", "-digest", ROOT, "-in", pathOf(file), "-token_in", "-CAfile", pathOf(anchor)];
  const runs = Array.from(
    { length: PROCESSES },
    () => [timeOpenssl("-help"), timeOpenssl(...words)] as const,
  );
  const starting = Math.min(...runs.map(([start]) => start));
  const whole = Math.min(...runs.map(([, run]) => run));
  return `${format(whole - starting)} (of ${format(whole)} with its start)`;
}

function timeOpenssl(...words: string[]): number {
  const start = performance.now();
  openssl("ts", ...words);
  return performance.now() - start;
}

const format = (ms: number): string => `${ms.toFixed(2)} ms`;

async function compareTokens(): Promise<void> {
  for (const [what, file, anchorFile] of TOKENS) {
    const der = readBytes(file);
    const anchors = parseCertificatesPem(readFileSync(pathOf(anchorFile), "utf8"));
    const root = new Uint8Array(Buffer.from(ROOT, "hex"));
    const ours = await timeOf(ROUNDS, () => verifyTimestampToken(der, root, anchors));
    const parsing = await timeOf(ROUNDS, () => parseTimestampToken(der));
    const theirs = await timeOf(ROUNDS, () => verifyWithPkijs(der, anchors[0] ?? der));
    console.log(`${what}: ours ${format(ours)}, of which parsing ${format(parsing)}`);
    console.log(`  bare pkijs ${format(theirs)}; openssl ts -verify ${opensslWork(file, anchorFile)}`);
  }
}

console.log(`${machine()}, ${openssl("version").toString().trim()}; medians`);
await compareTokens();
