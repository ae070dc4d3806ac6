// `node bench/verify.ts`: how many different receipts under one root a reader verifies in a second of one core, by what
// the reader has beside them. Prints machine, version, seed and what was verified.
import { parseJson } from "../core/canonical-json.ts";
import { evidenceSchema } from "../core/formats/evidence.ts";
import { TimestampVerifier } from "../core/timestamps/timestamp-verifier.ts";
import { type ReaderKnowledge, verifyReceipt } from "../core/verify/verify-receipt.ts";
import { buildManyReceipts, SEED } from "./many-receipts.ts";
import { machine, medianOf } from "./measuring.ts";

const RECEIPTS = 2_000;
const OTHER_CHAINS = 1_000;
const RUNS = 25;
/** The project's own targets. */
const LEAST_A_SECOND = 10_000;
const NAME_WIDTH = 52;

const { texts, requests, seal, trustAnchors } = buildManyReceipts(RECEIPTS, OTHER_CHAINS);
const evidence = texts.map((text) => evidenceSchema.parse(parseJson(text)));
const verifier = new TimestampVerifier(trustAnchors);

async function verify(index: number, knowledge: ReaderKnowledge): Promise<void> {
  const subject = evidence[index];
  if (subject === undefined) throw new Error("there are fewer receipts");
  const { valid, checks } = await verifyReceipt(subject, { ...knowledge, trustAnchors: verifier });
  if (!valid) throw new Error(`receipt ${index} does not hold: ${JSON.stringify(checks)}`);
}

const PARTS: readonly (readonly [what: string, run: (index: number) => unknown])[] = [
  ["read from JSON", (i) => evidenceSchema.parse(parseJson(texts[i] ?? ""))],
  ["verified", (i) => verify(i, {})],
  ["verified against the published seal", (i) => verify(i, { seal })],
  ["verified against the published seal and its request", (i) => verify(i, { seal, request: requests[i] })],
];

/**
 * Receipts a second of processor time, of many runs after one that only warms up. On a machine that others use, the
 * best one says more of the program, and the median more of the others.
 */
async function rates(run: (index: number) => unknown): Promise<{ median: number; best: number }> {
  const all: number[] = [];
  for (let round = 0; round <= RUNS; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < RECEIPTS; i++) await run(i);
    const { user, system } = process.cpuUsage(start);
    all.push((RECEIPTS / (user + system)) * 1_000_000);
  }
  const [, ...measured] = all;
  return { median: medianOf(measured), best: Math.max(...measured) };
}

const column = (text: string | number): string => String(text).padStart(10);

console.log(`${machine()}, seed "${SEED}"`);
console.log(`${RECEIPTS} receipts of one chain under one root of ${OTHER_CHAINS + 1} chains, ${RUNS} runs`);
console.log(`receipts a second of one core; asked for: ${LEAST_A_SECOND}\n`);
console.log(`${"".padEnd(NAME_WIDTH)}${column("median")}${column("best")}`);
for (const [what, run] of PARTS) {
  const { median, best } = await rates(run);
  console.log(`${what.padEnd(NAME_WIDTH)}${column(Math.round(median))}${column(Math.round(best))}`);
}
