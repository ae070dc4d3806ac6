// Chains that can't be sealed: set aside by name, tried again, and in nobody's way.
import { afterAll, expect, test } from "vitest";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { sealUntilCutOff } from "../../support/dying-run.ts";
import { CORE } from "../../support/leaf-items.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, without, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** A damaged chain beside a sound one. Returns what repairs it. */
async function newWorld() {
  const ledger = await stack.newLedger();
  const [damaged, sound] = [await ledger.newTenant("damaged"), await ledger.newTenant("sound")];
  await ledger.newProcess().attest(damaged, requestOf("call"));
  const [key = ["", ""]] = await keysUnder(ledger, `chain#${damaged.chainIds[0]}`);
  const whole = await readItem(ledger, key);
  await writeItem(ledger, without(whole, CORE));
  return { ledger, damaged, sound, repair: () => writeItem(ledger, whole) };
}

async function setAside(ledger: Ledger): Promise<readonly string[] | undefined> {
  return (await readItem(ledger, ["sealer", "damaged"])).chains?.SS;
}

const attest = (ledger: Ledger, caller: Caller) => ledger.newProcess().attest(caller, requestOf("call"));

/** One failing run. Returns how many chains it looked at, and how long the oldest thing has waited. */
async function runDamaged(ledger: Ledger) {
  const process = ledger.newProcess();
  await expect(process.seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
  const { chainsWithNews, sealLag, damagedChains } = process.counted;
  return { chainsWithNews, sealLag, damagedChains };
}

test("a damaged chain is set aside by name, and no run gets longer by it", async () => {
  const { ledger, damaged, sound } = await newWorld();
  for (let run = 0; run < 40; run++) {
    // A new tenant a run, which later runs have no reason to look at.
    if (run < 5) await attest(ledger, await ledger.newTenant(`tenant-${run}`));
    if (run === 20) await attest(ledger, sound);
    const counts = await runDamaged(ledger);
    expect(counts).toMatchObject({ sealLag: 0, damagedChains: 1 });
    if (run > 30) expect(counts.chainsWithNews).toBe(1);
    ledger.now += MINUTE;
  }
  expect(await setAside(ledger)).toEqual(damaged.chainIds);
  expect(await keysUnder(ledger, `sealed#${sound.chainIds[0]}`)).toHaveLength(1);
});

test("once it is repaired, the next run seals it and takes its name back", async () => {
  const { ledger, repair } = await newWorld();
  for (let run = 0; run < 30; run++) {
    await runDamaged(ledger);
    ledger.now += MINUTE;
  }
  await repair();
  const { published } = await ledger.newProcess().seal();
  expect(published).toMatchObject([{ receipt_count: 1 }]);
  const process = ledger.newProcess();
  expect(await process.seal()).toMatchObject({ outcome: "nothing_new", chains: 0 });
  expect(process.counted.damagedChains).toBe(0);
  await ledger.check();
});

test("a second fault shows while a chain is set aside", async () => {
  const { ledger, sound } = await newWorld();
  await runDamaged(ledger);
  ledger.now += MINUTE;
  await attest(ledger, sound);
  ledger.now += 20 * MINUTE;
  const noSeal = ledger.newProcess((call, send) =>
    call.name === "TransactWriteItems" ? Promise.reject(new Error("no answer")) : send(),
  );
  await expect(noSeal.seal()).rejects.toMatchObject({ code: "ledger_unavailable" });
  expect(noSeal.counted.sealLag).toBe(20 * 60);
});

test("a run that is cut off has done what it read, and the next one begins there", async () => {
  const ledger = await stack.newLedger();
  const process = ledger.newProcess();
  const callers = await Promise.all(ascending(120, (i) => ledger.newTenant(`tenant-${i}`)));
  for (const caller of callers) await process.attest(caller, requestOf("call"));
  for (const entries of [50, 100]) {
    await sealUntilCutOff(ledger);
    expect(await keysUnder(ledger, "chain#metachain")).toHaveLength(entries);
  }
  const last = ledger.newProcess();
  expect((await last.seal()).published).toMatchObject([{ receipt_count: 120 }]);
  await ledger.check();
});
