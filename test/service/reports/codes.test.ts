// Reports and their codes: what is sealed is proven without one, and what is not needs its own.
import { afterAll, expect, test } from "vitest";
import { complianceReceiptSchema } from "../../../core/formats/compliance-receipt.ts";
import { evidenceBundleSchema } from "../../../core/formats/evidence-bundle.ts";
import { verifyBundle } from "../../../core/verify/verify-bundle.ts";
import { encodeKeyId } from "../../../service/ledger/leaf-codec.ts";
import type { Interceptor } from "../../support/faults.ts";
import { KEY_ID } from "../../support/leaf-items.ts";
import { MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { attestTurns, requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const SEALED = 40;
const NO_CODE = { auth_mechanism: null, key_id: null, signature: null };

const withoutKms: Interceptor = (call, send) =>
  call.name === "GenerateMac" ? Promise.reject(new Error("KMS is away")) : send();

/** A sealed conversation. */
async function newWorld() {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  await attestTurns(ledger.newProcess(), caller, SEALED);
  await ledger.newProcess().seal();
  ledger.now += MINUTE;
  return { ledger, caller, attest: () => ledger.newProcess().attest(caller, requestOf("call")) };
}

test("a bundle of sealed turns asks for one code, its own", async () => {
  const { ledger, caller, attest } = await newWorld();
  const process = ledger.newProcess();
  await process.interaction(caller, "call");
  expect(process.calls.steps.filter(({ name }) => name === "GenerateMac")).toHaveLength(1);
  await attest();
  await process.interaction(caller, "call");
  expect(process.calls.steps.filter(({ name }) => name === "GenerateMac")).toHaveLength(1 + 2);
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

test("a receipt under a key that was never the service's is an error of ours, sealed or not", async () => {
  const { ledger, caller, attest } = await newWorld();
  const { event_id } = await attest();
  const key = (await keysUnder(ledger, `chain#${caller.chainIds[0]}`)).at(-1) ?? ["", ""];
  await writeItem(ledger, {
    ...(await readItem(ledger, key)),
    [KEY_ID]: { B: encodeKeyId("retired-key", "") },
  });
  for (let run = 0; run < 2; run++) {
    const report = ledger.newProcess().report(caller, event_id);
    await expect(report).rejects.toMatchObject({ code: "ledger_corrupt" });
    await ledger.newProcess().seal();
  }
});
