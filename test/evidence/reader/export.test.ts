// Exports of a report, read back: a .tlog-proof is evidence like the report it came from, and what was changed is refused.
import { describe, expect, test } from "vitest";
import { formatHex, parseBase64, utf8 } from "../../../evidence/core/bytes.ts";
import { canonicalBytes, canonicalize } from "../../../evidence/core/canonical-json.ts";
import { chainHeadEntry } from "../../../evidence/core/formats/metachain.ts";
import { headOfExtra, parseReceiptExtra } from "../../../evidence/core/formats/receipt-extra.ts";
import { parseCoseReceipt, verifyCoseReceipt } from "../../../evidence/core/log/cose-receipt.ts";
import { formatNote, parseNote } from "../../../evidence/core/log/note.ts";
import { policyOfLog } from "../../../evidence/core/log/tlog-policy.ts";
import { formatTlogProof, parseTlogProof } from "../../../evidence/core/log/tlog-proof.ts";
import { isTokenLine } from "../../../evidence/core/log/token-line.ts";
import { formatNode, hashLeaf } from "../../../evidence/core/merkle/hash.ts";
import { verifyTimestampToken } from "../../../evidence/core/timestamps/timestamp-token.ts";
import { parseDocument } from "../../../evidence/reader/evidence.ts";
import type { Examination } from "../../../evidence/reader/examination.ts";
import { Examiner } from "../../../evidence/reader/examine.ts";
import {
  exportableReport,
  exportCoseReceipt,
  exportTlogProof,
  exportToken,
} from "../../../evidence/reader/export.ts";
import { PublishedSeals } from "../../../evidence/reader/published-seals.ts";
import { judge } from "../../../evidence/reader/verdict.ts";
import { ANCHORS, evidenceOf, LOG, signedReport, signedRootOf } from "../../support/signed-report.ts";
import { verifyTlogProof } from "../../support/tlog-proof.ts";

const PUBLISHED = ["greeting", "hand-off", "goodbye", "other-tenant", "together-a", "second-chain"];
const POLICY = policyOfLog(LOG.key);
const NOW = "2026-11-27T00:00:00.000Z";

async function proofOf(name: string): Promise<string> {
  const signed = signedReport(name);
  const report = exportableReport(evidenceOf(signed));
  return exportTlogProof(report, signed.log_checkpoint, await exportToken(report, ANCHORS));
}

function examine(bytes: Uint8Array): Promise<Examination> {
  const document = parseDocument(bytes);
  if (document.kind !== "report") return expect.unreachable("a proof of a receipt is read as its report");
  const published = new PublishedSeals(null);
  return new Examiner({ requests: [], published, trustAnchors: ANCHORS, now: NOW }).examine(document);
}

const checksOf = ({ turns }: Examination) =>
  new Map(turns.flatMap(({ checks }) => checks.map(({ name, ok }) => [name, ok])));

describe("a .tlog-proof", () => {
  test.each(PUBLISHED)(
    "of %s holds for a tool that knows tlog-proof and how an entry is made",
    async (name) => {
      const proof = parseTlogProof(await proofOf(name));
      const { head } = headOfExtra(parseReceiptExtra(proof.extra ?? new Uint8Array()));
      const { checkpoint } = await verifyTlogProof(proof, hashLeaf(chainHeadEntry(head)), POLICY);
      expect(formatNode(checkpoint.root)).toBe(signedReport(name).merkle_proof.merkle_root);
    },
  );

  test.each(PUBLISHED)("of %s is checked as its report is", async (name) => {
    const signed = signedReport(name);
    const fromReport = await examine(utf8(JSON.stringify(signed)));
    const fromProof = await examine(utf8(await proofOf(name)));
    const expected = checksOf(fromReport);
    // Only a report carries the seal after which the receipt was recorded, and the head of its chain.
    expected.set("evidence_chain", null);
    if (signed.receipts[0]?.recorded_after !== null) expected.set("recorded_after", null);
    expect(checksOf(fromProof)).toEqual(expected);
    expect(fromProof.turns[0]?.times).toEqual(fromReport.turns[0]?.times);
    expect(judge(fromProof).failed).toEqual([]);
  });

  test("carries what the report has, member for member", async () => {
    const signed = signedReport("hand-off");
    const document = parseDocument(utf8(await proofOf("hand-off")));
    expect(document).toMatchObject({
      kind: "report",
      receipt: {
        event_id: signed.event_id,
        merkle_proof: signed.merkle_proof,
        log_checkpoint: signed.log_checkpoint,
        tsa_timestamp: { timestamp_token: signed.tsa_timestamp.timestamp_token },
      },
    });
  });

  test("carries the token as openssl reads it, under the authority's host", async () => {
    const { checkpoint } = parseTlogProof(await proofOf("hand-off"));
    const note = parseNote(checkpoint);
    const [line, ...more] = note.signatures.filter(isTokenLine);
    expect([line?.keyName, more]).toEqual(["127.0.0.1", []]);
    const root = parseBase64(note.text.split("\n")[2] ?? "");
    expect(await verifyTimestampToken(line?.signature ?? root, root, ANCHORS)).toMatchObject({
      messageImprint: formatHex(root),
    });
  });

  test("has no token where the reader knows no authority that vouches for it", async () => {
    const report = exportableReport(evidenceOf(signedReport("hand-off")));
    expect(await exportToken(report, [])).toBeNull();
    const document = parseDocument(
      utf8(exportTlogProof(report, signedReport("hand-off").log_checkpoint, null)),
    );
    expect(document).toMatchObject({ receipt: { tsa_timestamp: { status: "pending" } } });
  });
});

test("the log's own line stays in the checkpoint though it begins as a token does", async () => {
  const { text, signatures } = parseNote(signedReport("hand-off").log_checkpoint);
  const [own, ...others] = signatures.map((line) => ({ ...line, signature: line.signature.slice() }));
  own?.signature.set([0x30, 0x82]);
  const report = exportableReport(evidenceOf(signedReport("hand-off")));
  const checkpoint = formatNote({ text, signatures: own === undefined ? others : [own, ...others] });
  const proof = exportTlogProof(report, checkpoint, await exportToken(report, ANCHORS));
  const document = parseDocument(utf8(proof));
  const { timestamp_token } = signedReport("hand-off").tsa_timestamp;
  expect(document).toMatchObject({
    receipt: { log_checkpoint: checkpoint, tsa_timestamp: { timestamp_token } },
  });
});

describe("a changed .tlog-proof", () => {
  const signed = signedReport("hand-off");
  const text = exportTlogProof(exportableReport(evidenceOf(signed)), signed.log_checkpoint, null);
  const proof = parseTlogProof(text);
  const extra = proof.extra ?? new Uint8Array();

  test("is refused whatever byte of the extra is changed, but for the number of the seal", async () => {
    const accepted = new Set<string>();
    for (let i = 0; i < extra.length; i++) {
      const flipped = extra.map((byte, at) => (at === i ? byte ^ (1 << (i % 8)) : byte));
      if (await isAccepted(flipped)) accepted.add(canonicalize(parseReceiptExtra(flipped).seal_index));
    }
    expect(accepted.size).toBeLessThanOrEqual(1);
    expect(await isAccepted(withExtra({ seal_index: 7 }))).toBe(true);
  });

  test.each([
    [{ head_index: 1 }],
    [{ format: "disclosure-receipt/2" }],
    [{ more: 1 }],
    [{ receipt: {} }],
    [{ receipt: [] }],
    [{ event_inclusion_proof: { leaf_index: 3, path: [], tree_size: 9 } }],
    [{ event_inclusion_proof: { leaf_index: 2 ** 53, path: [], tree_size: 9 } }],
  ])("with %j in its extra is refused", async (changes) => {
    expect(await isAccepted(withExtra(changes))).toBe(false);
  });

  test("whose extra is not canonical is refused", async () => {
    const spaced = utf8(` ${new TextDecoder().decode(extra)}`);
    expect(await isAccepted(spaced)).toBe(false);
    expect(await isAccepted(utf8("{"))).toBe(false);
    expect(await isAccepted(Uint8Array.of(0xff))).toBe(false);
  });

  test("does not hold, or can't be read, as evidence either", async () => {
    const changed = formatTlogProof({ ...proof, extra: withExtra({ head_index: 1 }) });
    expect(judge(await examine(utf8(changed))).failed.map(({ name }) => name)).toEqual(["merkle_root"]);
    const otherPlace = { ...parseReceiptExtra(extra).receipt, sequence: 4 };
    const unreadable = formatTlogProof({ ...proof, extra: withExtra({ receipt: otherPlace }) });
    expect(() => parseDocument(utf8(unreadable))).toThrow("another place of its chain");
    expect(() => parseDocument(utf8(formatTlogProof({ ...proof, extra: null })))).toThrow("no receipt");
  });

  test("with a token of another root does not hold", async () => {
    const other = exportableReport(evidenceOf(signedReport("greeting")));
    const [line] = [await exportToken(other, ANCHORS)];
    if (line === null) return expect.unreachable("the other report has a token");
    const { text: signedText, signatures } = parseNote(proof.checkpoint);
    const checkpoint = formatNote({ text: signedText, signatures: [...signatures, line] });
    const examination = await examine(utf8(formatTlogProof({ ...proof, checkpoint })));
    expect(judge(examination).failed.map(({ name }) => name)).toEqual(["timestamp"]);
  });

  function withExtra(changes: object): Uint8Array {
    return canonicalBytes({ ...parseReceiptExtra(extra), ...changes });
  }

  async function isAccepted(changed: Uint8Array): Promise<boolean> {
    try {
      const { head } = headOfExtra(parseReceiptExtra(changed));
      await verifyTlogProof(proof, hashLeaf(chainHeadEntry(head)), POLICY);
      return true;
    } catch {
      return false;
    }
  }
});

test.each([["signature"], ["key_id", "auth_mechanism"]])(
  "a receipt without its %s alone is not as the format says, unlike a receipt core",
  async (...names) => {
    const { receipts, ...rest } = signedReport("hand-off");
    const left = Object.entries(receipts[0] ?? {}).filter(([name]) => !names.includes(name));
    const report = { ...rest, receipts: [Object.fromEntries(left)] };
    const checks = checksOf(await examine(utf8(JSON.stringify(report))));
    expect(checks.get("receipt_format")).toBe(false);
  },
);

describe("an export", () => {
  test.each(PUBLISHED.slice(1))("of %s as a COSE receipt holds", async (name) => {
    const signed = signedReport(name);
    const report = exportableReport(evidenceOf(signed));
    const receipt = parseCoseReceipt(exportCoseReceipt(report, signedRootOf(signed)));
    const root = await verifyCoseReceipt(receipt, chainHeadEntry(report.cross.leaf), LOG.key);
    expect(formatNode(root)).toBe(signed.merkle_proof.merkle_root);
  });

  test("of a tree of one entry has no COSE receipt", () => {
    const signed = signedReport("greeting");
    const report = exportableReport(evidenceOf(signed));
    expect(() => exportCoseReceipt(report, signedRootOf(signed))).toThrow("a tree of one entry");
  });

  test("is refused of a receipt that is not published, and of a proof alone", () => {
    const { receipts: _, ...alone } = signedReport("hand-off");
    const pending = signedReport("hand-off-pending");
    expect(() => exportableReport(evidenceOf(pending))).toThrow("not published yet");
    expect(() => exportableReport(alone)).toThrow("has no receipt");
  });

  test("is refused with the checkpoint of another tree, and of a receipt that was changed", () => {
    const report = exportableReport(evidenceOf(signedReport("hand-off")));
    const other = signedReport("greeting").log_checkpoint;
    expect(() => exportTlogProof(report, other, null)).toThrow("the checkpoint is of a tree of 1 entry");
    const changed = { ...report, receipt: { ...report.receipt, turn: 9 } };
    const own = signedReport("hand-off").log_checkpoint;
    expect(() => exportTlogProof(changed, own, null)).toThrow("does not lead to the root of its chain");
  });
});
