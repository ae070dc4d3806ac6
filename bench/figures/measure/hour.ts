// The local process under 64 callers for an hour: its memory and its pace, every five minutes. What grows with age shows here.
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";
import { MINUTE_SECONDS } from "../../../contract/time.ts";
import { DISCLOSURE } from "../../disclosure.ts";
import { attestCalls, type LoadSeen, runCallers } from "../callers.ts";
import { startLocalProcess, takenBy } from "../local-process.ts";
import { type Cell, columnsOf, type Figure, figureOf, type Measure, ratioOf } from "../result.ts";

const CALLERS = 64;
const SPANS = { whole: { count: 12, seconds: 300 }, short: { count: 3, seconds: 1 } };
const MOST_MEMORY_MB = 300;

interface SpanSeen extends LoadSeen {
  readonly minutes: number;
  /** Since the beginning. */
  readonly receipts: number;
  readonly memoryMb: number | null;
  readonly highestMb: number | null;
}

export const measure: Measure = async ({ isQuick, progress }) => {
  const { count, seconds } = SPANS[isQuick ? "short" : "whole"];
  const local = await startLocalProcess();
  const seen: SpanSeen[] = [];
  try {
    const { apiKey } = await local.newTenant("an-hour", { chains: 1, isStamped: true });
    const url = local.url + ATTESTATION_PATH;
    let receipts = 0;
    while (seen.length < count) {
      const nextCall = attestCalls(apiKey, DISCLOSURE);
      const load = await runCallers({ url, callers: CALLERS, warmUpSeconds: 0, seconds, nextCall });
      receipts += load.perSecond * seconds;
      const { memoryMb = null, highestMb = null } = takenBy(local.pid) ?? {};
      const minutes = ((seen.length + 1) * seconds) / MINUTE_SECONDS;
      seen.push({ ...load, minutes, receipts: Math.round(receipts), memoryMb, highestMb });
      progress(`${minutes} min, ${Math.round(receipts)} receipts, ${memoryMb?.toFixed(0)} MB`);
    }
  } finally {
    await local.stop();
  }
  return { columns: COLUMNS, rows: seen.map(cellsOf), figures: figuresOf(seen) };
};

const COLUMNS = columnsOf(
  "minutes: count",
  "receipts so far: count",
  "attestations: /s",
  "p50: ms",
  "p99: ms",
  "memory: MB",
  "at the highest: MB",
);

const cellsOf = ({ minutes, receipts, perSecond, p50, p99, memoryMb, highestMb }: SpanSeen): Cell[] => [
  minutes,
  receipts,
  perSecond,
  p50,
  p99,
  memoryMb,
  highestMb,
];

function figuresOf(seen: readonly SpanSeen[]): Figure[] {
  const [first, last] = [seen[0], seen.at(-1)];
  const grown = ratioOf(last?.memoryMb, first?.memoryMb);
  return [
    figureOf("the local process, at the highest", last?.highestMb, "MB", { atMost: MOST_MEMORY_MB }),
    figureOf("its memory at the end against that after the first span", grown, "times"),
    figureOf("receipts of the run", last?.receipts, "count"),
  ];
}
