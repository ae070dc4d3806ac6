import { expect, test } from "vitest";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import type { EvidenceBundle } from "../../../evidence/core/formats/evidence-bundle.ts";
import { fileWith, readJson, receipts, vector } from "./command-line.ts";

const CONVERSATION = vector("bundles/conversation.json");
const ID = "call-2026-000117";

/** The turns from `first` to `last` of the conversation, as the service pages them. */
function page(first: number, last: number): string {
  const bundle = readJson<EvidenceBundle>(CONVERSATION);
  const cut = <T>(list: readonly T[]): T[] => list.slice(first - 1, last);
  return fileWith(
    JSON.stringify({
      ...bundle,
      receipts: cut(bundle.receipts),
      requests: cut(bundle.requests),
      proofs: cut(bundle.proofs),
      next_turn: last < bundle.receipts.length ? last + 1 : null,
    }),
    `page-${first}.json`,
  );
}

test("a whole conversation is not said to lack anything", async () => {
  expect((await receipts("verify", CONVERSATION)).stdout).not.toContain("Not among these files");
});

test.each([
  [1, 2, "turns from 3 on of a conversation with 2 turns"],
  [2, 4, "turn 1 of a conversation with 4 turns"],
  [3, 3, "turns 1 to 2, turns from 4 on of a conversation with 3 turns"],
])("turns %i to %i are not taken for the whole conversation", async (first, last, missing) => {
  const { status, stdout } = await receipts("verify", page(first, last));
  expect(status).toBe(0);
  expect(stdout).toContain(`Not among these files: ${missing} or more (${ID}).\n`);
});

test("pages that follow each other are linked from turn to turn, and make up the whole", async () => {
  const { status, stdout } = await receipts("verify", page(3, 4), page(1, 2));
  expect(status).toBe(0);
  expect(stdout).toMatch(/✓ {2}turn_links +3 links from turn to turn/);
  expect(stdout).toContain("turns 1 to 4 follow one another without a gap (");
  expect(stdout).not.toContain("Not among these files");
});

test("a page that is missing between two others is named", async () => {
  const { stdout } = await receipts("verify", page(1, 1), page(4, 4), "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    summary: { missingTurns: [{ interactionId: ID, last: { turn: 4 }, ranges: [{ from: 2, to: 3 }] }] },
  });
});

test("a page that does not lead on to the next is not linked to it, and may be of another under its id", async () => {
  const stranger = readJson<ComplianceReceipt>(vector("receipts/together-b.json"));
  const { event_id, evidence_chain, merkle_proof, receipts: own } = stranger;
  // A turn of another conversation, whose request was erased: nothing in the file contradicts its new name.
  const forged = {
    ...readJson<EvidenceBundle>(CONVERSATION),
    receipts: own,
    requests: [null],
    proofs: [{ event_id, evidence_chain, merkle_proof }],
    next_turn: null,
  };
  const turn = own[0]?.turn ?? 0;
  const file = fileWith(JSON.stringify(forged));
  expect((await receipts("verify", file)).status).toBe(0);
  // Nor do the pages together, for an id that was erased may name another conversation.
  const { status, stdout } = await receipts("verify", page(1, turn - 1), file, "-v");
  expect(status).toBe(0);
  expect(stdout).toMatch(/turn_links +conversation call-2026-000117: turn 3 follows a turn that is not here/);
});
