// `npm start` as a process of a bench, on a data folder, with tenants of the bench's own; and what the process takes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildLocal } from "../../build/local.ts";
import { LOCAL_DEPLOYMENT_FILE, type LocalDeployment } from "../../contract/deployment.ts";
import { OWN_PLAN } from "../../host/local/plans.ts";
import { openTable } from "../../service/opening/connections.ts";
import type { Table } from "../../service/table/table.ts";
import { ApiKeys } from "../../service/tenants/api-keys.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { SCOPES } from "../../service/tenants/tenants.ts";

const ROOT = join(import.meta.dirname, "../..");
/** The words of `npm start` after `node`: the bounds of the heap, and the program. */
const START_WORDS = startWords();
const READY = /^ready +(\S+)/;
const KB_PER_MB = 1_024;
/** /proc counts in the kernel's clock. */
const TICK_MS = 10;
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];

/** A tenant, and a key of it with all scopes. */
export interface BenchTenant {
  readonly tenantId: string;
  readonly apiKey: string;
}

export interface LocalProcess {
  readonly url: string;
  readonly pid: number;
  readonly newTenant: (tenantId: string, options: NewBenchTenant) => Promise<BenchTenant>;
  readonly stop: () => Promise<void>;
}

interface NewBenchTenant {
  readonly chains: number;
  /** True where its receipts get a token in the call, as they do unless an operator limits that. */
  readonly isStamped: boolean;
}

/** `variables` come on top of quiet settings. The folder is removed at the end unless it is given. */
export async function startLocalProcess(
  variables: Readonly<Record<string, string>> = {},
  folder: string | null = null,
): Promise<LocalProcess> {
  const data = folder ?? mkdtempSync(join(tmpdir(), "disclosure-receipts-bench-"));
  const settings = { DATA_DIR: data, PORT: "0", CONSOLE: "false", CALL_LINES: "false", LOG_LEVEL: "ERROR" };
  const env = { ...process.env, ...settings, ...variables };
  await buildLocal();
  const child = spawn(process.execPath, START_WORDS, {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await readyUrl(child);
  const table = openTableOf(data);
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    if (folder === null) rmSync(data, { recursive: true, force: true });
  };
  return { url, pid: child.pid ?? 0, stop, newTenant: (id, options) => newTenant(table, id, options) };
}

function startWords(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  return scripts.start.split(" ").slice(1);
}

async function readyUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the local process has no output");
  for await (const line of createInterface(child.stdout)) {
    const url = READY.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error("the local process ended before it was ready");
}

/** The table of a stack that runs, as the operator's command line reaches it. */
export function openTableOf(folder: string): Table {
  const file = join(folder, LOCAL_DEPLOYMENT_FILE);
  const { tableName, endpoints, accessKey } = JSON.parse(readFileSync(file, "utf8")) as LocalDeployment;
  Object.assign(process.env, {
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDb,
    TABLE_NAME: tableName,
  });
  return openTable();
}

export async function newTenant(
  table: Table,
  tenantId: string,
  { chains, isStamped }: NewBenchTenant,
): Promise<BenchTenant> {
  const registry = new TenantRegistry(table, table.clock);
  await registry.create({ tenantId, plan: OWN_PLAN, chains });
  if (!isStamped) await registry.setInlineStamps(tenantId, 0);
  const key = { tenantId, scopes: SCOPES, expiresAt: null };
  return { tenantId, apiKey: (await new ApiKeys(table, table.clock).create(key)).apiKey };
}

/** The processor time and memory of a process so far. */
export interface Taken {
  readonly cpuMs: number;
  /** Its resident set now, and at its highest. */
  readonly memoryMb: number;
  readonly highestMb: number;
}

/** Null where there is no /proc. */
export function takenBy(pid: number): Taken | null {
  if (!existsSync(`/proc/${pid}/stat`)) return null;
  // The name in parentheses may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mbOf = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / KB_PER_MB;
  return { cpuMs: ticks * TICK_MS, memoryMb: mbOf("VmRSS"), highestMb: mbOf("VmHWM") };
}
