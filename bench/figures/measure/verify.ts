// How many different receipts under one root a reader verifies in a second of one core: in Node, by what the reader has
// beside them; in a browser; in Python; and what openssl takes for the one token.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SECOND_MS } from "../../../contract/time.ts";
import { buildManyReceipts, type ManyReceipts } from "../../many-receipts.ts";
import { medianOf } from "../../measuring.ts";
import { verifyInBrowser } from "../in-browser.ts";
import { opensslVersion, opensslWork } from "../openssl.ts";
import { openReports, readReport } from "../report-work.ts";
import { type Cell, columnsOf, type Figure, figureOf, type Measure, ratioOf } from "../result.ts";
import { timeOf } from "../timed.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SIZES = {
  whole: {
    receipts: 2_000,
    otherChains: 1_000,
    runs: 25,
    browser: { runs: 10, times: 5 },
    pythonRuns: 5,
    processes: 40,
  },
  short: {
    receipts: 200,
    otherChains: 100,
    runs: 3,
    browser: { runs: 3, times: 5 },
    pythonRuns: 1,
    processes: 5,
  },
};
/** The project's own target. */
const LEAST_A_SECOND = 10_000;
const PEM_WIDTH = /.{1,64}/g;

type ReceiptWork = (index: number) => unknown;

export const measure: Measure = async ({ isQuick, progress }) => {
  const size = isQuick ? SIZES.short : SIZES.whole;
  const many = buildManyReceipts(size.receipts, size.otherChains);
  const rows: Cell[][] = [];
  for (const [what, run] of worksOf(many)) {
    progress(what);
    rows.push([what, ...(await ratesOf(run, size))]);
  }
  progress(IN_BROWSER);
  const chromium = await verifyInBrowser(many, size.browser);
  if (chromium !== null) rows.push([IN_BROWSER, ...chromium.rates]);
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-verify-"));
  const [python, openssl] = [
    inPython(folder, many, size.pythonRuns),
    withOpenssl(folder, many, size.processes),
  ];
  rmSync(folder, { recursive: true });
  if (python !== null) rows.push([IN_PYTHON, ...python.rates]);
  if (openssl !== null) rows.push([BY_OPENSSL, openssl.rate, openssl.rate]);
  const others = { chromium: chromium?.version, python: python?.version, openssl: openssl?.version };
  return { columns: COLUMNS, rows, figures: figuresOf(rows), ...whichOf(others) };
};

const WITH_SEAL = "verified with the published seal";
const IN_BROWSER = `${WITH_SEAL}, in Chromium`;
const IN_PYTHON = `${WITH_SEAL}, in Python`;
const BY_OPENSSL = "its token alone, by openssl";

const COLUMNS = columnsOf("a receipt is: text", "median: /s", "best: /s");

/** The versions of those that took part, and which did not. */
function whichOf(others: Readonly<Record<string, string | undefined>>) {
  const found = Object.entries(others).filter(([, version]) => version !== undefined);
  const missing = Object.entries(others).filter(([, version]) => version === undefined);
  return {
    versions: Object.fromEntries(found) as Record<string, string>,
    skipped: missing.map(([name]) => `${name}, which is not here`),
  };
}

function worksOf({ texts, requests, seal, trustAnchors }: ManyReceipts): (readonly [string, ReceiptWork])[] {
  const verify = openReports(texts, trustAnchors);
  return [
    ["read from JSON", (i) => readReport(texts[i] ?? "")],
    ["verified", (i) => verify(i, {})],
    [WITH_SEAL, (i) => verify(i, { seal })],
    [`${WITH_SEAL} and its request`, (i) => verify(i, { seal, request: requests[i] })],
  ];
}

/** Receipts a second of processor time: the median of many runs over all, and the best. */
async function ratesOf(
  run: ReceiptWork,
  { receipts, runs }: (typeof SIZES)["whole"],
): Promise<[number, number]> {
  const verifyAll = async (): Promise<void> => {
    for (let i = 0; i < receipts; i++) await run(i);
  };
  const { median, least } = await timeOf(verifyAll, { runs });
  return [(receipts / median) * SECOND_MS, (receipts / least) * SECOND_MS];
}

/** Null where Python is not here. */
function inPython(folder: string, { texts, seal, trustAnchors }: ManyReceipts, runs: number) {
  writeFileSync(join(folder, "reports.json"), JSON.stringify(texts));
  writeFileSync(join(folder, "seal.json"), JSON.stringify(seal));
  writeFileSync(join(folder, "anchors.pem"), trustAnchors.map(pemOf).join(""));
  if (!isHere("python3", "--version")) return null;
  const program = join(ROOT, "bench/figures/verify_reports.py");
  const env = { ...process.env, PYTHONPATH: join(ROOT, "clients/python/src") };
  const said = execFileSync("python3", [program, folder, String(runs)], { env, encoding: "utf8" });
  const { seconds, python } = JSON.parse(said) as { seconds: number[]; python: string };
  const all = seconds.map((each) => texts.length / each);
  return { rates: [medianOf(all), Math.max(...all)], version: python };
}

/** Null where openssl is not here. */
function withOpenssl(folder: string, { seal }: ManyReceipts, processes: number) {
  const version = opensslVersion();
  if (version === null) return null;
  const token = join(folder, "token.der");
  writeFileSync(token, Buffer.from(seal.tsa_timestamp.timestamp_token ?? "", "base64"));
  const digest = seal.merkle_root.replace("0x", "");
  const words = ["-digest", digest, "-in", token, "-token_in", "-CAfile", join(folder, "anchors.pem")];
  return { rate: SECOND_MS / opensslWork(words, processes).ms, version };
}

const pemOf = (der: Uint8Array): string => {
  const lines = Buffer.from(der).toString("base64").match(PEM_WIDTH) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
};

function isHere(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

function figuresOf(rows: readonly Cell[][]): Figure[] {
  const best = (what: string): Cell | undefined => rows.find(([name]) => name === what)?.[2];
  const [node, browser, python] = [best(WITH_SEAL), best(IN_BROWSER), best(IN_PYTHON)];
  const atLeast = LEAST_A_SECOND;
  const ofOpenssl = ratioOf(node, best(BY_OPENSSL));
  return [
    figureOf("receipts with their published seal", ratioOf(node, 1), "/s", { atLeast }),
    figureOf("the time of a receipt in Chromium, of that in Node", ratioOf(node, browser), "times"),
    figureOf("Python, of Node's rate", ratioOf(python, node), "share"),
    figureOf("receipts verified in the time of one token by openssl", ofOpenssl, "count"),
  ];
}
