// `admin usage` and GET /v1/usage against a local stack whose plan has a price: both give one bill, which verifies.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import { ApiClient, disclosure, readProblem } from "../../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../../support/local-stack.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { type Ended, fileWith, newFolder, readJson, receipts } from "./command-line.ts";

const RECEIPTS = 9;
const INCLUDED = 3;
const PRICE = {
  currency: "EUR",
  base: 4_900,
  tiers: [
    { upTo: INCLUDED, perThousand: 0 },
    { upTo: null, perThousand: 100_000 },
  ],
};
/** The base, and a euro for each receipt that is not included. */
const TOTAL = PRICE.base + (RECEIPTS - INCLUDED) * 100;
const LIMITS = { rate: 100, burst: 100, monthlyQuota: 1_000 };
const PLANS = JSON.stringify({
  gold: { ...LIMITS, chains: 3, price: PRICE },
  bare: { ...LIMITS, chains: 1 },
});
const nameOf = (instant: Date): string => instant.toISOString().slice(0, "YYYY-MM".length);
const now = new Date();
const MONTH = nameOf(now);
const NEXT = nameOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)));
const BEFORE = nameOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)));

const PATIENCE = { timeout: PATIENCE_MS, interval: 500 };

let stack: LocalStack;
let reportKey = "";
let attestKey = "";
const admin = (...args: string[]): Promise<Ended> => receipts("admin", ...args, `--local=${stack.dataDir}`);
const keyOf = async (scope: string): Promise<string> =>
  (await admin("key", "create", "acme", "--scopes", scope)).stdout.trim();
const usage = (query: string, apiKey = reportKey): Promise<Response> =>
  new ApiClient({ url: stack.url, apiKey }).call("GET", `/v1/usage${query}`);

beforeAll(async () => {
  stack = await startLocalStack({ environment: { PLANS, SEAL_INTERVAL_SECONDS: "1" } });
  for (const [tenant, plan] of Object.entries({ acme: "gold", small: "bare" }))
    expect((await admin("tenant", "create", tenant, "--plan", plan)).status).toBe(0);
  [attestKey, reportKey] = [await keyOf("attest"), await keyOf("report")];
  const api = new ApiClient({ url: stack.url, apiKey: attestKey });
  for (let i = 0; i < RECEIPTS; i++) {
    const body = JSON.stringify({ ...disclosure(), interaction_id: `call-${i}` });
    expect((await api.post("/v1/attestation", body)).status).toBe(200);
  }
  await vi.waitFor(
    async () => expect(await (await usage("")).json()).toMatchObject({ count: RECEIPTS }),
    PATIENCE,
  );
});

describe("admin usage", () => {
  test("lists all tenants with what they cost, as a table, as JSON and as CSV", async () => {
    const { status, stdout } = await admin("usage", "--month", MONTH);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}acme +9 +open.* gold +55\.00 EUR$/m);
    expect(stdout).toMatch(/^ {2}small +0 +open.* bare +no price$/m);
    const { tenants } = JSON.parse((await admin("usage", "--json")).stdout) as { tenants: Bill[] };
    expect(tenants.map(({ tenant, amount }) => [tenant.id, amount?.total ?? null])).toEqual([
      ["acme", TOTAL],
      ["local", null],
      ["small", null],
    ]);
    const file = join(newFolder(), "usage.csv");
    expect((await admin("usage", "--csv", "-o", file)).status).toBe(0);
    expect(readFileSync(file, "utf8")).toContain(`acme,${MONTH},open,9,gold,${TOTAL},EUR\r\n`);
  });

  test("shows one tenant's tiers and chains, and gives the bill that the tenant is given", async () => {
    const { stdout } = await admin("usage", "acme");
    expect(stdout).toMatch(/^ {2}tier 1 +3 at 0\.00 EUR a thousand$/m);
    expect(stdout).toMatch(/^ {2}amount +55\.00 EUR$/m);
    const bill = JSON.parse((await admin("usage", "acme", "--json")).stdout) as Bill;
    const theirs = (await (await usage(`?month=${MONTH}`)).json()) as Bill;
    expect({ ...bill, made_at: "" }).toEqual({ ...theirs, made_at: "" });
    expect(bill.lines.map(({ shard }) => shard)).toEqual([0, 1, 2]);
  });

  test("refuses a month to come and one before the tenant, and lists nobody in the latter", async () => {
    const early = await admin("usage", "acme", "--month", BEFORE);
    expect([early.status, early.stderr]).toEqual([2, expect.stringContaining("the tenant was created on")]);
    const late = await admin("usage", "--month", NEXT);
    expect([late.status, late.stderr]).toEqual([2, expect.stringContaining(`${NEXT} has not begun yet`)]);
    expect((await admin("usage", "--month", BEFORE)).stdout).toMatch(/\nno tenant\n$/);
    expect((await admin("usage", "--month", "2026-13")).stderr).toContain("--month is a month");
  });
});

describe("GET /v1/usage", () => {
  test("gives the lines from a shard on, and the count of all", async () => {
    const page = (await (await usage("?from_shard=1")).json()) as Bill;
    expect(page).toMatchObject({ count: RECEIPTS, chains: 3, next_shard: null });
    expect(page.lines.map(({ shard }) => shard)).toEqual([1, 2]);
  });

  test.each([
    ["a month that is none", "?month=2026-13", "must be a month, YYYY-MM"],
    ["a month to come", `?month=${NEXT}`, `${NEXT} has not begun yet`],
    ["a month before the tenant", `?month=${BEFORE}`, "the tenant was created on"],
    ["a chain that none has", "?from_shard=4096", "must be the number of a chain, from 0 to 4095"],
  ])("refuses %s", async (_what, query, detail) => {
    const problem = await readProblem(await usage(query));
    expect(problem).toMatchObject({ status: 422, errors: [{ detail: expect.stringContaining(detail) }] });
  });

  test("wants the scope report", async () => {
    const problem = await readProblem(await usage("", attestKey));
    expect(problem).toMatchObject({ status: 403, detail: 'the API key lacks the scope "report"' });
  });
});

describe("bill fetch", () => {
  const fetchWith = (key: string, file: string, month = MONTH): Promise<Ended> =>
    receipts("bill", "fetch", stack.url, "--key", `@${fileWith(key)}`, "--month", month, "-o", file);

  test("writes a bill that the public log shows to be true", async () => {
    const file = join(newFolder(), "bill.json");
    expect((await fetchWith(reportKey, file)).status).toBe(0);
    expect(readJson<Bill>(file).amount?.total).toBe(TOTAL);
    const verified = await receipts("bill", "verify", file, "--metachain", stack.url);
    expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining("The bill holds\n")]);
  });

  test("says why the service gives none", async () => {
    const file = join(newFolder(), "bill.json");
    const refused = await fetchWith(attestKey, file);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("lacks the scope")]);
    const late = await fetchWith(reportKey, file, NEXT);
    expect([late.status, late.stderr]).toEqual([2, expect.stringContaining("has not begun yet")]);
  });
});
