// The page of the hammer's long runs: one row a seed, as the runs' own results have it. Pure.
import * as z from "zod";
import { table } from "../../markdown.ts";

const checkSchema = z.object({ name: z.string(), count: z.int(), found: z.int() });

/** The parts of a run's result.json that the page shows. */
export const runResultSchema = z.object({
  date: z.iso.datetime(),
  machine: z.string(),
  commit: z.string().nullable(),
  seed: z.int(),
  options: z.object({
    minutes: z.number(),
    callers: z.int(),
    tenants: z.int(),
    chains: z.int(),
    processes: z.int(),
    faults: z.array(z.string()),
  }),
  figures: z.object({
    attestations: z.int(),
    perSecond: z.number(),
    openCalls: z.int(),
    kinds: z.array(
      z.object({ kind: z.string(), calls: z.int(), p50: z.number().nullable(), p99: z.number().nullable() }),
    ),
    retries: z.int(),
    lostRaces: z.int().nullable(),
    faults: z.record(z.string(), z.int()),
  }),
  findings: z.array(z.unknown()),
  oracle: z.object({ checks: z.array(checkSchema) }).nullable(),
  holds: z.boolean(),
});

export type RunResult = z.infer<typeof runResultSchema>;

const HEAD = [
  "seed",
  "receipts",
  "a second",
  "attest p50, ms",
  "p99, ms",
  "retries",
  "lost races",
  "faults met",
  "evidence read and verified",
  "facts checked by the oracle",
  "lost, doubled or reordered",
  "other findings",
  "date, commit, machine",
];
/** The checks of the oracle by which a receipt would be lost, doubled or in another place. */
const PLACE_CHECKS = ["one key, one receipt", "none lost", "none doubled", "sizes", "links", "conversations"];
const ATTEST = "attest";

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const whole = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : Math.round(value).toLocaleString("en-US");

/** Throws for a run that no oracle has judged: it is no result. */
export function renderRuns(runs: readonly RunResult[]): string {
  const bySeed = runs.toSorted((a, b) => a.seed - b.seed);
  return table(HEAD, bySeed.map(rowOf), HEAD.length - 2);
}

function rowOf({ seed, figures, findings, oracle, date, commit, machine }: RunResult): string[] {
  if (oracle === null) throw new Error(`no oracle has judged the run of seed ${seed}`);
  const attest = figures.kinds.find(({ kind }) => kind === ATTEST);
  const reads = figures.kinds.filter(({ kind }) => kind !== ATTEST).map(({ calls }) => calls);
  const found = (isOfPlace: boolean): number =>
    sum(
      oracle.checks
        .filter(({ name }) => PLACE_CHECKS.includes(name) === isOfPlace)
        .map((check) => check.found),
    );
  return [
    String(seed),
    whole(figures.attestations),
    figures.perSecond.toFixed(1),
    whole(attest?.p50),
    whole(attest?.p99),
    whole(figures.retries),
    whole(figures.lostRaces),
    whole(sum(Object.values(figures.faults))),
    whole(sum(reads)),
    whole(sum(oracle.checks.map(({ count }) => count))),
    String(found(true)),
    String(Math.max(found(false), findings.length)),
    `${date.slice(0, 10)}, ${commit ?? "unknown"}, ${machine}`,
  ];
}
