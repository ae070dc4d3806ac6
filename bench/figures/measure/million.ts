// Commands of readers and of the operator on the chain of a million receipts, each in a process of its own, and reports as
// a program reads them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ATTESTATION_PATH, TRUST_ANCHORS_PATH } from "../../../contract/public-paths.ts";
import { SECOND_MS } from "../../../contract/time.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { medianOf } from "../../measuring.ts";
import { startLocalProcess, takenBy } from "../local-process.ts";
import { eventIdOf, type KeptChain, openKeptWorld } from "../million.ts";
import { type Cell, columnsOf, type Figure, figureOf, type Measure, ratioOf } from "../result.ts";

const PROGRAM = join(import.meta.dirname, "../../../bin/receipts.ts");
const WATCH_MS = 100;
const A_DAY = "86400";
const MONTH_LENGTH = "2026-11".length;
/** Out of the middle of a chain: each takes some milliseconds, so the million would take hours. */
const EXPORTED = { whole: 10_000, short: 500 };
/** Spread over the whole chain. */
const REPORTS_READ = 50;
const OK = 200;
/** The exit status of a command that could not make every check. */
const OPEN_POINTS = 3;
/** The project's own targets. */
const MOST_VERIFY_SECONDS = 20;
const MOST_TIMES = 2;

/** A command, and what it says of itself in the table. */
interface ChainCommand {
  readonly name: string;
  readonly words: readonly string[];
}

interface Ran {
  readonly seconds: number;
  readonly highestMb: number | null;
}

export const measure: Measure = async ({ isQuick, kept, progress }) => {
  const { folder, world } = await openKeptWorld(kept, isQuick, progress);
  const out = mkdtempSync(join(tmpdir(), "disclosure-receipts-million-"));
  const local = await startLocalProcess({ SEAL_INTERVAL_SECONDS: A_DAY }, folder);
  const rows: CommandRow[] = [];
  const serverMb = (): number | null => takenBy(local.pid)?.memoryMb ?? null;
  try {
    for (const chain of world.chains.slice(-CHAINS)) {
      const place = { folder, url: local.url, out: join(out, String(chain.size)) };
      const facts = await factsOf(place, chain, isQuick ? EXPORTED.short : EXPORTED.whole);
      rows.push({ chain, name: REPORT, seconds: facts.reportSeconds, highestMb: null, serverMb: serverMb() });
      for (const { name, words } of commandsOf(chain, { ...place, ...facts })) {
        progress(`${name}, ${chain.size} receipts`);
        rows.push({ chain, name, ...(await runCommand(words)), serverMb: serverMb() });
      }
    }
  } finally {
    await local.stop();
    rmSync(out, { recursive: true, force: true });
  }
  return { columns: COLUMNS, rows: rows.map(cellsOf), figures: figuresOf(rows) };
};

/** The longest, and the one before, which has a tenth of its receipts. */
const CHAINS = 2;
const REPORT = "a report, without a command";
const VERIFY = "admin verify";
const HISTORY = "history";
const EXPORT = "export of a part, and all history";

interface CommandRow extends Ran {
  readonly chain: KeptChain;
  readonly name: string;
  readonly serverMb: number | null;
}

/** The service that a command asks, and where it writes. */
interface CommandPlace {
  readonly folder: string;
  readonly url: string;
  readonly out: string;
}

/** The commands are told this, which reports of the chain say. */
interface ChainFacts {
  /** The month of the chain's receipts, for they are all of one build. */
  readonly month: string;
  /** The ends of the range that is exported. */
  readonly from: string;
  readonly to: string;
  /** A report, and the certificate of its timestamp's authority. */
  readonly reportFile: string;
  readonly anchorsFile: string;
  /** The median of many. */
  readonly reportSeconds: number;
}

async function factsOf({ url, out }: CommandPlace, chain: KeptChain, exported: number): Promise<ChainFacts> {
  const times: number[] = [];
  for (let i = 0; i < REPORTS_READ; i++) {
    const start = performance.now();
    await readReport(url, chain, Math.floor((i * chain.size) / REPORTS_READ));
    times.push((performance.now() - start) / SECOND_MS);
  }
  const first = Math.floor((chain.size - exported) / 2);
  const [begin, end] = [
    await readReport(url, chain, first),
    await readReport(url, chain, first + exported - 1),
  ];
  const [reportFile, anchorsFile] = [`${out}-report.json`, `${out}-authority.pem`];
  writeFileSync(reportFile, end.text);
  writeFileSync(anchorsFile, await (await fetch(url + TRUST_ANCHORS_PATH)).text());
  const { issuedAt: from } = begin;
  const month = from.slice(0, MONTH_LENGTH);
  return { month, from, to: end.issuedAt, reportFile, anchorsFile, reportSeconds: medianOf(times) };
}

async function readReport(url: string, chain: KeptChain, sequence: number) {
  const headers = { authorization: `Bearer ${chain.apiKey}` };
  const answer = await fetch(`${url}${ATTESTATION_PATH}/${eventIdOf(chain, sequence)}`, { headers });
  const text = await answer.text();
  if (answer.status !== OK) throw new Error(`a report was answered ${answer.status}: ${text}`);
  const { receipts } = JSON.parse(text) as ComplianceReceipt;
  return { text, issuedAt: receipts[0]?.issued_at ?? "" };
}

function commandsOf({ tenantId, apiKey }: KeptChain, place: CommandPlace & ChainFacts): ChainCommand[] {
  const { folder, url, out, month, from, to, reportFile, anchorsFile } = place;
  const own = [url, "--key", apiKey];
  const range = ["--from", from, "--to", to];
  return [
    {
      name: "verify, of that report",
      words: ["verify", reportFile, "--metachain", url, "--tsa-ca", anchorsFile],
    },
    { name: VERIFY, words: ["admin", "verify", `--local=${folder}`, "--tenant", tenantId] },
    { name: HISTORY, words: ["history", ...own, "--out", `${out}-history`] },
    { name: EXPORT, words: ["export", ...own, ...range, "--out", `${out}-export`] },
    { name: "bill fetch", words: ["bill", "fetch", ...own, "--month", month, "-o", `${out}-bill.json`] },
    { name: "audit", words: ["audit", url] },
  ];
}

async function runCommand(words: readonly string[]): Promise<Ran> {
  const start = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  let highestMb: number | null = null;
  const watching = setInterval(() => {
    highestMb = takenBy(child.pid ?? 0)?.highestMb || highestMb;
  }, WATCH_MS);
  const [code] = (await once(child, "exit")) as [number | null];
  clearInterval(watching);
  const seconds = (performance.now() - start) / SECOND_MS;
  // Nothing is wrong then, but a token is of an authority that the audit was not given.
  const isOpen = words[0] === "audit" && code === OPEN_POINTS;
  if (code !== 0 && !isOpen) throw new Error(`${words[0]} ${words[1]} ended with ${code}: ${said}`);
  return { seconds, highestMb };
}

const COLUMNS = columnsOf(
  "command: text",
  "receipts in the chain: count",
  "from start to end: s",
  "its memory, at the highest: MB",
  "the local process's memory after it: MB",
);

const cellsOf = ({ name, chain, seconds, highestMb, serverMb }: CommandRow): Cell[] => [
  name,
  chain.size,
  seconds,
  highestMb,
  serverMb,
];

function figuresOf(rows: readonly CommandRow[]): Figure[] {
  const [shorter, longest] = [...new Set(rows.map(({ chain }) => chain))];
  if (shorter === undefined || longest === undefined) throw new Error("there are fewer chains");
  const find = (name: string, chain: KeptChain): CommandRow | undefined =>
    rows.find((row) => row.name === name && row.chain === chain);
  /** A value with the longest chain, against that with the one before. */
  const growth = (what: string, measured: (chain: KeptChain) => number | null | undefined): Figure => {
    const words = `${what} against that with ${shorter.size} receipts`;
    return figureOf(words, ratioOf(measured(longest), measured(shorter)), "times", { atMost: MOST_TIMES });
  };
  const memoryOf = (name: string) => (chain: KeptChain) => find(name, chain)?.highestMb;
  const secondsOf = (name: string) => (chain: KeptChain) => find(name, chain)?.seconds;
  const verified = find(VERIFY, longest)?.seconds;
  return [
    figureOf(`admin verify of ${longest.size} receipts`, verified, "s", { atMost: MOST_VERIFY_SECONDS }),
    growth("its memory", memoryOf(VERIFY)),
    growth("the time of a report", secondsOf(REPORT)),
    growth("the memory of history", memoryOf(HISTORY)),
    growth("the memory of export", memoryOf(EXPORT)),
    growth("the time of export, of as many reports,", secondsOf(EXPORT)),
    growth(
      "the memory of the local process after all commands",
      (chain) => rows.findLast((row) => row.chain === chain)?.serverMb,
    ),
  ];
}
