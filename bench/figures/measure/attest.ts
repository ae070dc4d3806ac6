// Attestations of the local process over HTTP, and the engine's own ceiling, in turns.
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";
import { DISCLOSURE } from "../../disclosure.ts";
import { medianOf } from "../../measuring.ts";
import { attestCalls, type LoadSeen, runCallers } from "../callers.ts";
import { Ceiling } from "../ceiling.ts";
import { type BenchTenant, type LocalProcess, startLocalProcess, takenBy } from "../local-process.ts";
import { type Cell, columnsOf, type Figure, figureOf, type Measure } from "../result.ts";

const CALLERS = [1, 16, 64, 256];
const CHAINS = [1, 16];
/** The most transactions of one chain under way in a ceiling that knows all of them beforehand. */
const AT_ONCE = 4;
const PACES = {
  whole: { turns: 3, warmUpSeconds: 1, seconds: 4, ceilingMs: 1_500 },
  short: { turns: 1, warmUpSeconds: 0, seconds: 1, ceilingMs: 400 },
};
const LEAST_OF_CEILING = 0.85;
const MOST_P50_MS = 8;
const MOST_MEMORY_MB = 300;
/** The rows before any with more callers. */
const ROWS_OF_MEMORY = [1, 64];

interface Setup {
  readonly callers: number;
  readonly chains: number;
  readonly isStamped: boolean;
}

/** One turn, as its callers saw it, and the ceilings beside it. */
interface TurnSeen extends LoadSeen {
  readonly cpuMsACall: number;
  readonly inRow: number;
  readonly atOnce: number;
}

interface SetupSeen extends TurnSeen {
  readonly setup: Setup;
  readonly memoryMb: number;
  readonly ofRow: number;
  readonly ofAtOnce: number;
}

const SETUPS: readonly Setup[] = [
  ...[1, 64].map((callers) => ({ callers, chains: 1, isStamped: true })),
  ...CHAINS.flatMap((chains) => CALLERS.map((callers) => ({ callers, chains, isStamped: false }))),
];

const SHORT_SETUPS = SETUPS.filter(({ callers, chains }) => callers <= 64 && callers !== 16 && chains === 1);

export const measure: Measure = async ({ isQuick, progress }) => {
  const pace = isQuick ? PACES.short : PACES.whole;
  const local = await startLocalProcess();
  const ceiling = await Ceiling.start();
  const seen: SetupSeen[] = [];
  try {
    for (const setup of isQuick ? SHORT_SETUPS : SETUPS) {
      seen.push(await measureSetup(setup, { local, ceiling, pace }));
      progress(lineOf(seen.at(-1)));
    }
  } finally {
    await ceiling.stop();
    await local.stop();
  }
  return { columns: COLUMNS, rows: seen.map(cellsOf), figures: figuresOf(seen) };
};

interface Bench {
  readonly local: LocalProcess;
  readonly ceiling: Ceiling;
  readonly pace: (typeof PACES)["whole"];
}

async function measureSetup(setup: Setup, bench: Bench): Promise<SetupSeen> {
  const { callers, chains, isStamped } = setup;
  const tenant = await bench.local.newTenant(`t-${callers}-${chains}-${isStamped}`, { chains, isStamped });
  const turns: TurnSeen[] = [];
  while (turns.length < bench.pace.turns) turns.push(await measureTurn(setup, tenant, bench));
  const middle = (of: (turn: TurnSeen) => number): number => medianOf(turns.map(of));
  return {
    setup,
    memoryMb: takenBy(bench.local.pid)?.memoryMb ?? Number.NaN,
    perSecond: middle(({ perSecond }) => perSecond),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    cpuMsACall: middle(({ cpuMsACall }) => cpuMsACall),
    inRow: middle(({ inRow }) => inRow),
    atOnce: middle(({ atOnce }) => atOnce),
    ofRow: middle(({ perSecond, inRow }) => perSecond / inRow),
    ofAtOnce: middle(({ perSecond, atOnce }) => perSecond / atOnce),
  };
}

async function measureTurn(
  { callers, chains }: Setup,
  { apiKey }: BenchTenant,
  { local, ceiling, pace }: Bench,
): Promise<TurnSeen> {
  const before = takenBy(local.pid);
  const { warmUpSeconds, seconds, ceilingMs } = pace;
  const nextCall = attestCalls(apiKey, DISCLOSURE);
  const url = local.url + ATTESTATION_PATH;
  const load = await runCallers({ url, callers, warmUpSeconds, seconds, nextCall });
  const cpuMs = (takenBy(local.pid)?.cpuMs ?? Number.NaN) - (before?.cpuMs ?? Number.NaN);
  const cpuMsACall = cpuMs / (warmUpSeconds + seconds) / load.perSecond;
  const inRow = await ceiling.measure(chains, 1, ceilingMs);
  // Sixteen chains have more than four under way.
  const atOnce = chains < AT_ONCE ? await ceiling.measure(chains, AT_ONCE, ceilingMs) : inRow;
  return { ...load, cpuMsACall, inRow, atOnce };
}

const COLUMNS = columnsOf(
  "stamped in the call: text",
  "callers: count",
  "chains: count",
  "attestations: /s",
  "p50: ms",
  "p99: ms",
  "computing: ms",
  "memory: MB",
  "ceiling: /s",
  "of it: share",
  "ceiling, four at once: /s",
  "of it: share",
);

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

const cellsOf = ({ setup, ...seen }: SetupSeen): Cell[] => [
  setup.isStamped ? "yes" : "no",
  setup.callers,
  setup.chains,
  seen.perSecond,
  seen.p50,
  seen.p99,
  orNull(seen.cpuMsACall),
  orNull(seen.memoryMb),
  seen.inRow,
  seen.ofRow,
  seen.atOnce,
  seen.ofAtOnce,
];

function lineOf(seen: SetupSeen | undefined): string {
  if (seen === undefined) return "";
  const { setup, perSecond, p50, ofRow } = seen;
  const { callers, chains } = setup;
  return `${callers} callers, ${chains} chains: ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, ${(100 * ofRow).toFixed(0)} % of the ceiling`;
}

function figuresOf(seen: readonly SetupSeen[]): Figure[] {
  const at = (callers: number, chains: number, isStamped: boolean): SetupSeen | undefined =>
    seen.find(
      ({ setup }) => setup.callers === callers && setup.chains === chains && setup.isStamped === isStamped,
    );
  const [one, many] = [at(1, 1, false), at(64, 1, false)];
  const memory = Math.max(...ROWS_OF_MEMORY.map((callers) => at(callers, 1, false)?.memoryMb ?? Number.NaN));
  return [
    figureOf(
      "64 callers on one chain, of the ceiling of full batches that follow each other",
      many?.ofRow,
      "share",
      { atLeast: LEAST_OF_CEILING },
    ),
    figureOf("64 callers on one chain, of the ceiling of four full batches at once", many?.ofAtOnce, "share"),
    figureOf("one caller, p50", one?.p50, "ms", { atMost: MOST_P50_MS }),
    figureOf("the local process after its rows of up to 64 callers on one chain, at most", memory, "MB", {
      atMost: MOST_MEMORY_MB,
    }),
    figureOf("64 callers on one chain", many?.perSecond, "/s"),
  ];
}
