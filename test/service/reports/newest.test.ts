// A report as of the newest seal: the same receipt under its chain's newest published head. Whatever reports of any ages
// say, they go together.
import { afterAll, describe, expect, test } from "vitest";
import { SeenHistory } from "../../../clients/client/chain-memory.ts";
import { utf8 } from "../../../evidence/core/bytes.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import type { ReceiptEvidence } from "../../../evidence/core/formats/evidence.ts";
import { verifyReceipt } from "../../../evidence/core/verify/verify-receipt.ts";
import { CrossCheck } from "../../../evidence/reader/cross-check.ts";
import { exportableReport } from "../../../evidence/reader/export.ts";
import { laterReport } from "../../../evidence/reader/later-report.ts";
import { appendAll } from "../../support/append-all.ts";
import { MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function newWorld(isSigned = false) {
  const ledger = await stack.newLedger({ isSigned });
  const [caller, other] = [await ledger.newTenant("tenant"), await ledger.newTenant("other")];
  const seal = async (...callers: readonly TestCaller[]): Promise<string[]> => {
    const process = ledger.newProcess();
    const ids: string[] = [];
    for (const of of callers) ids.push((await process.attest(of, requestOf("call"))).event_id);
    await process.seal();
    ledger.now += MINUTE;
    return ids;
  };
  return { ledger, caller, other, seal };
}

const crossOf = ({ merkle_proof }: ComplianceReceipt) =>
  merkle_proof.cross_tenant_proof ?? expect.unreachable("the proof is pending");

/** The checks that do not hold, with the published seal; tokens of these tests are nobody's. */
async function faultsOf(process: TestProcess, report: ComplianceReceipt): Promise<string[]> {
  const seal = await process.roots.seal(crossOf(report).seal_index);
  const { checks } = await verifyReceipt(report, { seal });
  const failed = checks.filter(({ name, ok }) => ok === false && name !== "timestamp");
  return failed.map(({ name, detail }) => `${name}: ${detail}`);
}

const newestReport = (process: TestProcess, caller: TestCaller, id = ""): Promise<ComplianceReceipt> =>
  process.report(caller, id, "newest");

describe("a report as of the newest seal", () => {
  test("leads to the chain's newest head under it, and carries what belongs to that seal", async () => {
    const { ledger, caller, other, seal } = await newWorld(true);
    const [first] = await seal(caller, other);
    await seal(caller);
    await seal(other);
    const process = ledger.newProcess();
    const old = await process.report(caller, first ?? "");
    const report = await newestReport(process, caller, first);
    expect(report.receipts).toEqual(old.receipts);
    expect(crossOf(old)).toMatchObject({ seal_index: 0, leaf: { head_index: 0, tree_size: 1 } });
    expect(crossOf(report)).toMatchObject({ seal_index: 2, leaf: { head_index: 1, tree_size: 2 } });
    const published = await process.roots.seal(2);
    expect(report.merkle_proof.merkle_root).toBe(published?.merkle_root);
    expect(report.tsa_timestamp).toEqual(published?.tsa_timestamp);
    expect(report).toMatchObject({
      evidence_chain: { sequence: 1 },
      log_checkpoint: Buffer.from((await process.roots.logFile("checkpoints/2")) ?? []).toString(),
      log_signed_root: Buffer.from((await process.roots.logFile("signed-roots/2")) ?? []).toString("base64"),
    });
    expect(await faultsOf(process, report)).toEqual([]);
  });

  test("is the ordinary one while its receipt is pending, also behind an entry that no seal publishes", async () => {
    const { ledger, caller, seal } = await newWorld();
    const process = ledger.newProcess();
    const isPending = async (id: string) => {
      const [ordinary, newest] = [await process.report(caller, id), await newestReport(process, caller, id)];
      expect(newest).toEqual(ordinary);
      expect(newest.merkle_proof.status).toBe("pending");
    };
    await isPending((await process.attest(caller, requestOf("call"))).event_id);
    const [sealed] = await seal(caller);
    const { event_id } = await process.attest(caller, requestOf("call"));
    await isPending(event_id);
    await appendAll(process, caller.chainIds);
    await isPending(event_id);
    expect(crossOf(await newestReport(process, caller, sealed)).leaf).toMatchObject({ head_index: 0 });
  });

  test("takes no more reads than the ordinary one", async () => {
    const { ledger, caller, seal } = await newWorld();
    const [first] = await seal(caller);
    for (let i = 0; i < 9; i++) await seal(caller);
    const stepsOf = async (head: "first" | "newest"): Promise<number> => {
      const process = ledger.newProcess();
      await process.report(caller, first ?? "", head);
      return process.calls.steps.filter(({ name }) => /Query|GetItem/.test(name)).length;
    };
    expect(await stepsOf("newest")).toBeLessThanOrEqual(await stepsOf("first"));
  });

  test("is refused where the newest head is not the chain's, as is an id that is nobody's", async () => {
    const { ledger, caller, other, seal } = await newWorld();
    const [first] = await seal(caller, other);
    await seal(caller, other);
    const process = ledger.newProcess();
    await expect(newestReport(process, other, first)).rejects.toMatchObject({ code: "not_found" });
    const [mine, others] = await Promise.all(
      [caller, other].map(async ({ chainIds }) => (await keysUnder(ledger, `sealed#${chainIds[0]}`)).at(-1)),
    );
    const span = await readItem(ledger, mine ?? ["", ""]);
    const { leaf_index } = (await readItem(ledger, others ?? ["", ""])) ?? {};
    await writeItem(ledger, { ...span, leaf_index: leaf_index ?? { N: "" } });
    await expect(newestReport(process, caller, first)).rejects.toMatchObject({ code: "ledger_corrupt" });
  });
});

/** The report as `convert --newest` writes it down: its own head under the newest checkpoint. */
async function converted({ roots }: TestProcess, report: ComplianceReceipt): Promise<ReceiptEvidence> {
  const log = {
    name: "the service's own",
    head: async () => utf8(JSON.stringify(await roots.head())),
    root: async (index: number) => utf8((await roots.sealText(index)) ?? ""),
    timestamp: async () => null,
    logFile: (path: string) => roots.logFile(path),
  };
  return (await laterReport(exportableReport(report), log)).report.evidence;
}

/** Both reports of every receipt, asked for again after each of these seals: which of the two chains grew. */
const GROWTH = ["both", "caller", "other", "other", "caller", "both", "caller"] as const;

test("reports of any ages, and what is converted of them, go together in whatever order they are read", async () => {
  const { ledger, caller, other, seal } = await newWorld(true);
  const process = ledger.newProcess();
  const ids: string[] = [];
  const reports: ComplianceReceipt[] = [];
  for (const grown of GROWTH) {
    const callers = [caller, other].filter(
      (of) => grown === "both" || (grown === "caller") === (of === caller),
    );
    const [id] = await seal(...callers);
    if (callers.includes(caller)) ids.push(id ?? "");
    for (const each of ids)
      reports.push(await process.report(caller, each), await newestReport(process, caller, each));
  }
  const shown: ReceiptEvidence[] = [...reports];
  for (const report of reports) shown.push(await converted(process, report));
  const byEvent = shown.toSorted((a, b) => ((a.event_id ?? "") < (b.event_id ?? "") ? -1 : 1));
  for (const [i, order] of [shown, shown.toReversed(), byEvent].entries()) {
    const [crossCheck, memory] = [new CrossCheck(), new SeenHistory()];
    for (const [place, receipt] of order.entries()) {
      crossCheck.add({ kind: "report", receipt }, `${i}-${place}`);
      memory.learn(receipt);
    }
    const { checks } = await crossCheck.verify();
    expect(checks.filter(({ ok }) => ok !== true)).toEqual([]);
  }
});
