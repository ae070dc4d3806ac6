// A local stack with conversations, for the tests of one file.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Disclosure } from "../../../clients/adapters/core.ts";
import type { DisclosureOptions, Missed } from "../../../clients/adapters/disclosure-options.ts";
import { DisclosureClient, DurableQueue } from "../../../clients/client/node.ts";
import { ApiClient } from "../../support/api-client.ts";
import { type LocalStack, newFolder, startLocalStack } from "../../support/local-stack.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { OPERATOR, VOICE } from "./wordings.ts";

/** What of a receipt tells which disclosure it is. */
export interface Told {
  readonly turn: number;
  readonly method: string;
  readonly verdict: string;
  readonly agent: string | undefined;
  readonly eventId: string;
}

export class World {
  readonly stack: LocalStack;
  readonly queueFolder = newFolder();
  readonly missed: Missed[] = [];
  readonly errors: unknown[] = [];
  readonly #queue: DurableQueue;

  private constructor(stack: LocalStack) {
    this.stack = stack;
    this.#queue = this.queueFor(this.queueFolder);
  }

  static async start(): Promise<World> {
    return new World(await startLocalStack());
  }

  queueFor(folder: string): DurableQueue {
    const client = new DisclosureClient({ baseUrl: this.stack.url, apiKey: this.stack.apiKey });
    return new DurableQueue(client, {
      folder,
      onHandover: (_, error) => void this.errors.push(error),
      onProblem: (error) => void this.errors.push(error),
    });
  }

  /** The disclosures of a conversation; what they tell is of one test. */
  converse(interactionId: string, options: Partial<DisclosureOptions> = {}): Disclosure {
    onTestFinished(() => {
      this.missed.length = 0;
      this.errors.length = 0;
    });
    return new Disclosure({
      queue: this.#queue,
      interactionId,
      agentIdentity: "agents/reception",
      operator: OPERATOR,
      wordings: VOICE,
      onMissed: (missed) => void this.missed.push(missed),
      onError: (error) => void this.errors.push(error),
      ...options,
    });
  }

  /** The receipts of a conversation, once nothing waits any more; none where nothing was recorded. */
  async receipts(interactionId: string): Promise<Told[]> {
    await this.#queue.flush(PATIENCE_MS);
    const api = new ApiClient(this.stack);
    const answer = await api.call("GET", `/v1/interactions/${interactionId}`);
    if (answer.status === 404) return [];
    const { receipts, requests } = await api.interaction(interactionId);
    return receipts.map(({ turn, verdict, disclosure, event_id }, i) => ({
      turn,
      method: disclosure.disclosure_method,
      verdict,
      agent: requests[i]?.agent_identity,
      eventId: event_id,
    }));
  }

  /** Of these texts, those that are in a byte of the service's folder or output, or of the queues' folder. */
  leaks(texts: readonly string[], queueFolder = this.queueFolder): string[] {
    const files = [this.stack.dataDir, queueFolder].flatMap(filesBelow).map((file) => readFileSync(file));
    const all = Buffer.concat([...files, Buffer.from(this.stack.output)]);
    return texts.filter((text) => all.includes(text));
  }
}

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
