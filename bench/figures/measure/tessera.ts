// From a call until its inclusion proof is here: the local process and Tessera's POSIX log, in turns.
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";
import { DISCLOSURE } from "../../disclosure.ts";
import { medianOf } from "../../measuring.ts";
import { attestCalls, type LoadSeen, runCallers } from "../callers.ts";
import { startLocalProcess, takenBy } from "../local-process.ts";
import { type Cell, columnsOf, type Figure, figureOf, type Measure, type RunSettings } from "../result.ts";
import { buildTessera, startTessera, tesseraVersions } from "../tessera-process.ts";

const CALLERS = { whole: [1, 16, 64, 256], short: [1, 64] };
const PACES = {
  whole: { turns: 5, warmUpSeconds: 1, seconds: 4 },
  short: { turns: 1, warmUpSeconds: 0, seconds: 1 },
};
const NO_GO = "Tessera, for Go is not here";

/** A server with the calls that it takes. */
interface LogServer {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly apiKey: string;
}

interface ServerSeen {
  readonly callers: number;
  readonly name: string;
  readonly loads: readonly LoadSeen[];
  readonly memoryMb: number;
}

export const measure: Measure = async (settings) => {
  const versions = tesseraVersions();
  const local = await startLocalProcess();
  const other = versions === null ? null : await startTessera(buildTessera(settings.kept));
  try {
    const { apiKey } = await local.newTenant("plain", { chains: 1, isStamped: false });
    const subjects: LogServer[] = [
      { name: "attestation, one chain", url: local.url + ATTESTATION_PATH, pid: local.pid, apiKey },
      ...(other === null ? [] : [{ name: "Tessera", url: `${other.url}/add`, pid: other.pid, apiKey }]),
    ];
    const seen = await measureAll(subjects, settings);
    const skipped = versions === null ? [NO_GO] : [];
    return {
      columns: COLUMNS,
      rows: seen.map(cellsOf),
      figures: figuresOf(seen),
      skipped,
      versions: versions ?? {},
    };
  } finally {
    await other?.stop();
    await local.stop();
  }
};

async function measureAll(
  subjects: readonly LogServer[],
  { isQuick, progress }: RunSettings,
): Promise<ServerSeen[]> {
  const [pace, counts] = isQuick ? [PACES.short, CALLERS.short] : [PACES.whole, CALLERS.whole];
  const seen: ServerSeen[] = [];
  for (const callers of counts) {
    const loads = subjects.map((): LoadSeen[] => []);
    for (let turn = 0; turn < pace.turns; turn++) {
      for (const [i, { url, apiKey }] of subjects.entries())
        loads[i]?.push(
          await runCallers({ url, callers, ...pace, nextCall: attestCalls(apiKey, DISCLOSURE) }),
        );
    }
    for (const [i, { name, pid }] of subjects.entries()) {
      const row = { callers, name, loads: loads[i] ?? [], memoryMb: takenBy(pid)?.memoryMb ?? Number.NaN };
      seen.push(row);
      progress(`${callers} callers, ${name}: ${middle(row, ({ perSecond }) => perSecond).toFixed(0)}/s`);
    }
  }
  return seen;
}

const middle = ({ loads }: ServerSeen, of: (load: LoadSeen) => number): number => medianOf(loads.map(of));

const COLUMNS = columnsOf("what: text", "callers: count", "proofs: /s", "p50: ms", "p99: ms", "memory: MB");

const cellsOf = (row: ServerSeen): Cell[] => [
  row.name,
  row.callers,
  middle(row, ({ perSecond }) => perSecond),
  middle(row, ({ p50 }) => p50),
  middle(row, ({ p99 }) => p99),
  Number.isNaN(row.memoryMb) ? null : row.memoryMb,
];

/** Ratios of the medians of turns that were taken one after the other. */
function figuresOf(seen: readonly ServerSeen[]): Figure[] {
  return [...Map.groupBy(seen, ({ callers }) => callers)].flatMap(([callers, [ours, other]]) => {
    if (ours === undefined || other === undefined) return [];
    const ratio = (of: (load: LoadSeen) => number): number => middle(ours, of) / middle(other, of);
    const who = callers === 1 ? "one caller" : `${callers} callers`;
    return [
      figureOf(
        `${who}: attestations for each entry of Tessera's in the same time`,
        ratio(({ perSecond }) => perSecond),
        "times",
      ),
      figureOf(
        `${who}: wait for the proof against Tessera's, p50`,
        ratio(({ p50 }) => p50),
        "times",
      ),
    ];
  });
}
