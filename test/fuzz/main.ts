// `npm run fuzz`: the targets of `npm test`, and the verifier in Python beside ours, round after round until the time is
// over.
import { readProgramWords, refuseWords } from "../../bench/program-words.ts";
import { fuzz } from "./fuzz.ts";
import { TARGETS } from "./targets/all.ts";
import { apiTarget } from "./targets/api.ts";
import { companionsTarget } from "./targets/companions.ts";
import { pythonTarget } from "./targets/python.ts";

const DEFAULT_MINUTES = "10";
const MINUTE_MS = 60_000;
const MAX_SEED = 2 ** 31 - 1;

/** Schemathesis needs tools of others and minutes for itself: it runs where it is asked for. */
const known = [...TARGETS, companionsTarget, pythonTarget, apiTarget];

const HELP = `Usage: npm run fuzz -- [options]

Changes what readers read, by chance, round after round, and tells what no reader
may do. Each round has a seed of its own, which is printed.

  --minutes N   how long (${DEFAULT_MINUTES})
  --seed N      the first round's seed (a new one)
  --only NAME   one of ${known.map(({ name }) => name).join(", ")}

Exit status: 0 nothing was found, 1 something was, 2 it could not run.`;

const { values } = readProgramWords(HELP, {
  options: {
    minutes: { type: "string", default: DEFAULT_MINUTES },
    seed: { type: "string" },
    only: { type: "string" },
  },
});

function readNumber(name: string, text: string, most: number): number {
  const number = Number(text);
  if (text.trim() !== "" && number >= 0 && number <= most) return number;
  return refuseWords(`--${name} must be a number from 0 to ${most}`);
}

const { only } = values;
const targets = known.filter(({ name }) => (only === undefined ? name !== apiTarget.name : name === only));
if (targets.length === 0) refuseWords(`There is no target ${only}`);

const isSound = await fuzz(targets, {
  seed: readNumber("seed", values.seed ?? String(Date.now() % MAX_SEED), MAX_SEED),
  untilMs: Date.now() + readNumber("minutes", values.minutes, Number.MAX_SAFE_INTEGER) * MINUTE_MS,
});
process.exitCode = isSound ? 0 : 1;
