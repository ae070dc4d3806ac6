// The crash table of where a run was cut off: the place that it reached is written, lost, doubled or out of date, and
// a receipt comes late meanwhile. Nothing is lost, and nothing is sealed twice.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { minuteOf, NEWS_PARTITION, newsKey, sealerKey } from "../../../service/table/keys.ts";
import { runWithFault } from "../../support/deaths.ts";
import { crashTable, type Step } from "../../support/faults.ts";
import { beginLateWrite } from "../../support/late-write.ts";
import { type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { jcs } from "../../support/plain-json.ts";
import { deleteItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** With them, the heads take two transactions: a run writes how far it came in between. */
const VANISHED_CHAINS = 55;

/** The first pass begins with an empty log. */
const placeOf = (chain_id: string): string =>
  createHash("sha256")
    .update(jcs({ chain_id, pass: 0 }))
    .digest("hex");
const firstPlace = ({ chainIds: [chainId = ""] }: TestCaller): string => placeOf(chainId);

interface World {
  readonly ledger: Ledger;
  readonly attest: () => Promise<void>;
  /** A caller of a chain that nothing was written to. */
  readonly quiet: TestCaller;
}

/** Two chains with news; between them lie the places of chains that have news and are no more. */
async function newWorld(isCutOff: boolean): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false });
  const callers = await Promise.all(["a", "b", "c", "d"].map((id) => ledger.newTenant(id)));
  callers.sort((a, b) => (firstPlace(a) < firstPlace(b) ? -1 : 1));
  const [first, quiet, , last] = callers as [TestCaller, TestCaller, TestCaller, TestCaller];
  const attest = async () => {
    const process = ledger.newProcess();
    for (const caller of [first, last]) await process.attest(caller, requestOf("call"));
  };
  await attest();
  await markVanished(ledger, firstPlace(first), firstPlace(last));
  if (isCutOff) {
    const cursor = { name: "UpdateItem", nth: 1 };
    await runWithFault(ledger, cursor, "is the last that the process makes", attest, (process) => [
      process.seal(),
    ]);
    expect(await reachedPlace(ledger)).toMatch(/^[0-9a-f]{64}$/);
    await attest();
  }
  return { ledger, attest, quiet };
}

async function markVanished(ledger: Ledger, from: string, to: string): Promise<void> {
  const chainIds: string[] = [];
  while (chainIds.length < VANISHED_CHAINS) {
    const chainId = randomBytes(16).toString("hex");
    if (placeOf(chainId) > from && placeOf(chainId) < to) chainIds.push(chainId);
  }
  const { table } = ledger.newProcess();
  const writes = chainIds.map((chainId) => ({ put: newsKey(minuteOf(ledger.clock()), chainId) }));
  await table.transact(writes, randomUUID());
}

const reachedPlace = async (ledger: Ledger) => (await ledger.newProcess().table.get(sealerKey))?.reached?.S;

async function sealOnce(ledger: Ledger): Promise<void> {
  ledger.now += MINUTE;
  await ledger.newProcess().seal();
}

/** Nothing waits, and the oracle finds each head once, each receipt under one seal, and every file. */
async function expectAllSealed(ledger: Ledger): Promise<void> {
  const { seals, receipts, publishedReceipts, tiledSize } = await ledger.check();
  expect(publishedReceipts).toBe(receipts);
  expect(tiledSize).toBe(seals.at(-1)?.seal.tree_size);
  expect(seals.map(({ seal }) => seal.receipt_count)).not.toContain(0);
}

/** What a run writes until it says that all is visited; the first update is the place that it reached. */
const isWrite = ({ name, nth }: Step): boolean =>
  ["TransactWriteItems", "PutItem"].includes(name) || (name === "UpdateItem" && nth === 1);

async function stepsOfRun(isCutOff: boolean): Promise<Step[]> {
  const { ledger } = await newWorld(isCutOff);
  const process = ledger.newProcess();
  await process.seal();
  return process.calls.steps.filter(isWrite);
}

const crashes = [
  ...crashTable(await stepsOfRun(false)).map((row) => ({ ...row, isCutOff: false })),
  ...crashTable(await stepsOfRun(true)).map((row) => ({ ...row, isCutOff: true })),
];

describe.concurrent("after a run in which", () => {
  test.each(crashes)(
    "$title (after one that was cut off: $isCutOff), all is sealed once, the late receipt too",
    async (row) => {
      const { ledger, attest, quiet } = await newWorld(row.isCutOff);
      const { arrive } = await beginLateWrite(ledger, quiet);
      const rival = async () => {
        await attest();
        await ledger.newProcess().seal();
      };
      await runWithFault(ledger, row.step, row.mode, rival, (process) => [process.seal()]);
      await sealOnce(ledger);
      // Its marker is of a minute that two runs have passed by now.
      await arrive();
      await sealOnce(ledger);
      await expectAllSealed(ledger);
      expect(await reachedPlace(ledger)).toBeUndefined();
    },
  );
});

describe("where a run was cut off", () => {
  test("the chain that it reached may be gone: the next run goes on behind its place", async () => {
    const { ledger } = await newWorld(true);
    const { table } = ledger.newProcess();
    const markers = await table.query({ partition: NEWS_PARTITION });
    const vanished = markers.filter(({ expires_at }) => expires_at === undefined);
    expect(vanished).toHaveLength(VANISHED_CHAINS);
    for (const { sk } of vanished) await deleteItem(ledger, [NEWS_PARTITION, sk?.S ?? ""]);
    await sealOnce(ledger);
    await expectAllSealed(ledger);
  });

  test.each([
    ["before all", "0"],
    ["behind all", "f"],
  ])("a place %s, of a pass of long ago, leaves out nothing", async (_, digit) => {
    const { ledger } = await newWorld(true);
    const set = { reached: { S: digit.repeat(64) }, pass: { N: "7" } };
    await ledger.newProcess().table.update({ key: sealerKey, set });
    await sealOnce(ledger);
    await expectAllSealed(ledger);
  });

  test("a receipt whose minute was settled meanwhile is found by its last visit", async () => {
    const { ledger, quiet } = await newWorld(true);
    const { arrive } = await beginLateWrite(ledger, quiet);
    for (let minute = 0; minute < 7; minute++) await sealOnce(ledger);
    await arrive();
    for (let minute = 0; minute < 15; minute++) await sealOnce(ledger);
    await expectAllSealed(ledger);
  });
});
