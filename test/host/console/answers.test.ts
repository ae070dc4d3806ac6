// What the console says of seals, of use, of chains and of one receipt; and that looking changes nothing.
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import {
  CONSOLE_PATHS,
  consoleChainsSchema,
  consoleDaysSchema,
  consoleOverviewSchema,
  consoleReceiptPageSchema,
  consoleSealsSchema,
  consoleTenantsSchema,
} from "../../../contract/console.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { monthOf } from "../../../evidence/core/formats/month.ts";
import { HOUR, type Ledger, MINUTE } from "../../support/ledger-stack.ts";
import { AUTHORITIES, requestOf } from "../../support/test-process.ts";
import { asking, operatorOf, stack } from "./world.ts";

const DAY = 24 * HOUR;

/** Receipts of two days, all but the last of them sealed. */
async function newWorld() {
  const ledger = await stack.newLedger();
  const [acme, beta] = [await ledger.newTenant("acme", 2), await ledger.newTenant("beta")];
  const process = ledger.newProcess();
  const ids: string[] = [];
  const attest = async (caller: typeof acme, call: string) =>
    ids.push((await process.attest(caller, requestOf(call))).event_id);
  for (const call of ["call-1", "call-2", "call-3"]) await attest(acme, call);
  await process.seal();
  ledger.now += DAY;
  await attest(acme, "call-1");
  await attest(beta, "call-9");
  ledger.now += MINUTE;
  await process.seal();
  ledger.now += HOUR;
  await attest(beta, "call-9");
  return { ledger, acme, beta, ids };
}

const world = await newWorld();
const ask = asking(operatorOf(world.ledger));

test("the overview has what waits, what is sealed, and what needs attention", async () => {
  const overview = consoleOverviewSchema.parse(await ask(CONSOLE_PATHS.overview));
  expect(overview).toMatchObject({
    name: "tests",
    alarms_url: null,
    tenants: 2,
    chains: 3,
    waiting: { receipts: 1, chains: 1, oldest: world.ledger.clock().toISOString() },
    seal: { index: 1, is_published: true },
    troubled_chains: [],
    concerns: [],
  });
});

test("what waits for too long is a concern, and in AWS the alarms have a link", async () => {
  const { ledger } = await newWorld();
  ledger.now += HOUR;
  const operator = { ...operatorOf(ledger), region: "eu-central-1" };
  const overview = consoleOverviewSchema.parse(await asking(operator)(CONSOLE_PATHS.overview));
  expect(overview.concerns).toEqual(["receipts_wait"]);
  expect(overview.alarms_url).toBe(
    "https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1#alarmsV2:?search=tests",
  );
});

test("seals come with their receipts, tokens and checkpoints, the oldest first", async () => {
  const { seals, asks_witnesses } = consoleSealsSchema.parse(await ask(CONSOLE_PATHS.seals));
  expect(asks_witnesses).toBe(false);
  expect(seals.map(({ index, receipts, is_published }) => [index, receipts, is_published])).toEqual([
    [0, 3, true],
    [1, 2, true],
  ]);
  // The tokens of these tests are none that could be read, and that must not hide the seal.
  expect(seals[0]).toMatchObject({
    tokens: AUTHORITIES.map((authority) => ({ authority, time: null })),
    lacks_tokens: false,
    has_checkpoint: true,
    cosigners: [],
  });
});

test("a tenant's use is the month's receipts beside the quota of its plan", async () => {
  const { month, tenants } = consoleTenantsSchema.parse(await ask(CONSOLE_PATHS.tenants));
  expect(month).toBe("2040-05");
  expect(tenants).toEqual([
    { id: "acme", plan: "test", is_suspended: false, chains: 2, receipts: 4, quota: 100 },
    { id: "beta", plan: "test", is_suspended: false, chains: 1, receipts: 2, quota: 100 },
  ]);
});

test("the days of the month have the receipts that were issued on them, also when they are asked for again", async () => {
  const days = async (tenant: string) => {
    const list = consoleDaysSchema.parse(await ask(`${CONSOLE_PATHS.days}?tenant=${tenant}`));
    return list.days?.map(({ day, receipts }) => `${day} ${receipts}`);
  };
  expect(await days("acme")).toEqual(["2040-05-01 3", "2040-05-02 1"]);
  expect(await days("beta")).toEqual(["2040-05-01 0", "2040-05-02 2"]);
  expect(await days("acme")).toEqual(["2040-05-01 3", "2040-05-02 1"]);
});

test("a new month begins at nothing", async () => {
  const { ledger } = await newWorld();
  ledger.now = Date.parse(monthOf(ledger.clock()).endsAt) + HOUR;
  const ask = asking(operatorOf(ledger));
  const { tenants } = consoleTenantsSchema.parse(await ask(CONSOLE_PATHS.tenants));
  expect(tenants.map(({ receipts }) => receipts)).toEqual([0, 0]);
  expect(consoleDaysSchema.parse(await ask(`${CONSOLE_PATHS.days}?tenant=acme`)).days).toEqual([
    { day: "2040-06-01", receipts: 0 },
  ]);
});

test("chains have their sizes, and how much of them is sealed", async () => {
  const { chains } = consoleChainsSchema.parse(await ask(`${CONSOLE_PATHS.chains}?tenant=beta`));
  expect(chains).toEqual([
    {
      shard: 0,
      chain_id: world.beta.chainIds[0],
      size: 2,
      sealed_size: 1,
      newest: world.ledger.clock().toISOString(),
    },
  ]);
});

test("the report of an event is found among all tenants by its id alone", async () => {
  for (const id of world.ids) {
    const report = (await ask(`/console/reports/${id}`)) as ComplianceReceipt;
    expect(report.receipts.map(({ event_id }) => event_id)).toEqual([id]);
  }
});

test("no answer holds a tenant's anchor or a key", async () => {
  const paths = [...Object.values(CONSOLE_PATHS), `/console/reports/${world.ids[0]}`];
  const answers = await Promise.all(paths.map((path) => ask(`${path}?tenant=acme`)));
  const text = JSON.stringify(answers);
  for (const secret of [world.acme.tenantAnchor, world.beta.tenantAnchor, "dr_live_"])
    expect(text).not.toContain(secret);
});

async function dump({ clients, name }: Ledger): Promise<string> {
  const { Items = [] } = await clients.dynamoDb.send(new ScanCommand({ TableName: name }));
  return JSON.stringify(Items.map((item) => [item.pk?.S, item.sk?.S, item]).toSorted());
}

test("looking at everything leaves table and bucket alone", async () => {
  const reader = world.ledger.newProcess();
  const ask = asking(operatorOf(world.ledger, reader));
  const before = await dump(world.ledger);
  const { receipts } = consoleReceiptPageSchema.parse(await ask(CONSOLE_PATHS.receipts));
  for (const path of Object.values(CONSOLE_PATHS)) await ask(`${path}?tenant=acme`);
  for (const { event_id } of receipts) await ask(`/console/reports/${event_id}`);
  expect(await dump(world.ledger)).toBe(before);
  const made = new Set(reader.calls.steps.map(({ name }) => name));
  expect([...made].toSorted()).toEqual(["BatchGetItem", "GenerateMac", "GetItem", "GetObject", "Query"]);
});
