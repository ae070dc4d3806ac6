// The list of receipts over HTTP: its parameters, its cursor, and who may ask.
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_PAGE_RECEIPTS, receiptListSchema } from "../../evidence/core/formats/receipt-list.ts";
import { ApiClient, disclosure, readJson, readProblem } from "../support/api-client.ts";
import { startLocalStack } from "../support/local-stack.ts";

const RECEIPTS = "/v1/receipts";
const COUNT = MAX_PAGE_RECEIPTS + 1;

let api: ApiClient;
let eventIds: string[];

beforeAll(async () => {
  api = new ApiClient(await startLocalStack());
  const calls = Array.from({ length: COUNT }, (_, i) =>
    api.attestAmongMany(disclosure({ interaction_id: `c-${i}` })),
  );
  eventIds = (await Promise.all(calls)).map(({ event_id }) => event_id).sort();
});

const list = async (query: string) => readJson(await api.call("GET", RECEIPTS + query), receiptListSchema);

describe("the list of receipts", () => {
  test("gives all of them over its pages, and holds no identifier of a conversation", async () => {
    const first = await list("");
    expect(first.receipts).toHaveLength(MAX_PAGE_RECEIPTS);
    const second = await list(`?cursor=${first.next}`);
    expect(second.next).toBeNull();
    const found = [...first.receipts, ...second.receipts].map(({ event_id }) => event_id);
    expect(found.sort()).toEqual(eventIds);
    expect(JSON.stringify([first, second])).not.toMatch(/interaction|"c-\d/);
  });

  test("takes dates, and instants with any offset", async () => {
    const [tomorrow, yesterday] = [1, -1].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
    );
    expect((await list(`?from=${tomorrow}`)).receipts).toEqual([]);
    expect((await list(`?to=${yesterday}T00:00:00%2B02:00`)).receipts).toEqual([]);
    expect((await list(`?from=${yesterday}&to=${tomorrow}T00:00:00Z`)).receipts).toHaveLength(100);
  });

  test.each([
    ["from=yesterday", "#/from"],
    ["from=2026-02-30", "#/from"],
    ["from=9999-12-31T23:59:59-23:59", "#/from"],
    ["from=2026-11-02&to=2026-11-02", "#/to"],
    ["verdict=allow", "#/verdict"],
    ["wording=Guten+Tag", "#/wording"],
    ["cursor=x", "#/cursor"],
    ["limit=5", "#/limit"],
  ])("refuses ?%s and names the parameter", async (query, pointer) => {
    const problem = await readProblem(await api.call("GET", `${RECEIPTS}?${query}`));
    expect([problem.status, problem.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });

  test("refuses the cursor of another query", async () => {
    const { next } = await list("");
    const problem = await readProblem(await api.call("GET", `${RECEIPTS}?verdict=ALLOW&cursor=${next}`));
    expect([problem.status, problem.errors?.[0]?.pointer]).toEqual([422, "#/cursor"]);
  });

  test("needs a key", async () => {
    expect((await api.call("GET", RECEIPTS, { key: null })).status).toBe(401);
  });
});
