// Many chains with news, what a sealer needs beside them, and the sealer in a process of its own.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { policyLayers } from "../../evidence/policy/index.ts";
import { startDynamoDb } from "../../host/local/dynamodb.ts";
import { startKeyService } from "../../host/local/key-service.ts";
import { startObjectStore } from "../../host/local/object-store.ts";
import { startTimestampAuthority } from "../../host/local/timestamp-authority.ts";
import { openTable } from "../../service/opening/connections.ts";
import { EffectiveLayers } from "../../service/policy/effective-layers.ts";
import { readMetachainHead } from "../../service/seals/metachain-entry.ts";
import type { Table } from "../../service/table/table.ts";
import { ensureTable } from "../../service/table/table-schema.ts";
import { DEPLOYED_ENVIRONMENT, TABLE_NAME } from "../deployed-environment.ts";
import { DISCLOSURE } from "../disclosure.ts";
import { DAY_KEY } from "./engine-text.ts";
import { PlannedChain } from "./planned-chain.ts";
import type { SealerRun } from "./seal-process.ts";

const PROGRAM = join(import.meta.dirname, "seal-process.ts");
const HEAP_MB = 512;
/** Leaf, turn and marker of each chain's new receipt in a transaction of a hundred items. */
const CHAINS_PER_TRANSACTION = 33;
const ID_HEX = 32;
const NOTHING_NEW = "nothing_new";

interface WorldPart {
  readonly close: () => Promise<void>;
}

/** The runs that sealed all news, and the one that found nothing new after them. */
export interface Sealed {
  readonly runs: readonly SealerRun[];
  readonly again: SealerRun;
}

export class SealWorld {
  readonly #folder: string;
  readonly #parts: readonly WorldPart[];
  readonly #table: Table;
  readonly #chains: PlannedChain[] = [];
  readonly #sealer: ChildProcess;

  private constructor(folder: string, parts: readonly WorldPart[], table: Table, sealer: ChildProcess) {
    this.#folder = folder;
    this.#parts = parts;
    this.#table = table;
    this.#sealer = sealer;
  }

  static async start(): Promise<SealWorld> {
    const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-seal-"));
    const parts = await startParts(folder);
    await ensureTable(TABLE_NAME);
    const table = openTable();
    const layers = new EffectiveLayers(table, policyLayers);
    await layers.rulesFor({ ownWordings: null, isPreview: false }, DISCLOSURE.jurisdiction);
    const sealer = fork(PROGRAM, { execArgv: [`--max-old-space-size=${HEAP_MB}`] });
    await once(sealer, "message");
    return new SealWorld(folder, parts, table, sealer);
  }

  /** One more receipt on each of so many chains. */
  async grow(chains: number): Promise<void> {
    while (this.#chains.length < chains) this.#chains.push(this.#newChain(this.#chains.length));
    for (let start = 0; start < chains; start += CHAINS_PER_TRANSACTION) {
      const growing = this.#chains.slice(start, start + CHAINS_PER_TRANSACTION);
      const planned = await Promise.all(growing.map((chain) => chain.next(1)));
      const writes = planned.flatMap((transaction) => transaction.writes);
      const { kind } = await this.#table.transact(writes, planned[0]?.token ?? "");
      if (kind !== "committed") throw new Error(`a transaction was ${kind}`);
    }
  }

  /** Runs the sealer until it finds nothing new. Throws unless that sealed so many heads. */
  async seal(heads: number): Promise<Sealed> {
    const before = await this.#entries();
    const runs: SealerRun[] = [];
    for (;;) {
      const run = await this.#runOnce();
      if (run.outcome === NOTHING_NEW) {
        const sealed = (await this.#entries()) - before;
        if (sealed !== heads) throw new Error(`${sealed} heads were sealed, and not ${heads}`);
        return { runs, again: run };
      }
      runs.push(run);
    }
  }

  async stop(): Promise<void> {
    this.#sealer.kill("SIGKILL");
    for (const part of this.#parts) await part.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #entries(): Promise<number> {
    const head = await readMetachainHead(this.#table);
    return head === null ? 0 : head.leaf.leafIndex + 1;
  }

  async #runOnce(): Promise<SealerRun> {
    const answer = Promise.race([
      once(this.#sealer, "message"),
      once(this.#sealer, "exit").then(() => Promise.reject(new Error("the sealer's process ended"))),
    ]);
    this.#sealer.send("run");
    const [run] = (await answer) as [SealerRun];
    return run;
  }

  #newChain(number: number): PlannedChain {
    const chainId = number.toString(16).padStart(ID_HEX, "0");
    const chain = { chainId, shard: 0 };
    const { clock } = this.#table;
    return new PlannedChain({ tenantId: chainId, chain, ...DAY_KEY, hasKeys: false, clock });
  }
}

/** The parts, and the environment that points to them, which the sealer's process inherits. */
async function startParts(folder: string): Promise<WorldPart[]> {
  const dynamo = await startDynamoDb({ file: join(folder, "ledger.sqlite") });
  const objects = await startObjectStore({ file: join(folder, "roots.sqlite") });
  const files = { mac: join(folder, "mac-key.json"), log: join(folder, "log-key.json") };
  const keys = await startKeyService({ files });
  const authorities = await Promise.all(
    ["first", "second"].map((name) => startTimestampAuthority({ directory: join(folder, name) })),
  );
  const anchors = join(folder, "ca.pem");
  writeFileSync(anchors, authorities.map(({ certificatePem }) => certificatePem).join(""));
  Object.assign(process.env, DEPLOYED_ENVIRONMENT, QUIET, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
    AWS_ENDPOINT_URL_S3: objects.endpoint,
    AWS_ENDPOINT_URL_KMS: keys.endpoint,
    MAC_KEY_ID: keys.keyId,
    LOG_KEY_ID: keys.logKeyId,
    TSA_URLS: authorities.map(({ url }) => url).join(","),
    TSA_CA_FILE: anchors,
    SEAL_TIMESTAMPS: String(authorities.length),
  });
  return [...authorities, keys, objects, dynamo];
}

/** Its lines and metrics would be in the way of the bench's own. */
const QUIET = { POWERTOOLS_LOG_LEVEL: "ERROR", POWERTOOLS_METRICS_DISABLED: "true" };
