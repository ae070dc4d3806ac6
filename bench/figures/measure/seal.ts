// Sealing chains that have news: time, calls and memory, by how many chains there are.
import { SEALER_SECONDS } from "../../../contract/limits.ts";
import { SECOND_MS } from "../../../contract/time.ts";
import { type Cell, columnsOf, type Figure, figureOf, type Measure } from "../result.ts";
import { type Sealed, SealWorld } from "../seal-world.ts";

const CHAINS = { whole: [1, 1_000, 100_000], short: [1, 200] };
const MOST_MEMORY_MB = 512;
const READS = ["Query", "GetItem", "BatchGetItem"];
const WRITES = ["TransactWriteItems", "UpdateItem", "PutItem"];

interface ChainsSealed extends Sealed {
  readonly chains: number;
  readonly kind: "first seals" | "next seals";
}

export const measure: Measure = async ({ isQuick, progress }) => {
  const all: ChainsSealed[] = [];
  for (const chains of isQuick ? CHAINS.short : CHAINS.whole) {
    // A world of its own: news of the rows before would be visited once more.
    const world = await SealWorld.start();
    try {
      for (const kind of ["first seals", "next seals"] as const) {
        progress(`${chains} chains, ${kind}: a receipt on each`);
        await world.grow(chains);
        const sealed = { chains, kind, ...(await world.seal(chains)) };
        progress(`sealed in ${secondsOf(sealed).toFixed(2)} s and ${sealed.runs.length} calls`);
        all.push(sealed);
      }
    } finally {
      await world.stop();
    }
  }
  return { columns: COLUMNS, rows: all.map(cellsOf), figures: figuresOf(all) };
};

const COLUMNS = columnsOf(
  "what: text",
  "chains: count",
  "until all are sealed: s",
  "calls of the function: count",
  "a chain: ms",
  "processor time of it: ms",
  "reads of the table: count",
  "writes: count",
  "other calls: count",
  "memory, at the highest: MB",
  "looking again, nothing new: s",
);

const secondsOf = ({ runs }: ChainsSealed): number => runs.reduce((sum, { ms }) => sum + ms, 0) / SECOND_MS;

/** Calls of all runs whose name is in the list, or is not in it. */
const callsOf = ({ runs }: ChainsSealed, isWanted: (name: string) => boolean): number =>
  runs
    .flatMap(({ calls }) => Object.entries(calls))
    .reduce((sum, [name, count]) => (isWanted(name) ? sum + count : sum), 0);

const memoryOf = ({ runs, again }: ChainsSealed): number | null => {
  const found = [...runs, again].map(({ highestMb }) => highestMb).filter((mb) => mb !== null);
  return found.length === 0 ? null : Math.max(...found);
};

const cellsOf = (sealed: ChainsSealed): Cell[] => [
  sealed.kind,
  sealed.chains,
  secondsOf(sealed),
  sealed.runs.length,
  (secondsOf(sealed) * SECOND_MS) / sealed.chains,
  sealed.runs.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / sealed.chains,
  callsOf(sealed, (name) => READS.includes(name)),
  callsOf(sealed, (name) => WRITES.includes(name)),
  callsOf(sealed, (name) => !READS.includes(name) && !WRITES.includes(name)),
  memoryOf(sealed),
  sealed.again.ms / SECOND_MS,
];

function figuresOf(all: readonly ChainsSealed[]): Figure[] {
  const next = all.filter(({ kind }) => kind === "next seals");
  const [one, most] = [next[0], next.at(-1)];
  if (one === undefined || most === undefined) throw new Error("nothing was sealed");
  const [seconds, memory] = [secondsOf(most), memoryOf(most)];
  const of = `${most.chains} chains`;
  return [
    figureOf(`next seals of ${of}`, seconds, "s", { atMost: SEALER_SECONDS }),
    figureOf(`the sealer's process with ${of}, at the highest`, memory, "MB", { atMost: MOST_MEMORY_MB }),
    figureOf(
      `a chain among ${most.chains} against one alone`,
      seconds / most.chains / secondsOf(one),
      "times",
    ),
  ];
}
