// The deployment that an operator's command is for: one in AWS, or the local stack that runs on a data folder.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  LOCAL_DEPLOYMENT_FILE,
  type LocalDeployment,
  localDeploymentSchema,
} from "../../../contract/deployment.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { parseDeployment } from "../../../service/deployment.ts";
import { connectAws, connectLocal, type Operator } from "../../../service/operator.ts";
import { calledAs, readArguments, UsageError } from "../command.ts";
import { shellWord } from "../output/shell-word.ts";

const DEFAULT_NAME = "disclosure-receipts";
const DEFAULT_FOLDER = ".data";

const TARGET_OPTIONS = {
  local: { type: "string" },
  name: { type: "string" },
  region: { type: "string" },
  profile: { type: "string" },
  json: { type: "boolean" },
} as const;

export interface TargetValues {
  readonly local?: string | undefined;
  readonly name?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

/** As `readArguments`. `--local` without a folder means the default one. */
export function readAdminArguments<const T extends Parameters<typeof readArguments>[1]>(
  args: readonly string[],
  options: T,
) {
  const written = args.map((arg) => (arg === "--local" ? `--local=${defaultFolder()}` : arg));
  return readArguments(written, { ...TARGET_OPTIONS, ...options });
}

const defaultFolder = (): string => process.env.DATA_DIR ?? DEFAULT_FOLDER;

/** An `admin` command on the same deployment, as a person can paste it. */
export function pasteable(command: string, { local, name, region, profile }: TargetValues): string {
  const options = Object.entries({ local, name, region, profile }).flatMap(([option, value]) =>
    value === undefined
      ? []
      : [option === "local" && value === defaultFolder() ? "--local" : shellWord(`--${option}=${value}`)],
  );
  return [calledAs(), "admin", command, ...options].join(" ");
}

/** Runs `work` on the deployment. Throws `misconfigured`, in one line that says what to do, where there is none. */
export async function onTarget<T>(
  values: TargetValues,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const operator = await openTarget(values);
  try {
    return await work(operator);
  } finally {
    operator.close();
  }
}

async function openTarget({ local, name, region, profile }: TargetValues): Promise<Operator> {
  if (local !== undefined) {
    if (name !== undefined || region !== undefined || profile !== undefined)
      throw new UsageError("--local is no deployment in AWS: it goes without --name, --region and --profile");
    return connectLocal(readLocal(local));
  }
  return connectAws({
    name: name ?? DEFAULT_NAME,
    ...(region !== undefined && { region }),
    ...(profile !== undefined && { profile }),
  });
}

/** The local stack that runs on a data folder. Throws `misconfigured` where no stack runs on it. */
export function readLocal(folder: string): LocalDeployment {
  const file = join(folder, LOCAL_DEPLOYMENT_FILE);
  const text = existsSync(file) ? readFileSync(file, "utf8") : null;
  const deployment =
    text === null ? null : parseDeployment(localDeploymentSchema, text, `local stack on ${folder}`);
  // A stack that was killed leaves its file behind.
  if (deployment !== null && isRunning(deployment.pid)) return deployment;
  const message = `no local stack runs on the data folder ${folder}; start one with: npm start`;
  throw new DisclosureError("misconfigured", message);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
