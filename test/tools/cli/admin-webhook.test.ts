// An operator sets a tenant's webhook, and its receiver is told: the commands against a local stack, as `npm start` runs it.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../../support/local-stack.ts";
import { isSignedUnder, WebhookReceiver } from "../../support/webhook-receiver.ts";
import { type Ended, receipts } from "./command-line.ts";

const PATIENCE = { timeout: 120_000, interval: 50 };
let stack: LocalStack;
let receiver: WebhookReceiver;
let api: ApiClient;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
  await admin("tenant", "create", "acme");
  const { stdout } = await admin("key", "create", "acme");
  api = new ApiClient({ url: stack.url, apiKey: stdout.trim() });
});
afterAll(() => receiver.close());

const admin = (...args: string[]): Promise<Ended> => receipts("admin", ...args, `--local=${stack.dataDir}`);
const webhook = (...args: string[]): Promise<Ended> => admin("webhook", ...args);

test("a receiver is told of a sealed receipt and of its verdict, under the secret that the operator was shown", async () => {
  const set = await webhook("set", "acme", receiver.url);
  expect([set.status, set.stdout]).toEqual([0, expect.stringContaining(receiver.url)]);
  const [, hint = ""] = /(admin webhook secret acme) --local=/.exec(set.stderr) ?? [];
  expect(hint).not.toBe("");
  const secret = (await webhook("secret", "acme")).stdout.trim();
  const { event_id } = await api.attest(disclosure({ subject_hash: `sha256:${"7".repeat(64)}` }));
  await vi.waitFor(() => expect(receiver.verdictIds).toContain(event_id), PATIENCE);
  expect(receiver.sealedIds).toContain(event_id);
  for (const received of receiver.received) expect(isSignedUnder(secret, received)).toBe(true);
  expect((await api.report(event_id)).merkle_proof.status).toBe("included");
});

test("a test message says whether it was taken, also after the secret was rotated", async () => {
  const { status, stdout } = await webhook("rotate", "acme");
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^whsec_/)]);
  const taken = await webhook("test", "acme");
  expect([taken.status, taken.stdout]).toEqual([0, expect.stringContaining("taken (204)")]);
  const last = receiver.received.at(-1) ?? expect.fail("nothing was received");
  expect(isSignedUnder(stdout.trim(), last)).toBe(true);
  receiver.answer = () => ({ status: 500 });
  const refused = await webhook("test", "acme");
  expect([refused.status, refused.stdout]).toEqual([1, expect.stringContaining("not taken (500)")]);
});

test("a receiver that is gone is shown as stopped, and a retry has what waits sent", async () => {
  receiver.answer = () => ({ status: 410 });
  const { event_id } = await api.attest(disclosure());
  await vi.waitFor(async () => expect((await webhook("show", "acme")).stdout).toMatch(/410 Gone/), PATIENCE);
  expect((await webhook("show", "acme")).status).toBe(1);
  receiver.answer = () => ({ status: 200 });
  const retried = await webhook("retry", "acme", "--json");
  expect([retried.status, JSON.parse(retried.stdout)]).toEqual([0, { letters: [] }]);
  await vi.waitFor(() => expect(receiver.sealedIds).toContain(event_id), PATIENCE);
  expect(JSON.parse((await webhook("dead", "acme", "--json")).stdout)).toEqual({ letters: [] });
});

test("a webhook that is off is told nothing", async () => {
  expect((await webhook("off", "acme")).stdout).toMatch(/off since/);
  const { event_id } = await api.attest(disclosure());
  await api.includedReport(event_id);
  // A run that was under way may tell once more of receipts that came before; of this one nobody may tell.
  expect(receiver.sealedIds).not.toContain(event_id);
});

test.each([
  [["set", "acme", "http://receiver.example/"], /must begin with https:\/\//],
  [["set", "nobody", "https://receiver.example/"], /no tenant nobody/],
  [["set", "acme", "https://receiver.example/", "--events=all"], /--events is sealed or verdict/],
  [["show", "nobody"], /nobody has no webhook/],
  [["show", "acme", "more"], /one argument too many/],
  [["do", "acme"], /webhook takes one of set, show/],
])("%j is refused in one line", async (args, reason) => {
  const { status, stderr } = await webhook(...args);
  expect([status, stderr]).toEqual([2, expect.stringMatching(reason)]);
});
