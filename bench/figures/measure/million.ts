// Commands of readers and of the operator on the chain of a million receipts, each in a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";
import type { ComplianceReceipt } from "../../../core/formats/compliance-receipt.ts";
import { startLocalProcess, takenBy } from "../local-process.ts";
import { eventIdOf, type KeptChain, openKeptWorld } from "../million.ts";
import { type Cell, columnsOf, type Figure, type Measure, NOTHING_ELSE } from "../result.ts";

const PROGRAM = join(import.meta.dirname, "../../../bin/receipts.ts");
const MS_PER_SECOND = 1_000;
const WATCH_MS = 100;
const A_DAY = "86400";
const MONTH_LENGTH = "2026-11".length;
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
  try {
    for (const chain of world.chains.slice(-CHAINS)) {
      for (const command of commandsOf(chain, {
        folder,
        url: local.url,
        month: await monthOf(local.url, chain),
        out: join(out, String(chain.size)),
      })) {
        progress(`${command.name}, ${chain.size} receipts`);
        const ran = await runCommand(command.words);
        rows.push({ chain, name: command.name, ...ran, serverMb: takenBy(local.pid)?.memoryMb ?? null });
      }
    }
  } finally {
    await local.stop();
    rmSync(out, { recursive: true, force: true });
  }
  return { columns: COLUMNS, rows: rows.map(cellsOf), figures: figuresOf(rows), ...NOTHING_ELSE };
};

/** The longest, and the one before, which has a tenth of its receipts. */
const CHAINS = 2;
const VERIFY = "admin verify";

interface CommandRow extends Ran {
  readonly chain: KeptChain;
  readonly name: string;
  readonly serverMb: number | null;
}

/** The month of the chain's receipts, for they are all of one build. */
async function monthOf(url: string, chain: KeptChain): Promise<string> {
  const headers = { authorization: `Bearer ${chain.apiKey}` };
  const response = await fetch(`${url}${ATTESTATION_PATH}/${eventIdOf(chain, 0)}`, { headers });
  const { receipts } = (await response.json()) as ComplianceReceipt;
  return receipts[0]?.issued_at.slice(0, MONTH_LENGTH) ?? "";
}

/** The service that a command asks, and where it writes. */
interface CommandPlace {
  readonly folder: string;
  readonly url: string;
  readonly month: string;
  readonly out: string;
}

function commandsOf(
  { tenantId, apiKey }: KeptChain,
  { folder, url, month, out }: CommandPlace,
): ChainCommand[] {
  const own = [url, "--key", apiKey];
  return [
    { name: VERIFY, words: ["admin", "verify", `--local=${folder}`, "--tenant", tenantId] },
    { name: "history", words: ["history", ...own, "--out", `${out}-history`] },
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
  const seconds = (performance.now() - start) / MS_PER_SECOND;
  // 3: nothing is wrong, but a token is of an authority that the audit was not given.
  if (code !== 0 && code !== 3) throw new Error(`${words[0]} ${words[1]} ended with ${code}: ${said}`);
  return { seconds, highestMb };
}

const COLUMNS = columnsOf(
  ["command", "text"],
  ["receipts in the chain", "count"],
  ["from start to end", "s"],
  ["its memory, at the highest", "MB"],
  ["the local process's memory after it", "MB"],
);

const cellsOf = ({ name, chain, seconds, highestMb, serverMb }: CommandRow): Cell[] => [
  name,
  chain.size,
  seconds,
  highestMb,
  serverMb,
];

function figuresOf(rows: readonly CommandRow[]): Figure[] {
  const ofVerify = rows.filter(({ name }) => name === VERIFY);
  const [shorter, longest] = ofVerify;
  if (shorter === undefined || longest === undefined) throw new Error("there are fewer chains");
  const [before, after] = [shorter.highestMb, longest.highestMb];
  return [
    {
      key: "verify",
      what: `admin verify of ${longest.chain.size} receipts`,
      value: longest.seconds,
      unit: "s",
      aim: { atMost: MOST_VERIFY_SECONDS },
    },
    {
      key: "verify-memory",
      what: `its memory against that with ${shorter.chain.size} receipts`,
      value: before === null || after === null ? null : after / before,
      unit: "times",
      aim: { atMost: MOST_TIMES },
    },
  ];
}
