// A sealed chain that was cut back and regrown past the service: its fork is never sealed.
import { afterAll, expect, test } from "vitest";
import { sealUntilCutOff } from "../../support/dying-run.ts";
import { LEFT_PATH } from "../../support/leaf-items.ts";
import { type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { deleteItem, keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const SEALED = 6;
const KEPT = 3;

const chainOf = ({ chainIds }: TestCaller): string => chainIds[0] ?? "";
const attest = (ledger: Ledger, caller: TestCaller, interaction: string) =>
  ledger.newProcess().attest(caller, requestOf(interaction));

/** Six sealed receipts of one chain beside another tenant's, and their conversations' turns. */
async function newWorld() {
  const ledger = await stack.newLedger();
  const [caller, other] = [await ledger.newTenant("tenant"), await ledger.newTenant("other")];
  await attest(ledger, other, "other");
  for (let i = 0; i < SEALED; i++) await attest(ledger, caller, `call-${i}`);
  await ledger.newProcess().seal();
  ledger.now += MINUTE;
  return { ledger, caller, other };
}

/** Deletes the newest receipts, and lets ordinary calls fill their places. */
async function regrow(ledger: Ledger, caller: TestCaller, size: number): Promise<void> {
  const leaves = await keysUnder(ledger, `chain#${chainOf(caller)}`);
  for (const key of leaves.slice(KEPT)) await deleteItem(ledger, key);
  for (let i = KEPT; i < size; i++) await attest(ledger, caller, `forged-${i}`);
}

async function expectRefused(ledger: Ledger): Promise<void> {
  await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
}

const entriesOf = (ledger: Ledger) => keysUnder(ledger, "chain#metachain");

test.each([SEALED - 1, SEALED + 2])(
  "a chain that was cut back and regrown to %i receipts is not sealed, and others are",
  async (size) => {
    const { ledger, caller, other } = await newWorld();
    await regrow(ledger, caller, size);
    await attest(ledger, other, "other");
    await expectRefused(ledger);
    const spans = await keysUnder(ledger, `sealed#${chainOf(caller)}`);
    expect([spans.length, (await entriesOf(ledger)).length]).toEqual([1, 3]);
  },
);

test("a chain that lost all its receipts is damaged, not empty", async () => {
  const { ledger, caller } = await newWorld();
  await attest(ledger, caller, "call");
  for (const key of await keysUnder(ledger, `chain#${chainOf(caller)}`)) await deleteItem(ledger, key);
  await expectRefused(ledger);
});

test("a fork is not sealed either where the entry of the sealed head was rewritten to match it", async () => {
  const { ledger, caller } = await newWorld();
  const [key = ["", ""]] = await keysUnder(ledger, `sealed#${chainOf(caller)}`);
  const span = await readItem(ledger, key);
  const place = Number(span.leaf_index?.N);
  const honest = await entriesOf(ledger);
  await regrow(ledger, caller, SEALED);
  // The insider lets the honest code make an entry of the fork, and puts it in the place of the sealed one.
  await deleteItem(ledger, key);
  await ledger
    .newProcess()
    .seal()
    .catch(() => undefined);
  const made = (await entriesOf(ledger)).at(-1) ?? ["", ""];
  const forged = await readItem(ledger, made);
  const victim = await readItem(ledger, honest[place] ?? ["", ""]);
  const { pk, sk, [LEFT_PATH]: leftPath, receipts_total } = victim;
  await writeItem(ledger, {
    ...forged,
    ...({ pk, sk, [LEFT_PATH]: leftPath, receipts_total } as typeof victim),
  });
  await writeItem(ledger, span);
  await attest(ledger, caller, "next");
  ledger.now += MINUTE;
  await expectRefused(ledger);
  const spans = await keysUnder(ledger, `sealed#${chainOf(caller)}`);
  expect(spans).toEqual([key]);
});

test("a span that was led to another chain's entry does not let its chain be sealed", async () => {
  const { ledger, caller, other } = await newWorld();
  const [mine, others] = await Promise.all(
    [caller, other].map(async (of) => {
      const [key = ["", ""]] = await keysUnder(ledger, `sealed#${chainOf(of)}`);
      return readItem(ledger, key);
    }),
  );
  await writeItem(ledger, { ...mine, leaf_index: others?.leaf_index ?? { N: "" } });
  await attest(ledger, caller, "next");
  await expectRefused(ledger);
});

test("a chain that grew honestly is sealed, also after a run that died before its seal", async () => {
  const { ledger, caller } = await newWorld();
  await attest(ledger, caller, "call");
  // The entries are written, and the seal is not.
  await sealUntilCutOff(ledger);
  ledger.now += MINUTE;
  await attest(ledger, caller, "call");
  await ledger.newProcess().seal();
  expect((await ledger.check()).publishedReceipts).toBe(SEALED + 3);
});
