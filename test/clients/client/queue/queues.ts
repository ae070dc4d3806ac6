// Queues of one test, and what they tell their owner.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type ClientError,
  DisclosureClient,
  DurableQueue,
  type QueuedDisclosure,
  type QueueOptions,
} from "../../../../clients/client/node.ts";
import { formatLine } from "../../../../clients/client/queue/journal-lines.ts";
import { testFolder } from "../../../host/local/folder.ts";
import { problem, respond, type Served, serve, type Trick } from "../service.ts";

/** What a queue told its owner. */
export interface Told {
  readonly receipts: { readonly eventId: string; readonly key: string }[];
  readonly handovers: { readonly disclosure: QueuedDisclosure; readonly code: string }[];
  readonly problems: ClientError[];
}

export interface Opened extends Told {
  readonly queue: DurableQueue;
  readonly folder: string;
}

export function open(served: Served, options: Partial<QueueOptions> = {}): Opened {
  const { folder = testFolder() } = options;
  const told: Told = { receipts: [], handovers: [], problems: [] };
  const client = new DisclosureClient({ baseUrl: served.url, apiKey: "dr_live_a_b", attempts: 1 });
  const queue = new DurableQueue(client, {
    folder,
    onReceipt: ({ event_id }, { idempotencyKey }) =>
      void told.receipts.push({ eventId: event_id, key: idempotencyKey }),
    onHandover: (disclosure, { code }) => void told.handovers.push({ disclosure, code }),
    onProblem: (error) => void told.problems.push(error),
    ...options,
  });
  onTestFinished(async () => void (await queue.close(0)));
  return { queue, folder, ...told };
}

export const start = async (trick?: Trick, options?: Partial<QueueOptions>) => {
  const served = await serve(trick);
  return { served, ...open(served, options) };
};

export const unavailable: Trick = ({ response }) =>
  respond(response, 503, problem(503, "The service can't answer now"));
export const codesOf = (handovers: Told["handovers"]): string[] => handovers.map(({ code }) => code);

/** A journal as a process left it that died before it could send. */
export function leaveBehind(folder: string, disclosures: readonly QueuedDisclosure[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = disclosures.map((one, i) => formatLine(["put", i + 1, JSON.stringify(one)]));
  writeFileSync(join(folder, "journal"), lines.join(""));
}
