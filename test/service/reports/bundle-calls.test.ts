// What a page of a conversation costs: its calls are counted, and its bytes are those of a page that shares no read.
import { afterAll, expect, test } from "vitest";
import type { EvidenceBundle } from "../../../evidence/core/formats/evidence-bundle.ts";
import { MAX_PAGE_SEALS, MAX_PAGE_TURNS } from "../../../service/reports/bundle-page.ts";
import { ReportReader } from "../../../service/reports/report-reader.ts";
import { mapInGroups } from "../../../service/table/in-groups.ts";
import { MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { sealEach } from "../../support/seal-each.ts";
import { attestTurns, requestOf, type TestProcess } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** A page of 500 turns in few seals. Read turn by turn, it would take more than a thousand. */
const MAX_CALLS = 40;
/** Where no two turns are under seals that follow each other: two queries find a seal, and some are found in vain. */
const MAX_CALLS_FAR_APART = 2 * 2 * MAX_PAGE_SEALS;
const SEALS = 4;
const READ_CONCURRENCY = 16;

async function newWorld() {
  const ledger = await stack.newLedger();
  return { ledger, caller: await ledger.newTenant("tenant"), process: ledger.newProcess() };
}

/** The number of calls by their kind, and all of them. */
function callsOf({ calls: { steps } }: TestProcess) {
  const of = (name: string) => steps.filter((step) => step.name === name).length;
  return { GenerateMac: of("GenerateMac"), all: steps.length };
}

/** The proofs of some receipts, each read by a reader of its own. */
const readProofsOneByOne = (process: TestProcess, caller: TestCaller, receipts: EvidenceBundle["receipts"]) =>
  mapInGroups(receipts, READ_CONCURRENCY, async ({ sequence }) => {
    const place = { chainId: caller.chainIds[0] ?? "", sequence };
    const [report] = await new ReportReader(process).read([place]);
    const { event_id, evidence_chain, merkle_proof } = report ?? expect.unreachable();
    return { event_id, evidence_chain, merkle_proof };
  });

test("a page of 500 turns takes tens of calls, and holds what each receipt's own report holds", async () => {
  const { ledger, caller } = await newWorld();
  for (let round = 0; round <= SEALS; round++) {
    const process = ledger.newProcess();
    await attestTurns(process, caller, MAX_PAGE_TURNS / (SEALS + 1));
    await process.attest(caller, requestOf("other"));
    if (round < SEALS) await process.seal();
    ledger.now += MINUTE;
  }
  const process = ledger.newProcess();
  const page = await process.interaction(caller, "call");
  const { GenerateMac, all } = callsOf(process);
  expect([page.receipts.length, page.seals.length, GenerateMac]).toEqual([MAX_PAGE_TURNS, SEALS, 1]);
  expect(all).toBeLessThanOrEqual(MAX_CALLS);
  const isSample = (_: unknown, i: number) => i % 12 === 0;
  const proofs = await readProofsOneByOne(ledger.newProcess(), caller, page.receipts.filter(isSample));
  expect(JSON.stringify(page.proofs.filter(isSample))).toBe(JSON.stringify(proofs));
});

test("a page ends with a hundred seals, so that turns far from each other take a bounded number of calls", async () => {
  const { ledger, caller, process } = await newWorld();
  for (let i = 0; i < MAX_PAGE_SEALS + 20; i++) {
    const ids = ["other-1", "other-2", "call"];
    await Promise.all(ids.map((id) => process.attest(caller, requestOf(id))));
  }
  await sealEach(process.table, caller.chainIds[0] ?? "");
  const reader = ledger.newProcess();
  const page = await reader.interaction(caller, "call");
  expect([page.seals.length, page.next_turn]).toEqual([MAX_PAGE_SEALS, MAX_PAGE_SEALS + 1]);
  expect(callsOf(reader).all).toBeLessThanOrEqual(MAX_CALLS_FAR_APART);
  const rest = await reader.interaction(caller, "call", MAX_PAGE_SEALS + 1);
  expect([rest.seals.length, rest.next_turn]).toEqual([20, null]);
});
