// Reports and their codes: what is sealed is proven without one, and what is not needs its own.
import { afterAll, expect, test } from "vitest";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { complianceReceiptSchema } from "../../../evidence/core/formats/compliance-receipt.ts";
import { evidenceBundleSchema } from "../../../evidence/core/formats/evidence-bundle.ts";
import { verifyBundle } from "../../../evidence/core/verify/verify-bundle.ts";
import { encodeKeyId } from "../../../service/ledger/leaf-codec.ts";
import type { Interceptor } from "../../support/faults.ts";
import { coreIn, KEY_ID } from "../../support/leaf-items.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { attestTurns, requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const SEALED = 40;
const DAY = 24 * 60 * MINUTE;
/** The day of these ledgers. */
const DATE = "2040-05-01";
const NO_CODE = { auth_mechanism: null, key_id: null, signature: null };

const withoutKms: Interceptor = (call, send) =>
  call.name === "GenerateMac" ? Promise.reject(new Error("KMS is away")) : send();

/** The `key_id` of today's codes. */
const dayKeyId = ({ key, clock }: Ledger): string => `${key.id}/${clock().toISOString().slice(0, 10)}`;

/** A sealed conversation. */
async function newWorld() {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  await attestTurns(ledger.newProcess(), caller, SEALED);
  await ledger.newProcess().seal();
  ledger.now += MINUTE;
  return { ledger, caller, attest: () => ledger.newProcess().attest(caller, requestOf("call")) };
}

test("all codes of a day take one request to the key service", async () => {
  const { ledger, caller, attest } = await newWorld();
  const process = ledger.newProcess();
  const derivations = () => process.calls.steps.filter(({ name }) => name === "GenerateMac").length;
  for (let i = 0; i < 3; i++) {
    await process.attest(caller, requestOf("call"));
    await attest();
    const { signature, key_id } = await process.interaction(caller, "call");
    expect([signature, key_id]).toEqual([expect.stringMatching(/=$/), dayKeyId(ledger)]);
  }
  expect(derivations()).toBe(1);
  ledger.now += DAY;
  // One for the answer; the receipts that are not sealed are still of the day before, whose key the process has.
  expect((await process.interaction(caller, "call")).key_id).toBe(dayKeyId(ledger));
  expect(derivations()).toBe(2);
  // A process that begins today needs both.
  const fresh = ledger.newProcess();
  await fresh.interaction(caller, "call");
  expect(fresh.calls.steps.filter(({ name }) => name === "GenerateMac")).toHaveLength(2);
});

test("while the key service is away, what is sealed is reported, and says that it has no code", async () => {
  const { ledger, caller, attest } = await newWorld();
  const process = ledger.newProcess(withoutKms);
  const bundle = await process.interaction(caller, "call");
  expect(evidenceBundleSchema.parse(bundle)).toMatchObject(NO_CODE);
  const { checks } = await verifyBundle({ ...bundle, receipts: [...bundle.receipts] });
  // Tokens of these tests are none that a reader takes.
  const failed = checks.filter(({ name, ok }) => ok === false && !name.includes("timestamp"));
  expect([failed, checks.length > SEALED]).toEqual([[], true]);
  const [first] = bundle.receipts;
  expect(first?.signature).toMatch(/=$/);
  const report = await process.report(caller, first?.event_id ?? "");
  expect(complianceReceiptSchema.parse(report)).toMatchObject(NO_CODE);

  // Nothing vouches for a receipt that is not sealed but its code.
  const { event_id } = await attest();
  for (const call of [process.report(caller, event_id), process.interaction(caller, "call")]) {
    await expect(call).rejects.toMatchObject({ code: "mac_unavailable" });
  }
});

test("a process that has the day's key goes on without the key service, until the day ends", async () => {
  const { ledger, caller } = await newWorld();
  const outage = { isOn: false };
  const process = ledger.newProcess((call, send) => (outage.isOn ? withoutKms(call, send) : send()));
  await process.attest(caller, requestOf("call"));
  outage.isOn = true;
  const { event_id } = await process.attest(caller, requestOf("call"));
  expect((await process.report(caller, event_id)).key_id).toBe(dayKeyId(ledger));
  ledger.now += DAY;
  await expect(process.attest(caller, requestOf("call"))).rejects.toMatchObject({ code: "mac_unavailable" });
  // The receipt is of a day whose key the process has; for the answer there is none.
  expect(complianceReceiptSchema.parse(await process.report(caller, event_id))).toMatchObject(NO_CODE);
  outage.isOn = false;
  const later = await process.attest(caller, requestOf("call"));
  expect(later.receipts[0]?.key_id).toBe(dayKeyId(ledger));
  await ledger.check();
});

test("a report of a process that does not know the time has no code, and nothing is attested", async () => {
  const { ledger, caller } = await newWorld();
  const { event_id } = await ledger.newProcess().attest(caller, requestOf("call"));
  const clock = (): Date => {
    throw new DisclosureError("clock_off", "our clock is more than a minute from AWS's");
  };
  const process = ledger.newProcess(undefined, { clock });
  expect(await process.report(caller, event_id)).toMatchObject(NO_CODE);
  await expect(process.attest(caller, requestOf("call"))).rejects.toMatchObject({ code: "clock_off" });
});

test.each([
  ["a key that was never the service's", () => `retired-key/${DATE}`],
  ["the key of another day", ({ key }: Ledger) => `${key.id}/2040-05-02`],
  ["the key in KMS itself", ({ key }: Ledger) => key.id],
])(
  "a receipt under %s is an error of ours and is not sealed, and is one after its seal as well",
  async (_, keyIdOf) => {
    const { ledger, caller, attest } = await newWorld();
    const { event_id } = await attest();
    const key = (await keysUnder(ledger, `chain#${caller.chainIds[0]}`)).at(-1) ?? ["", ""];
    const item = await readItem(ledger, key);
    const { issued_at } = coreIn(item);
    const changed = { ...item, [KEY_ID]: { B: encodeKeyId(keyIdOf(ledger), issued_at) } };
    const report = () => ledger.newProcess().report(caller, event_id);
    await writeItem(ledger, changed);
    await expect(report()).rejects.toMatchObject({ code: "ledger_corrupt" });
    await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
    await writeItem(ledger, item);
    await ledger.newProcess().seal();
    await report();
    await writeItem(ledger, changed);
    await expect(report()).rejects.toMatchObject({ code: "ledger_corrupt" });
  },
);
