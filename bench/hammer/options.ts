// The options of a run, as they are given on the command line.
import { parseArgs } from "node:util";
import * as z from "zod";
import { FAULT_NAMES, FAULTS, type FaultName, isFaultName } from "./faults/names.ts";

const MAX_SEED = 2 ** 31;
const MAX_MINUTES = 24 * 60;
const MAX_CALLERS = 4_096;
const MAX_TENANTS = 256;
const MAX_CHAINS_OF_A_TENANT = 256;
const MAX_PROCESSES = 64;
const ALL = "all";
const NONE = "none";
/** In a deployment the keys are the tenants, and the rest is its own. */
const OF_THIS_MACHINE = ["tenants", "chains", "processes"] as const;

const number = (min: number, max: number, what: string) =>
  z
    .string()
    .regex(/^\d+(?:\.\d+)?$/, `must be ${what}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be ${what}`);
const whole = (max: number) =>
  number(1, max, `a whole number from 1 to ${max}`).refine(Number.isInteger, "must be a whole number");

const faults = z.string().transform((text, context): readonly FaultName[] => {
  if (text === NONE) return [];
  if (text === ALL) return FAULT_NAMES;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !isFaultName(name));
  if (unknown === undefined) return FAULT_NAMES.filter((name) => names.includes(name));
  context.addIssue({ code: "custom", message: `there is no fault "${unknown}": see --help` });
  return z.NEVER;
});

const optionsSchema = z
  .object({
    minutes: number(0, MAX_MINUTES, `a number from 0 to ${MAX_MINUTES}`).default(1),
    callers: whole(MAX_CALLERS).default(64),
    tenants: whole(MAX_TENANTS).default(4),
    chains: whole(MAX_CHAINS_OF_A_TENANT).default(1),
    processes: whole(MAX_PROCESSES).default(2),
    faults: faults.default([]),
    seed: number(0, MAX_SEED, `a whole number up to ${MAX_SEED}`)
      .refine(Number.isInteger, "must be a whole number")
      .default(() => Math.floor(Math.random() * MAX_SEED)),
    out: z.string().min(1, "must name a folder").optional(),
    url: z
      .url({ protocol: /^https?$/, error: "must be an address with http or https" })
      .refine(
        (url) => URL.parse(url)?.href === URL.parse("/", url)?.href,
        "must be an address without a path",
      )
      .optional(),
    key: z.array(z.string().min(1)).default([]),
  })
  .refine(({ url, key }) => (url === undefined) === (key.length === 0), {
    path: ["key"],
    message: "goes together with --url: one for each tenant that is to call",
  })
  .refine(({ url, faults: names }) => url === undefined || names.length === 0, {
    path: ["faults"],
    message: "can't be made in a deployment that is called by its URL",
  });

export type HammerOptions = z.infer<typeof optionsSchema>;

/** A wrong command line: one line for the person who typed it. */
export class WrongOptions extends Error {}

/** Null where help is asked for. Throws `WrongOptions`. */
export function readOptions(args: readonly string[]): HammerOptions | null {
  const values = parse(args);
  if (values.help === true) return null;
  const { help: _, ...given } = values;
  const { success, data, error } = optionsSchema.safeParse(given);
  const local = OF_THIS_MACHINE.find((name) => given.url !== undefined && given[name] !== undefined);
  if (local !== undefined)
    throw new WrongOptions(`--${local} is for a service on this machine, not for --url`);
  if (success) return data.url === undefined ? data : { ...data, tenants: data.key.length };
  const [issue] = error.issues;
  throw new WrongOptions(`--${issue?.path.join(".")} ${issue?.message}`);
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    minutes: text,
    callers: text,
    tenants: text,
    chains: text,
    processes: text,
    faults: text,
    seed: text,
    out: text,
    url: text,
    key: { type: "string", multiple: true },
    help: { type: "boolean" },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new WrongOptions(error instanceof Error ? error.message : String(error));
  }
}

const width = Math.max(...FAULT_NAMES.map(({ length }) => length));

export const HELP = `Usage: npm run hammer -- [options]

Calls a service from many sides for some minutes, with faults if you want them,
and then has an oracle that shares no code with it judge all that it recorded.

  --minutes N     how long callers call (1)
  --callers N     callers at once (64)
  --tenants N     tenants that they belong to (4)
  --chains N      chains of each tenant at the beginning (1)
  --processes N   processes that record disclosures (2)
  --faults LIST   none, all, or names with commas between them (none)
  --seed N        what is by chance follows from it (a new one)
  --out DIR       the folder of the results (a new one in the temporary folder)
  --url URL       a deployment to call, in place of one on this machine; what is
                  recorded there stays, and is billed
  --key KEY|@FILE an API key of it with the scopes attest and report; repeatable,
                  one for each tenant, for whom nobody else records meanwhile

Faults:
${FAULT_NAMES.map((name) => `  ${name.padEnd(width)}  ${FAULTS[name].meaning}`).join("\n")}

Exit status: 0 nothing was found, 1 something was, 2 it could not run.`;
