// The places of the history's chains of which an export got no report: what a list leaves out is found by its number.
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { formatEventId } from "../../../evidence/core/formats/event-id.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../../evidence/core/timestamps/clock-difference.ts";
import { inOrder } from "../../../evidence/reader/in-order.ts";
import { gapsIn, type NumberRange } from "../../../evidence/reader/session/ranges.ts";
import type { HistoryFolder } from "../history/history-folder.ts";
import { readReport } from "./export-reports.ts";
import type { ReportClient, TimeRange } from "./report-client.ts";

/** Requests under way at a time. */
const WIDTH = 4;

/** Places of one chain that are in its history and have no report in the export. */
export interface LackingPlaces {
  readonly chainId: string;
  /** The service has a report, which its list left out. */
  readonly missing: readonly NumberRange[];
  /** It has none any more: they were removed, as it says. */
  readonly removed: readonly NumberRange[];
}

export interface LackingServices {
  readonly client: Pick<ReportClient, "report">;
  readonly history: Pick<HistoryFolder, "readIndex" | "readChain">;
}

export interface ListedReports {
  /** The numbers of the reports that the export has, by chain. */
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  readonly range: TimeRange;
  /** When the list was asked for. */
  readonly listedAt: Date;
}

/** Compares an export with the history, and asks for each receipt that it lacks by its number. */
export async function findLacking(
  { client, history }: LackingServices,
  { numbers, range, listedAt }: ListedReports,
): Promise<LackingPlaces[]> {
  const found: LackingPlaces[] = [];
  for (const { chain_id: chainId, shard } of (await history.readIndex())?.chains ?? []) {
    const { size } = (await history.readChain(chainId)).history;
    const own = numbers.get(chainId) ?? [];
    const last = own.at(-1) ?? -1;
    const ask = async (sequence: number) => {
      const event_id = formatEventId(chainId, { shard, sequence });
      const bytes = await client.report(event_id);
      const report = bytes && readReport(bytes, { event_id });
      return { sequence, isRemoved: report === null, isDue: sequence < last || isOlder(report, listedAt) };
    };
    const [missing, removed]: [number[], number[]] = [[], []];
    for await (const { sequence, isRemoved, isDue } of inOrder(lackingOf(own, size, range), WIDTH, ask)) {
      if (isRemoved) removed.push(sequence);
      else if (isDue) missing.push(sequence);
    }
    if (missing.length + removed.length > 0)
      found.push({ chainId, missing: inRanges(missing), removed: inRanges(removed) });
  }
  return found;
}

/** A receipt that was recorded while the list was read may be sealed already, and is in the next export. */
function isOlder(report: ComplianceReceipt | null, listedAt: Date): boolean {
  const issuedAt = report?.receipts[0]?.issued_at;
  return issuedAt !== undefined && Date.parse(issuedAt) < listedAt.getTime() - MAX_CLOCK_DIFFERENCE_MS;
}

/** With an end of a range of time, nothing is asked for beyond the chain's listed receipts, which are in the order of time. */
function lackingOf(own: readonly number[], size: number, { from, to }: TimeRange): number[] {
  if (own.length === 0 && (from !== undefined || to !== undefined)) return [];
  const start = from === undefined ? 0 : (own[0] ?? 0);
  const behind = to === undefined ? [size] : [];
  const gaps = gapsIn([...own.filter((number) => number < size), ...behind], start);
  return gaps.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
}

/** Numbers that ascend, as ranges. */
function inRanges(numbers: readonly number[]): NumberRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges;
}
