// `node bench/figures/million.ts [--kept FOLDER] [--quick]`: builds the data folder with chains of a thousand to a million
// receipts that other benches read. A local stack runs on it and seals meanwhile; the receipts are planned by the
// service's own planner and written in full transactions. A folder that is whole is left as it is.
import { execFileSync } from "node:child_process";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ATTESTATION_PATH } from "../../contract/public-paths.ts";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import { RECEIPT_FORMAT_VERSION } from "../../evidence/core/formats/receipt.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import { readSettings } from "../../host/local/settings.ts";
import { startStack } from "../../host/local/stack.ts";
import type { Chain } from "../../service/ledger/chain.ts";
import { listChains } from "../../service/ledger/tenant-chains.ts";
import { openMacs, openTable } from "../../service/opening/connections.ts";
import { EffectiveLayers } from "../../service/policy/effective-layers.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { DISCLOSURE } from "../disclosure.ts";
import { readProgramWords } from "../program-words.ts";
import { newTenant } from "./local-process.ts";
import { PlannedChain, type PlannedTransaction } from "./planned-chain.ts";

/** The local stack's file of all items. */
const LEDGER_FILE = "ledger.sqlite";
const SIZES = { whole: [1_000, 10_000, 100_000, 1_000_000], short: [100, 1_000, 10_000] };
/** Raise it where a folder that was built before would not do. */
const WORLD_VERSION = 1;
const SEAL_SECONDS = 1;
const SEALED_POLL_MS = 500;
const PROGRESS_MS = 5_000;

/** A chain of the data folder, the only one of its tenant. */
export interface KeptChain {
  readonly size: number;
  readonly tenantId: string;
  readonly apiKey: string;
  readonly tenantAnchor: string;
  readonly chainId: string;
}

/** The data folder and what is in it. */
export interface KeptWorld {
  readonly version: string;
  readonly seconds: number;
  readonly chains: readonly KeptChain[];
}

const VERSION = `${WORLD_VERSION}/${RECEIPT_FORMAT_VERSION}`;

/** The folder, which is built where it is not there. Its ledger is in the system's cache then: no disk is measured. */
export async function openKeptWorld(
  kept: string,
  isQuick: boolean,
  progress: (line: string) => void,
): Promise<{ readonly folder: string; readonly world: KeptWorld }> {
  const folder = folderIn(kept, isQuick);
  if (readWorld(folder)?.version !== VERSION) {
    progress(`builds ${folder}`);
    // In a process of its own: the handlers of a stack are bound to it, and the bench starts another one.
    const words = [import.meta.filename, "--kept", kept, ...(isQuick ? ["--quick"] : [])];
    execFileSync(process.execPath, words, { stdio: "inherit" });
  }
  const world = readWorld(folder);
  if (world === null) throw new Error(`${folder} was not built`);
  for await (const _chunk of createReadStream(join(folder, LEDGER_FILE)));
  return { folder, world };
}

const folderIn = (kept: string, isQuick: boolean): string => join(kept, isQuick ? "chains-short" : "chains");

/** Builds the folder unless it is whole. */
async function keep(kept: string, isQuick: boolean): Promise<KeptWorld> {
  const folder = folderIn(kept, isQuick);
  const known = readWorld(folder);
  if (known?.version === VERSION) return known;
  // A build that was cut off leaves its folder under another name, and is begun anew.
  const building = `${folder}.part`;
  for (const old of [folder, building]) rmSync(old, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  const world = await build(building, isQuick ? SIZES.short : SIZES.whole, console.log);
  writeFileSync(fileIn(building), `${JSON.stringify(world, null, 2)}\n`);
  renameSync(building, folder);
  return world;
}

const fileIn = (folder: string): string => join(folder, "bench.json");

const readWorld = (folder: string): KeptWorld | null =>
  existsSync(fileIn(folder)) ? (JSON.parse(readFileSync(fileIn(folder), "utf8")) as KeptWorld) : null;

async function build(
  folder: string,
  sizes: readonly number[],
  progress: (line: string) => void,
): Promise<KeptWorld> {
  const began = performance.now();
  const settings = {
    PORT: "0",
    CONSOLE: "false",
    LOG_LEVEL: "ERROR",
    SEAL_INTERVAL_SECONDS: `${SEAL_SECONDS}`,
  };
  const stack = await startStack(readSettings({ ...settings, DATA_DIR: folder }));
  try {
    const chains: KeptChain[] = [];
    for (const size of sizes) chains.push(await buildChain(size, progress));
    for (const chain of chains) await untilSealed(stack.url, chain);
    const seconds = Math.round((performance.now() - began) / 1_000);
    progress(`built in ${seconds} s`);
    return { version: VERSION, seconds, chains };
  } finally {
    await stack.stop();
  }
}

async function buildChain(size: number, progress: (line: string) => void): Promise<KeptChain> {
  const table = openTable();
  const tenantId = `receipts-${size}`;
  const { apiKey } = await newTenant(table, tenantId, { chains: 1, isStamped: true });
  const tenantAnchor = await new TenantRegistry(table, table.clock).anchor(tenantId);
  const chain = firstOf(listChains({ tenantAnchor, chains: 1 }));
  const layers = new EffectiveLayers(table, policyLayers);
  const rules = await layers.rulesFor({ ownWordings: null, isPreview: false }, DISCLOSURE.jurisdiction);
  const { clock } = table;
  const planned = new PlannedChain({ tenantId, chain, macs: openMacs(table), rules, hasKeys: false, clock });
  let told = performance.now();
  // The next transaction is planned while the engine has this one.
  let next: PlannedTransaction | null = await planned.next(size);
  while (next !== null) {
    const writing = table.transact(next.writes, next.token);
    const left: number = size - planned.size;
    next = left === 0 ? null : await planned.next(left);
    const { kind } = await writing;
    if (kind !== "committed") throw new Error(`a transaction of the build was ${kind}`);
    if (performance.now() - told < PROGRESS_MS) continue;
    progress(`${planned.size} of ${size} receipts`);
    told = performance.now();
  }
  return { size, tenantId, apiKey, tenantAnchor, chainId: chain.chainId };
}

function firstOf(chains: readonly Chain[]): Chain {
  const [chain] = chains;
  if (chain === undefined) throw new Error("a tenant has a chain");
  return chain;
}

/** The id of one of a kept chain's receipts. */
export const eventIdOf = ({ chainId }: KeptChain, sequence: number): string =>
  formatEventId(chainId, { shard: 0, sequence });

/** Waits until a published root covers the chain's last receipt. */
async function untilSealed(url: string, chain: KeptChain): Promise<void> {
  const address = `${url}${ATTESTATION_PATH}/${eventIdOf(chain, chain.size - 1)}`;
  for (;;) {
    const response = await fetch(address, { headers: { authorization: `Bearer ${chain.apiKey}` } });
    const report = (await response.json()) as { merkle_proof?: { status?: string } };
    if (report.merkle_proof?.status === "included") return;
    await new Promise((resolve) => setTimeout(resolve, SEALED_POLL_MS));
  }
}

if (import.meta.main) {
  const help = `Usage: npx node bench/figures/million.ts [options]

Builds the chains that other benches read: minutes of work, and two gigabytes.

  --kept FOLDER  where they are kept (.data/bench)
  --quick        shorter chains`;
  const { values } = readProgramWords(help, {
    options: {
      kept: { type: "string", default: join(import.meta.dirname, "../../.data/bench") },
      quick: { type: "boolean", default: false },
    },
  });
  const world = await keep(values.kept, values.quick);
  console.log(
    `${folderIn(values.kept, values.quick)}: chains of ${world.chains.map(({ size }) => size).join(", ")} receipts, built in ${world.seconds} s`,
  );
  process.exit(0);
}
