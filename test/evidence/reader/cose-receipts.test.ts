// The COSE receipts that a reader has next to evidence are checked with the receipts at whose places of the log they are.
import { expect, test } from "vitest";
import { chainHeadEntry } from "../../../evidence/core/formats/metachain.ts";
import { type CoseReceipt, parseSignedRoot } from "../../../evidence/core/log/cose-receipt.ts";
import { policyOfLog } from "../../../evidence/core/log/tlog-policy.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import { placesOf, withCoseReceipts } from "../../../evidence/reader/cose-receipts.ts";
import type { Examination } from "../../../evidence/reader/examination.ts";
import { type LogSigner, newLog, signCheckpoint, signRoot } from "../../support/log-signer.ts";
import { readReceipt } from "../../support/vector-files.ts";

const LOG = newLog("receipts.example.com/v1/metachain");
const policy = policyOfLog(LOG.key);
const turnOf = (file: string): Examination["turns"][number] => ({
  evidence: { ...readReceipt(file), log_checkpoint: null },
  checks: [{ name: "leaf_hash", ok: true, detail: "" }],
  follows: null,
  tokenTime: null,
  times: [],
  recordedAfter: null,
  checkpoint: null,
  wording: null,
});
const [sealed, other, pending] = ["hand-off", "other-tenant", "hand-off-pending"].map((name) =>
  turnOf(`receipts/${name}.json`),
) as [Examination["turns"][number], Examination["turns"][number], Examination["turns"][number]];
const examination: Examination = {
  kind: "bundle",
  turns: [sealed, pending, other],
  seals: [],
  whole: [],
  unavailable: null,
};
const crossOf = ({ evidence }: typeof sealed) =>
  evidence.merkle_proof.cross_tenant_proof ?? expect.unreachable("it is sealed");

/** The COSE receipt of a turn, by this log. */
function coseOf(turn: typeof sealed, signer = LOG): CoseReceipt {
  const { leaf_index: leafIndex, tree_size: treeSize, path, root } = crossOf(turn);
  const signedRoot = parseSignedRoot(signRoot(signer, parseNode(root)));
  return { signedRoot, proof: { leafIndex, treeSize, path: path.map(parseNode) } };
}
const namesOf = ({ turns }: Examination) =>
  turns.map(({ checks }) => checks.map(({ name, ok }) => [name, ok]));

test("each turn has the check of the COSE receipts at its place, beside its own", async () => {
  expect(chainHeadEntry(crossOf(sealed).leaf)).not.toEqual(chainHeadEntry(crossOf(other).leaf));
  const receipts = [coseOf(sealed), coseOf(sealed, newLog(LOG.key.name)), coseOf(other)];
  const own = ["leaf_hash", true];
  expect(namesOf(await withCoseReceipts(examination, { receipts, policy }))).toEqual([
    [own, ["cose_receipt", true], ["cose_receipt", false]],
    [own],
    [own, ["cose_receipt", true]],
  ]);
});

test("a COSE receipt of another place, or without a key, shows nothing", async () => {
  const { signedRoot, proof } = coseOf(sealed);
  const elsewhere = { signedRoot, proof: { ...proof, treeSize: proof.treeSize + 1 } };
  expect(await withCoseReceipts(examination, { receipts: [elsewhere], policy })).toEqual(examination);
  const unread = await withCoseReceipts(examination, { receipts: [coseOf(sealed)], policy: null });
  expect(unread.turns[0]?.checks.at(-1)).toMatchObject({ name: "cose_receipt", ok: null });
});

test("a COSE receipt of the same place of another log says nothing against a receipt that names its log", async () => {
  const { tree_size: size, root } = crossOf(sealed);
  const named = (log: LogSigner): Examination["turns"][number] => {
    const log_checkpoint = signCheckpoint(log, { size, root: parseNode(root) });
    return { ...sealed, evidence: { ...sealed.evidence, log_checkpoint } };
  };
  const elsewhere = newLog("elsewhere.example/v1/metachain");
  const { signedRoot, proof } = coseOf(sealed, elsewhere);
  const path = proof.path.map((node) => node.toReversed());
  const receipts = [coseOf(sealed), { signedRoot, proof: { ...proof, path } }];
  const checked = (turn: typeof sealed) =>
    withCoseReceipts({ ...examination, turns: [turn] }, { receipts, policy });
  const own = ["leaf_hash", true];
  expect(namesOf(await checked(named(LOG)))).toEqual([[own, ["cose_receipt", true]]]);
  // Where the receipt does not name its log, nobody can tell: the COSE receipt may be false.
  const all = [own, ["cose_receipt", true], ["cose_receipt", false]];
  expect(namesOf(await checked(sealed))).toEqual([all]);
  const damaged = { ...sealed, evidence: { ...sealed.evidence, log_checkpoint: "nonsense" } };
  expect(namesOf(await checked(damaged))).toEqual([all]);
});

test("the places of an examination are those of its sealed receipts", () => {
  const places = [sealed, other].map((turn) => ({ cross: crossOf(turn), origin: null }));
  expect(placesOf(examination)).toEqual(places);
});
