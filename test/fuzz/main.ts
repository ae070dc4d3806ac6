// `npm run fuzz -- [--minutes N] [--seed N] [--only NAME]`: the targets of `npm test`, and the verifier in Python beside
// ours, round after round until the time is over. Each round has its own seed, which is printed.
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";
import { TARGETS } from "./targets/all.ts";
import { apiTarget } from "./targets/api.ts";
import { companionsTarget } from "./targets/companions.ts";
import { pythonTarget } from "./targets/python.ts";

const DEFAULT_MINUTES = "10";
const USAGE = 2;
const MINUTE_MS = 60_000;
const MAX_SEED = 2 ** 31 - 1;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: DEFAULT_MINUTES },
    seed: { type: "string" },
    only: { type: "string" },
  },
});

function refuse(message: string): never {
  console.error(message);
  return process.exit(USAGE);
}

function readNumber(name: string, text: string, most: number): number {
  const number = Number(text);
  if (text.trim() !== "" && number >= 0 && number <= most) return number;
  return refuse(`--${name} must be a number from 0 to ${most}`);
}

/** Schemathesis needs tools of others and minutes for itself: it runs where it is asked for. */
const known = [...TARGETS, companionsTarget, pythonTarget, apiTarget];
const { only } = values;
const targets = known.filter(({ name }) => (only === undefined ? name !== apiTarget.name : name === only));
if (targets.length === 0) refuse(`--only must be one of ${known.map(({ name }) => name).join(", ")}`);

const isSound = await fuzz(targets, {
  seed: readNumber("seed", values.seed ?? String(Date.now() % MAX_SEED), MAX_SEED),
  untilMs: Date.now() + readNumber("minutes", values.minutes, Number.MAX_SAFE_INTEGER) * MINUTE_MS,
});
process.exitCode = isSound ? 0 : 1;
