// The client against the service itself, on this machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { DisclosureClient, DurableQueue, hashWordingText } from "../../../clients/client/node.ts";
import type { EvidenceBundle } from "../../../evidence/core/formats/evidence-bundle.ts";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { COMPILED } from "../../support/compiled.ts";
import { type LocalStack, newFolder, startLocalStack } from "../../support/local-stack.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const SEALED_EVERY_SECOND = { SEAL_INTERVAL_SECONDS: "1" };

let stack: LocalStack;
let trustAnchors: string;
beforeAll(async () => {
  stack = await startLocalStack({ environment: SEALED_EVERY_SECOND });
  trustAnchors = await (await fetch(`${stack.url}/tsa/certificate.pem`)).text();
});

const open = (fetch: typeof globalThis.fetch = globalThis.fetch): DisclosureClient =>
  new DisclosureClient({ baseUrl: stack.url, apiKey: stack.apiKey, trustAnchors, fetch });

const wordingsOf = ({ receipts }: Pick<EvidenceBundle, "receipts">): string[] =>
  receipts.map((receipt) => receipt.disclosure.subject_hash);

/** Runs the program until `killAfter` numbers came, or to its end. Returns what it printed. */
async function runProgram(
  folder: string,
  from: number,
  killAfter = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const program = join(import.meta.dirname, "queue", "queue-program.ts");
  const args = [program, stack.url, stack.apiKey, folder, String(from), killAfter === 0 ? "0" : "40"];
  const env = { ...process.env, ...COMPILED };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (printed.split("\n").length > killAfter) child.kill("SIGKILL");
  });
  await once(child, "close");
  return printed.split("\n").slice(0, -1);
}

describe("the client", () => {
  test("waits for the root, and finds its receipts by time, verdict and wording", async () => {
    const client = open();
    const first = await client.attest(disclosure({ interaction_id: "listed-1" }));
    const own = `sha256:${"7".repeat(64)}`;
    const second = await client.attest(disclosure({ interaction_id: "listed-2", subject_hash: own }));
    await new ApiClient(stack).includedReport(second.event_id);
    const report = await client.sealed(second.event_id);
    expect(report.merkle_proof.status).toBe("included");
    expect(report.receipts).toEqual(second.receipts);
    const idsOf = async (options: Parameters<typeof client.receipts>[0]) => {
      const ids: string[] = [];
      for await (const { event_id } of client.receipts(options)) ids.push(event_id);
      return ids;
    };
    const from = new Date(first.receipts[0]?.issued_at ?? "");
    expect(await idsOf({ from })).toEqual(expect.arrayContaining([first.event_id, second.event_id]));
    expect(await idsOf({ wording: own })).toEqual([second.event_id]);
    expect(await idsOf({ from, verdict: "BLOCK" })).toEqual([]);
    await expect(idsOf({ from: "yesterday" })).rejects.toMatchObject({ code: "refused", status: 422 });
  });

  test("attests, and its receipts hold up to the published root and the authority's token", async () => {
    const client = open();
    const request = disclosure({ interaction_id: "real-1" });
    const receipt = await client.attest(request);
    expect(receipt.receipts[0]).toMatchObject({ turn: 1, verdict: "ALLOW" });
    expect(receipt.tsa_timestamp.status).toBe("included");
    const api = new ApiClient(stack);
    await api.includedReport(receipt.event_id);
    const report = await client.report(receipt.event_id);
    expect((await api.verifyPublished(report, request)).checks.filter(({ ok }) => ok === false)).toEqual([]);
    const { receipts, next_turn } = await client.interaction("real-1");
    expect([receipts, next_turn]).toEqual([receipt.receipts, null]);
  });

  test("gets a report under the chain's newest head, which goes together with all that it saw before", async () => {
    const client = open();
    const [first, second] = [await client.attest(disclosure()), await client.attest(disclosure())];
    const api = new ApiClient(stack);
    const old = await client.sealed(first.event_id);
    await api.includedReport(second.event_id);
    const newest = await client.report(first.event_id, { asOf: "newest" });
    expect(newest.receipts).toEqual(old.receipts);
    const sizes = [newest, second].map(({ merkle_proof }) => merkle_proof.event_inclusion_proof.tree_size);
    expect(sizes[0]).toBeGreaterThanOrEqual(sizes[1] ?? Number.NaN);
    expect((await api.verifyPublished(newest)).checks.filter(({ ok }) => ok === false)).toEqual([]);
    const wrong = { asOf: "2026-11-01" as "newest" };
    await expect(client.report(first.event_id, wrong)).rejects.toMatchObject({
      code: "refused",
      status: 422,
    });
  });

  test("gets the same receipt where the first answer was lost", async () => {
    let calls = 0;
    const losing: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (++calls > 1) return response;
      await response.arrayBuffer();
      throw new TypeError("fetch failed");
    };
    const receipt = await open(losing).attest(disclosure({ interaction_id: "real-2" }));
    const { receipts } = await open().interaction("real-2");
    expect([calls, receipts]).toEqual([2, receipt.receipts]);
  });

  test("notices no fork where three of them write at once on one chain, and read what they wrote", async () => {
    const clients = [open(), open(), open()];
    const attestAll = async (client: DisclosureClient, who: number): Promise<void> => {
      for (let round = 0; round < 6; round++) {
        const calls = Array.from({ length: 4 }, (_, i) =>
          client.attest(disclosure({ interaction_id: `real-3-${(who + i) % 3}` })),
        );
        const [first] = await Promise.all(calls);
        await client.report(first?.event_id ?? "");
      }
    };
    await Promise.all(clients.map(attestAll));
    const bundles = await Promise.all([0, 1, 2].map((n) => clients[0]?.interaction(`real-3-${n}`)));
    expect(bundles.map((bundle) => bundle?.receipts.length)).toEqual([24, 24, 24]);
  });

  test("is refused with a key that nobody gave out", async () => {
    const client = new DisclosureClient({ baseUrl: stack.url, apiKey: "dr_live_unknown_unknown" });
    await expect(client.attest(disclosure())).rejects.toMatchObject({ code: "refused", status: 401 });
  });
});

describe("the queue", () => {
  test("brings every disclosure to the service once and in order, however often its program is killed", async () => {
    const folder = newFolder();
    const safe: number[] = [];
    for (const [run, killAfter] of [3, 17, 1, 30, 9].entries()) {
      const printed = await runProgram(folder, run * 100, killAfter);
      safe.push(...printed.map(Number));
    }
    expect(await runProgram(folder, 0, 0)).toEqual(["done"]);
    const numbers = wordingsOf(await open().interaction("killed")).map(numberOf);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(safe.filter((number) => !numbers.includes(number))).toEqual([]);
    expect(safe.length).toBeGreaterThan(50);
  });

  test("waits for a service that is down, and sends when it is back", async () => {
    const own = await startLocalStack();
    const { port } = new URL(own.url);
    const told: string[] = [];
    const client = new DisclosureClient({ baseUrl: own.url, apiKey: own.apiKey, attempts: 1 });
    const queue = new DurableQueue(client, {
      folder: newFolder(),
      onReceipt: ({ event_id }) => void told.push(event_id),
      onHandover: (_, { code }) => void told.push(code),
    });
    await own.kill();
    for (let n = 0; n < 5; n++) await queue.add(disclosure({ interaction_id: "down" }));
    expect([await queue.flush(200), told]).toEqual([false, []]);
    const again = await startLocalStack({ dataDir: own.dataDir, environment: { PORT: port } });
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    await queue.close();
    const { receipts } = await new ApiClient(again).interaction("down");
    expect(receipts.map(({ event_id }) => event_id)).toEqual(told);
    expect(told).toHaveLength(5);
  });
});

/** Which of the program's wordings this is the digest of. */
function numberOf(digest: string): number {
  for (let n = 0; n < 1_000; n++) if (hashWordingText(`wording ${n}`) === digest) return n;
  throw new Error("nobody put that in");
}
