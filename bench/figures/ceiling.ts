// The engine's own ceiling: transactions that were planned and written as text beforehand, sent straight to an engine in
// a process of its own.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SECOND_MS } from "../../contract/time.ts";
import { DAY_KEY, tableRequest, transactionText } from "./engine-text.ts";
import { PlannedChain } from "./planned-chain.ts";

const PROGRAM = join(import.meta.dirname, "engine-process.ts");
const OK = 200;
const ID_HEX = 32;
/** So many are planned for each second: more than an engine here takes. One that takes more ends earlier. */
const PLANNED_A_SECOND = 250;

/** A transaction as the engine reads it, and how many receipts it holds. */
interface SentTransaction {
  readonly body: string;
  readonly receipts: number;
}

export class Ceiling {
  readonly #child: ChildProcess;
  readonly #endpoint: string;
  readonly #folder: string;
  readonly #agent = new Agent({ keepAlive: true });
  #chains = 0;

  private constructor(child: ChildProcess, endpoint: string, folder: string) {
    this.#child = child;
    this.#endpoint = endpoint;
    this.#folder = folder;
  }

  static async start(): Promise<Ceiling> {
    const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-ceiling-"));
    const child = fork(PROGRAM, [join(folder, "ledger.sqlite")]);
    const [endpoint] = (await once(child, "message")) as [string];
    const ceiling = new Ceiling(child, endpoint, folder);
    await ceiling.#send("CreateTable", tableRequest());
    return ceiling;
  }

  /** Receipts a second: on each of so many new chains, `atOnce` transactions are under way. */
  async measure(chains: number, atOnce: number, ms: number): Promise<number> {
    const queues = await this.#plan(chains, ms);
    const begin = performance.now();
    let receipts = 0;
    const sendOn = async (queue: SentTransaction[]): Promise<void> => {
      for (
        let next = queue.shift();
        next !== undefined && performance.now() - begin < ms;
        next = queue.shift()
      ) {
        await this.#send("TransactWriteItems", next.body);
        receipts += next.receipts;
      }
    };
    await Promise.all(queues.flatMap((queue) => Array.from({ length: atOnce }, () => sendOn(queue))));
    const took = performance.now() - begin;
    return (receipts / took) * SECOND_MS;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const ended = once(this.#child, "exit");
    this.#child.send("close");
    await ended;
    rmSync(this.#folder, { recursive: true });
  }

  async #plan(chains: number, ms: number): Promise<SentTransaction[][]> {
    const each = Math.ceil((PLANNED_A_SECOND * ms) / SECOND_MS / chains);
    const queues: SentTransaction[][] = [];
    while (queues.length < chains) {
      const chainId = (this.#chains++).toString(16).padStart(ID_HEX, "0");
      const { macs, rules } = DAY_KEY;
      const chain = { chainId, shard: 0 };
      const options = { tenantId: chainId, chain, macs, rules, hasKeys: true, clock: () => new Date() };
      const planned = new PlannedChain(options);
      const queue: SentTransaction[] = [];
      while (queue.length < each) {
        const { writes, token, receipts } = await planned.next();
        queue.push({ body: transactionText(writes, token), receipts: receipts.length });
      }
      queues.push(queue);
    }
    return queues;
  }

  #send(operation: string, body: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const headers = {
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "content-type": "application/x-amz-json-1.0",
      "content-length": Buffer.byteLength(body),
    };
    const sent = request(this.#endpoint, { agent: this.#agent, method: "POST", headers }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === OK) resolve();
        else reject(new Error(`the engine refused ${operation}: ${response.statusCode}`));
      });
    });
    sent.once("error", reject).end(body);
    return promise;
  }
}
