// A ledger that an insider writes into before it is sealed, and what everybody sees of that.
import { expect } from "vitest";
import type { ChainHead } from "../../evidence/core/formats/metachain.ts";
import { TimestampVerifier } from "../../evidence/core/timestamps/timestamp-verifier.ts";
import { type LedgerStatus, readLedgerStatus } from "../../service/audit/ledger-status.ts";
import { setAside } from "../../service/sealing/set-aside.ts";
import { type Ledger, type LedgerStack, MINUTE, type TestCaller } from "./ledger-stack.ts";
import { requestOf } from "./test-process.ts";

export const HEADS = 3;
export const ROOT = `0x${"5a".repeat(32)}`;

export const chainOf = ({ chainIds }: TestCaller): string => chainIds[0] ?? "";
export const attest = (ledger: Ledger, caller: TestCaller) =>
  ledger.newProcess().attest(caller, requestOf("call"));

/** A chain with heads 0 to 2, one receipt each, and one more that waits; beside it, another tenant's. */
export async function newUnclaimedWorld(stack: LedgerStack) {
  const ledger = await stack.newLedger();
  const [caller, other] = [await ledger.newTenant("tenant"), await ledger.newTenant("other")];
  for (let head = 0; head < HEADS; head++) {
    await attest(ledger, caller);
    await attest(ledger, other);
    await ledger.newProcess().seal();
    ledger.now += MINUTE;
  }
  await attest(ledger, caller);
  await attest(ledger, other);
  return { ledger, caller, other, chainId: chainOf(caller) };
}

export async function statusOf(ledger: Ledger): Promise<LedgerStatus> {
  const { table, roots, macs } = ledger.newProcess();
  const verifier = new TimestampVerifier([]);
  const services = { table, roots, macs, verifier, clock: ledger.clock, witnessPolicy: null };
  return readLedgerStatus(services, [], () => {});
}

const rootsIn = (ledger: Ledger) => ledger.newProcess().roots.head();

/** Three runs, each of which publishes nothing, counts the entry and names it. */
export async function expectStopped(ledger: Ledger, place: number, chainId: string): Promise<void> {
  const head = await rootsIn(ledger);
  for (let run = 0; run < 3; run++) {
    const process = ledger.newProcess();
    const message = expect.stringContaining(`entry ${place} of the metachain is claimed by no chain`);
    await expect(process.seal()).rejects.toMatchObject({ code: "publication_conflict", message });
    expect(process.counted).toMatchObject({ unclaimedEntries: 1, publicationConflicts: 1 });
    expect(process.calls.steps.filter(({ name }) => name === "PutObject")).toEqual([]);
    ledger.now += MINUTE;
  }
  expect(await rootsIn(ledger)).toEqual(head);
  expect((await statusOf(ledger)).unclaimed).toMatchObject({ leafIndex: place, chainId });
}

/** The honest receipts are sealed by the next run, and the whole log holds. */
export async function expectSealedAfterSettingAside(
  ledger: Ledger,
  place: number,
  receipts: number,
): Promise<void> {
  const taken = await setAside(ledger.newProcess(), place);
  expect(taken.unclaimed.leafIndex).toBe(place);
  expect(await statusOf(ledger)).toMatchObject({ unclaimed: null, unpublished: 0 });
  await ledger.newProcess().seal();
  expect((await ledger.check()).publishedReceipts).toBe(receipts);
}

export const headOf = (chainId: string, members: Partial<ChainHead>): ChainHead => ({
  chain_id: chainId,
  head_index: HEADS,
  tree_size: 4_096,
  root: ROOT,
  ...members,
});
