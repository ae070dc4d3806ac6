// A run from its start to the oracle's verdict.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../contract/time.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { parseHead } from "../../evidence/reader/metachain.ts";
import { openMetachain } from "../../tools/cli/metachain/open.ts";
import { randomOf } from "../throughput/random.ts";
import { askOracle, type OracleAnswer } from "./ask-oracle.ts";
import { readKeys } from "./deployment.ts";
import { FaultMaker } from "./faults/fault-maker.ts";
import { seedOf } from "./faults/schedule.ts";
import type { Attesting } from "./load/attest.ts";
import { HadConversations } from "./load/conversations.ts";
import { Findings } from "./load/findings.ts";
import { CallJournal } from "./load/journal.ts";
import { runLoad } from "./load/load.ts";
import { Measures } from "./load/measures.ts";
import type { ReaderParts } from "./load/reading.ts";
import type { HammerOptions } from "./options.ts";
import { makeOut, type RunDescription, writePicture, writeResult, writeRun } from "./result.ts";
import { settle } from "./settle.ts";
import { byName, type FigureSources, figuresOf, type RunFigures } from "./show/figures.ts";
import { renderPicture } from "./show/picture.ts";
import { LiveLine } from "./show/progress.ts";
import { SealLag } from "./show/seal-lag.ts";
import { renderTable } from "./show/table.ts";
import { type HammerTarget, openTarget } from "./target.ts";

/** Calls that have no answer so long after the end of the load stay without one, and readers wait no longer either. */
const GRACE_MS = 90_000;
const HELD_PAUSE_MS = 500;
const RADIX = 36;

interface RunParts {
  readonly judge: JudgeRun;
  readonly options: HammerOptions;
  readonly out: string;
  readonly target: HammerTarget;
  readonly journal: CallJournal;
  readonly measures: Measures;
  readonly findings: Findings;
  readonly conversations: HadConversations;
  readonly startedAt: Date;
  /** Names the run. */
  readonly run: string;
}

/** Judges the run of a folder while the service still answers. */
export type JudgeRun = typeof askOracle;

/** Resolves to true if nothing was found. Throws where the run can't start. */
export async function hammer(given: HammerOptions, judge: JudgeRun = askOracle): Promise<boolean> {
  const options = { ...given, key: await readKeys(given) };
  const out = makeOut(options.out);
  console.log(`seed ${options.seed}, results in ${out}`);
  const target = await openTarget(options, out);
  try {
    return await drive({
      judge,
      options,
      out,
      target,
      journal: new CallJournal(out),
      measures: new Measures(),
      findings: new Findings(),
      conversations: new HadConversations(),
      startedAt: new Date(),
      run: Date.now().toString(RADIX),
    });
  } finally {
    await target.stop();
  }
}

async function drive(parts: RunParts): Promise<boolean> {
  const { options, out, target, journal, findings } = parts;
  const [ending, over] = [new AbortController(), new AbortController()];
  const attesting: Attesting = { ...target, ...parts, over: over.signal };
  const faults = FaultMaker.of({ ...parts, attesting, world: target.world });
  const lag = new SealLag(target.url);
  const line = new LiveLine(process.stdout, () => liveLine(parts, faults, lag));
  const { callers, seed } = options;
  const hasFaults = options.faults.length > 0;
  const reading = readingOf(parts, ending.signal, over.signal);
  const load = runLoad({ callers, seed, hasFaults, attesting, reading });
  const durationMs = options.minutes * MINUTE_MS;
  await Promise.all([sleep(durationMs), faults.run(durationMs)]);
  const inTime = { seconds: parts.measures.seconds, receipts: journal.receipts };
  ending.abort();
  await faults.end();
  const grace = setTimeout(() => over.abort(), GRACE_MS);
  await load;
  clearTimeout(grace);
  await faults.finish();
  await allDelivered(target);
  line.stop();
  lag.stop();
  if (journal.open > 0)
    findings.add("callers", `${journal.open} calls had no answer, long after the last fault`);
  const isSealed = await settleAll(parts, faults);
  await faults.rest();
  if (!isSealed) findings.add("settling", "not every receipt was sealed within five minutes");
  await journal.close();
  tellLines(parts, faults);
  const figures = figuresOfRun(parts, faults, inTime);
  writeRun(out, await describe(parts, faults));
  const oracle = await parts.judge(out, options.url === undefined ? null : options.key);
  return conclude(parts, figures, oracle);
}

function readingOf(parts: RunParts, ending: AbortSignal, over: AbortSignal): ReaderParts {
  const { target, options } = parts;
  const trustAnchorsPem = readFileSync(target.trustAnchorsFile, "utf8");
  const random = randomOf(seedOf(options.seed, "readers"));
  return {
    ...parts,
    ...target,
    trustAnchorsPem,
    trustAnchors: parseCertificatesPem(trustAnchorsPem),
    random,
    ending,
    over,
  };
}

async function allDelivered({ world }: HammerTarget): Promise<void> {
  if (world === null) return;
  // The counts come twice a second: the first that come after this line count.
  do await sleep(2 * HELD_PAUSE_MS);
  while (world.counts.held > 0);
}

function settleAll({ target, journal }: RunParts, faults: FaultMaker): Promise<boolean> {
  let waiting = 0;
  const line = new LiveLine(process.stdout, () => `settling: ${waiting} receipts are not sealed yet`);
  const tenants = [...target.tenants, ...faults.guests];
  const onWaiting = (receipts: number): void => {
    waiting = receipts;
  };
  return settle({ url: target.url, tenants, journal, onWaiting }).finally(() => line.stop());
}

/** The findings that processes of the service logged themselves. */
function tellLines({ target: { world }, findings }: RunParts, faults: FaultMaker): void {
  if (world === null) return;
  for (const finding of world.lines.findings) findings.add("a process", finding);
  const killed = world.of("seal").reduce((sum, { kills }) => sum + kills, 0);
  const unsaid = world.counts.shownOtherBytes - world.lines.conflicts;
  // A sealer that is killed in that moment says nothing.
  if (faults.isOn && unsaid > killed)
    findings.add("a sealer", `it did not refuse other bytes ${unsaid} times`);
}

function figuresOfRun(
  { measures, journal, target: { world } }: RunParts,
  faults: FaultMaker,
  inTime: FigureSources["inTime"],
): RunFigures {
  return figuresOf({
    measures,
    inTime,
    receipts: journal.receipts,
    openCalls: journal.open,
    lostRaces: world?.lines.total("lostRaces") ?? null,
    counts: world?.counts ?? null,
    driverFaults: faults.made,
  });
}

async function describe(parts: RunParts, faults: FaultMaker): Promise<RunDescription> {
  const { target, options, startedAt, findings, conversations } = parts;
  const { log } = parseHead(await openMetachain(target.url).head());
  return {
    url: target.url,
    options,
    startedAt,
    endedAt: new Date(),
    tenants: [...target.tenants, ...faults.guests],
    trustAnchorsFile: target.trustAnchorsFile,
    logVkey: log?.vkey ?? null,
    witnessKeys: target.world === null ? [] : [target.world.witnessKey],
    erased: conversations.erased.map(({ tenant, interactionId }) => ({
      tenant: tenant.index,
      interaction_id: interactionId,
    })),
    findings: findings.kept,
  };
}

function conclude({ options, out, findings }: RunParts, figures: RunFigures, oracle: OracleAnswer): boolean {
  const holds = oracle.holds && findings.count === 0;
  const { key: _, ...shown } = options;
  const { verdict } = oracle;
  writeResult(out, {
    seed: options.seed,
    options: shown,
    figures,
    findings: findings.kept,
    oracle: verdict,
    holds,
  });
  writePicture(out, renderPicture({ title: titleOf(options), figures }));
  console.log(`\n${renderTable({ figures, findings: findings.kept, verdict, holds })}`);
  console.log(`seed ${options.seed}, results in ${join(out, "/")}`);
  return holds;
}

const titleOf = ({ callers, tenants, processes, faults, seed, url }: HammerOptions): string => {
  const where =
    url === undefined ? `${processes} processes, ${faults.length} kinds of faults` : new URL(url).host;
  return `${callers} callers, ${tenants} tenants, ${where}, seed ${seed}`;
};

function liveLine(
  { measures, journal, target, findings }: RunParts,
  faults: FaultMaker,
  lag: SealLag,
): string {
  const { seconds, statuses, retries, byKind } = measures;
  const made = Object.values({ ...byName(target.world?.counts.faults ?? {}), ...faults.made });
  const ms = (share: number): string => `${byKind.attest.quantile(share)?.toFixed(0) ?? "–"} ms`;
  return [
    `${seconds.toFixed(0)} s`,
    `${journal.receipts} receipts`,
    `${(journal.receipts / Math.max(1, seconds)).toFixed(0)}/s`,
    `p50 ${ms(1 / 2)}`,
    `p99 ${ms(0.99)}`,
    `${retries} retries`,
    `${statuses[503] ?? 0} × 503`,
    `${made.reduce((sum, count) => sum + count, 0)} faults`,
    `sealed ${lag.seconds === null ? "–" : `${lag.seconds.toFixed(0)} s`} ago`,
    ...(findings.count === 0 ? [] : [`${findings.count} FOUND`]),
  ].join(", ");
}
