import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DurableQueue } from "../../../../clients/client/node.ts";
import { testFolder } from "../../../host/local/folder.ts";
import { disclosure } from "../../../support/api-client.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";
import { lose, problem, respond, serve, type Trick } from "../service.ts";
import { codesOf, leaveBehind, open, start, unavailable } from "./queues.ts";

// The pauses between tries are by chance; here they have no length.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

describe("a disclosure that is put in", () => {
  test("is on disk when the promise resolves, though nobody answers", async () => {
    const { queue, folder, served } = await start(() => true);
    expect(await queue.add(disclosure(), { idempotencyKey: "greeting-1" })).toBe(true);
    expect(readFileSync(join(folder, "journal"), "utf8")).toContain("greeting-1");
    expect([queue.size, served.service.recorded.length]).toEqual([1, 0]);
  });

  test("is sent, and its receipt handed to the owner; nothing of it stays on disk", async () => {
    const { queue, folder, served, receipts } = await start();
    const keys = ["one", "two", "three"];
    for (const idempotencyKey of keys) void queue.add(disclosure(), { idempotencyKey });
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    expect(receipts.map(({ key }) => key)).toEqual(keys);
    expect(receipts.map(({ eventId }) => eventId)).toEqual(
      served.service.recorded.map(({ core }) => core.event_id),
    );
    expect(await queue.close()).toEqual([]);
    expect(readFileSync(join(folder, "journal"), "utf8")).toBe("");
  });

  test("gives its receipt to who put it in, and to the owner though that callback fails", async () => {
    const { queue, receipts, problems } = await start();
    const own: string[] = [];
    void queue.add(disclosure(), {
      onReceipt: ({ event_id }) => {
        own.push(event_id);
        throw new Error("the callback failed");
      },
    });
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    expect(own).toEqual(receipts.map(({ eventId }) => eventId));
    expect(problems.map(({ code }) => code)).toEqual(["queue_callback_failed"]);
  });

  test("is what it was at that moment, whatever becomes of the object", async () => {
    const { queue, served } = await start();
    const request = disclosure();
    void queue.add(request);
    Object.assign(request, { interaction_id: "changed" });
    await queue.flush(PATIENCE_MS);
    const disclosed_at = expect.any(String);
    expect(served.service.recorded.map(({ request: sent }) => sent)).toEqual([
      { ...disclosure(), disclosed_at },
    ]);
  });

  test("is sent with the time at which it was put in, the same at every try and by the next process", async () => {
    const { queue, folder, served } = await start(unavailable);
    const before = new Date().toISOString();
    await queue.add(disclosure());
    const after = new Date().toISOString();
    await vi.waitFor(() => expect(served.calls.length).toBeGreaterThanOrEqual(2), PATIENCE_MS);
    const [left] = await queue.close(0);
    served.trick = () => false;
    const next = open(served, { folder });
    expect(await next.queue.flush(PATIENCE_MS)).toBe(true);
    const sent = served.service.recorded.map(({ request }) => request);
    expect(sent).toEqual([{ ...disclosure(), disclosed_at: left?.addedAt }]);
    expect(new Set(served.calls.map(({ body }) => body)).size).toBe(1);
    expect([before, left?.addedAt, after].toSorted()).toEqual([before, left?.addedAt, after]);
  });

  test("gets the present time, too, where its own is undefined", async () => {
    const { queue, served, receipts } = await start();
    void queue.add(disclosure({ disclosed_at: undefined }));
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    expect(receipts).toHaveLength(1);
    const { disclosed_at } = served.service.recorded[0]?.request ?? {};
    expect(Date.parse(disclosed_at ?? "")).not.toBeNaN();
  });

  test("keeps its own time, and one with a key of the caller's gets none: it may be added again", async () => {
    const { queue, served, receipts, handovers } = await start();
    const disclosed_at = "2026-11-21T12:00:00Z";
    void queue.add(disclosure({ disclosed_at }));
    for (let i = 0; i < 2; i++) void queue.add(disclosure(), { idempotencyKey: "greeting-1" });
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    const sent = served.service.recorded.map(({ request }) => request);
    expect(sent).toEqual([disclosure({ disclosed_at }), disclosure()]);
    expect([receipts.length, handovers]).toEqual([3, []]);
  });

  test("keeps its turn in the conversation and is recorded once, however the network fails", async () => {
    const ways: Trick[] = [
      () => false,
      lose,
      unavailable,
      ({ response }) => Boolean(response.destroy()),
      ({ answer, response }) => Boolean(answer()) && respond(response, 502, "<html>"),
      () => false,
      ({ response }) => respond(response, 429, {}),
    ];
    const { queue, served, handovers } = await start(
      (call, nth) => ways[nth % ways.length]?.(call, nth) ?? false,
    );
    const added = new Map<string, string[]>();
    for (let i = 0; i < 60; i++) {
      const [interaction_id, idempotencyKey] = [`call-${i % 7}`, `key-${i}`];
      added.set(interaction_id, [...(added.get(interaction_id) ?? []), idempotencyKey]);
      void queue.add(disclosure({ interaction_id }), { idempotencyKey });
    }
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    for (const [interactionId, keys] of added) expect(served.service.keysOf(interactionId)).toEqual(keys);
    expect(handovers).toEqual([]);
  });

  test("does not wait for another conversation that is slow", async () => {
    const { queue, served } = await start((call) => call.body.includes("slow"));
    for (const interaction_id of ["slow", "slow", "quick", "quick"])
      void queue.add(disclosure({ interaction_id }));
    await vi.waitFor(() => expect(served.service.keysOf("quick")).toHaveLength(2), PATIENCE_MS);
    await vi.waitFor(() => expect(queue.size).toBe(2), PATIENCE_MS);
  });

  test("is never sent side by side with another of its conversation, and only so many conversations are", async () => {
    let [running, most] = [0, 0];
    const asManyAsMay = Promise.withResolvers<void>();
    const underWay = new Set<string>();
    const trick: Trick = async ({ body, answer, response }) => {
      const { interaction_id } = JSON.parse(body);
      expect(underWay).not.toContain(interaction_id);
      underWay.add(interaction_id);
      most = Math.max(most, ++running);
      // However slow the machine is, the first ones meet; what comes after them has a moment to be too many.
      if (running === 3) asManyAsMay.resolve();
      await asManyAsMay.promise;
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      underWay.delete(interaction_id);
      return respond(response, 200, answer());
    };
    const { queue, served } = await start(trick, { concurrency: 3 });
    for (let i = 0; i < 30; i++) void queue.add(disclosure({ interaction_id: `call-${i % 10}` }));
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    expect([most, served.service.recorded.length]).toEqual([3, 30]);
  });
});

describe("what can't be sent", () => {
  test.each([400, 404, 409, 413, 422])(
    "because of a %i is handed over, and holds up no other",
    async (status) => {
      const { queue, served, handovers } = await start(
        ({ body, response }) => body.includes("poison") && respond(response, status, problem(status, "no")),
      );
      const poison = disclosure({ agent_identity: "poison" });
      void queue.add(poison, { idempotencyKey: "first" });
      void queue.add(disclosure(), { idempotencyKey: "second" });
      expect(await queue.flush(PATIENCE_MS)).toBe(true);
      expect(handovers).toEqual([
        {
          disclosure: expect.objectContaining({ request: poison, idempotencyKey: "first" }),
          code: "refused",
        },
      ]);
      expect(served.service.recorded.map(({ key }) => key)).toEqual(["second"]);
    },
  );

  test("because its answer is no receipt is handed over with its key", async () => {
    const { queue, handovers } = await start(({ response }) => respond(response, 200, {}));
    void queue.add(disclosure(), { idempotencyKey: "first" });
    await queue.flush(PATIENCE_MS);
    expect(handovers).toMatchObject([{ code: "receipt_invalid", disclosure: { idempotencyKey: "first" } }]);
  });

  test.each([401, 403, 429, 500, 503])(
    "because of a %i waits, is told, and goes out when that is over",
    async (status) => {
      const { queue, served, handovers, problems } = await start(
        ({ response }, nth) => nth <= 3 && respond(response, status, problem(status, "not now")),
      );
      void queue.add(disclosure());
      expect(await queue.flush(PATIENCE_MS)).toBe(true);
      expect(served.service.recorded).toHaveLength(1);
      expect(problems.map((error) => error.status)).toEqual([status, status, status]);
      expect(handovers).toEqual([]);
    },
  );

  test("for 23 hours is handed over and not sent, for its key may be forgotten", async () => {
    const served = await serve();
    const folder = testFolder();
    const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
    leaveBehind(folder, [
      { request: disclosure(), idempotencyKey: "old", addedAt: ago(23.1) },
      { request: disclosure(), idempotencyKey: "young", addedAt: ago(22.9) },
    ]);
    const { queue, handovers } = open(served, { folder });
    await vi.waitFor(
      () => expect(served.service.recorded.map(({ key }) => key)).toEqual(["young"]),
      PATIENCE_MS,
    );
    await queue.close();
    expect(handovers).toMatchObject([{ code: "queue_expired", disclosure: { idempotencyKey: "old" } }]);
  });

  test.each([
    ["entries", { maxEntries: 2 }],
    ["bytes", { maxBytes: 800 }],
  ])("for want of room in %s is handed over at once, and what waits is kept", async (_, limits) => {
    const { queue, handovers } = await start(() => true, limits);
    const kept = await Promise.all(
      [1, 2, 3].map((n) => queue.add(disclosure(), { idempotencyKey: `key-${n}` })),
    );
    expect(kept).toEqual([true, true, false]);
    expect(handovers).toMatchObject([{ code: "queue_full", disclosure: { idempotencyKey: "key-3" } }]);
    expect(queue.size).toBe(2);
  });

  test.each([
    ["a wrong field", { ...disclosure(), jurisdiction: "de" }],
    ["no request at all", null],
    [
      "what throws when it is read",
      {
        get modality(): string {
          throw new Error("no");
        },
      },
    ],
  ])("since it is %s is handed over, and nothing is thrown", async (_, request) => {
    const { queue, served, handovers } = await start();
    expect(await queue.add(request as never)).toBe(false);
    expect(codesOf(handovers)).toHaveLength(1);
    expect([queue.size, served.calls.length]).toEqual([0, 0]);
  });
});

test.each([
  ["folder", { folder: "" }],
  ["onHandover", { onHandover: undefined as never }],
  ["onReceipt", { onReceipt: "log" as never }],
  ["onProblem", { onProblem: true as never }],
  ["onError", { onError: () => {} } as object],
  ["maxEntries", { maxEntries: 0 }],
  ["maxBytes", { maxBytes: 0.5 }],
  ["concurrency", { concurrency: -1 }],
])("a wrong %s is refused at once", (name, change) => {
  const options = { folder: "/nowhere", onHandover: () => {}, ...change };
  expect(() => new DurableQueue({ attest: () => Promise.reject(new Error()) }, options)).toThrow(
    expect.objectContaining({ code: "invalid_options", message: expect.stringMatching(`^${name}: `) }),
  );
});

test.each([
  [undefined, undefined],
  [{}, { folder: "/nowhere", onHandover: () => {} }],
  [{ attest: () => Promise.reject(new Error()) }, undefined],
])("a queue of %j with %j is refused with a name, as from JavaScript", (client, options) => {
  expect(() => new DurableQueue(client as never, options as never)).toThrow(
    expect.objectContaining({ name: "ClientError", code: "invalid_options" }),
  );
});
