// Exports on the page, without a browser: a .tlog-proof is evidence, a COSE receipt and a log's key go with it.
import { describe, expect, test } from "vitest";
import { formatNoteKey } from "../../../evidence/core/log/note.ts";
import type { Checked } from "../../../tools/web/checked.ts";
import { exportedCose, exportedProof } from "../../support/exported.ts";
import { newLog } from "../../support/log-signer.ts";
import { ANCHORS, LOG, ORIGIN, signedReport, WITNESS } from "../../support/signed-report.ts";
import { check, entryNamed, evidenceNamed, metachain, sourceOf } from "./files.ts";

const served = { metachain, serviceAnchors: ANCHORS };
const proof = sourceOf("receipt.tlog-proof", await exportedProof("hand-off"));
const cose = sourceOf("receipt.cose", exportedCose("hand-off"));
const report = sourceOf("report.json", JSON.stringify(signedReport("hand-off")));
const key = sourceOf("log.vkey", `${formatNoteKey(LOG.key)}\n`);
const policy = sourceOf(
  "log.policy",
  `# mine\nlog ${formatNoteKey(LOG.key)}\nwitness w ${formatNoteKey(WITNESS.key)}\nquorum w\n`,
);
const otherKey = sourceOf("other.vkey", formatNoteKey(newLog("other.example/log").key));

const checkOf = (checked: Checked, file: string, name: string) =>
  evidenceNamed(checked, file).examination.turns[0]?.checks.find((each) => each.name === name)?.ok;

describe("a .tlog-proof", () => {
  test("holds as its report does, and is signed by the log whose key was added", async () => {
    const checked = await check([proof, key], served);
    const { verdict, kind, examination } = evidenceNamed(checked, "receipt.tlog-proof");
    expect([kind, verdict.outcome]).toEqual(["report", "holds"]);
    expect(examination.turns[0]?.checkpoint).toMatchObject({ origin: ORIGIN, treeSize: 6 });
    expect(entryNamed(checked, "log.vkey")).toMatchObject({ kind: "log_policy", use: "used" });
  });

  test("shows the witnesses of the reader's policy", async () => {
    const checked = await check([proof, policy], served);
    const { examination } = evidenceNamed(checked, "receipt.tlog-proof");
    expect(examination.turns[0]?.checkpoint).toMatchObject({ cosignatures: [{ witness: "w" }] });
    expect(entryNamed(checked, "log.policy")).toMatchObject({ use: "used" });
  });

  test("is checked under neither of two keys or policies: no program guesses which one is meant", async () => {
    const checked = await check([proof, key, policy], served);
    expect(checkOf(checked, "receipt.tlog-proof", "checkpoint")).toBeUndefined();
    for (const name of ["log.vkey", "log.policy"])
      expect(entryNamed(checked, name)).toMatchObject({
        kind: "unreadable",
        problem: { reason: "two_policies" },
      });
  });

  test("is checked without its log where no key was added", async () => {
    const checked = await check([proof], served);
    expect(checkOf(checked, "receipt.tlog-proof", "checkpoint")).toBeUndefined();
    expect(evidenceNamed(checked, "receipt.tlog-proof").verdict.outcome).toBe("holds");
  });

  test("leaves the log open where the browser verifies no signatures", async () => {
    const checked = await check([proof, key], { ...served, isSecure: false });
    expect(checked.knowsEd25519).toBe(false);
    expect(checkOf(checked, "receipt.tlog-proof", "checkpoint")).toBeUndefined();
  });

  test("and its report are of one history", async () => {
    const checked = await check([proof, report], served);
    expect(checked.together?.outcome).toBe("holds");
  });
});

describe("a COSE receipt", () => {
  test("is checked with the report that it belongs to", async () => {
    const checked = await check([cose, report, key], served);
    expect(checkOf(checked, "report.json", "cose_receipt")).toBe(true);
    expect(entryNamed(checked, "receipt.cose")).toMatchObject({ kind: "cose_receipt", use: "used" });
  });

  test("that was changed does not hold", async () => {
    const bytes = await cose.read();
    const changed = sourceOf("changed.cose", bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1));
    const checked = await check([changed, report, key], served);
    expect(checkOf(checked, "report.json", "cose_receipt")).toBe(false);
  });

  test("of another receipt is a stray", async () => {
    const other = sourceOf("other.json", JSON.stringify(signedReport("goodbye")));
    const checked = await check([cose, other, key], served);
    expect(checkOf(checked, "other.json", "cose_receipt")).toBeUndefined();
    expect(entryNamed(checked, "receipt.cose")).toMatchObject({ use: "stray" });
  });

  test("alone waits for its report", async () => {
    const checked = await check([cose], served);
    expect(checked.entries).toMatchObject([{ kind: "cose_receipt", use: "unused" }]);
  });
});

describe("the key of a log", () => {
  test("of another log leaves the receipt open, and is named as a stray", async () => {
    const checked = await check([report, otherKey], served);
    expect(checkOf(checked, "report.json", "checkpoint")).toBeNull();
    expect(entryNamed(checked, "other.vkey")).toMatchObject({ use: "stray" });
  });

  test.each([
    ["of a witness", formatNoteKey(WITNESS.key)],
    ["with another id", formatNoteKey(LOG.key).replace(/\+[0-9a-f]{8}\+/, "+00000000+")],
    ["in a policy without a quorum", `log ${formatNoteKey(LOG.key)}\n`],
  ])("%s can't be read", async (_, text) => {
    const checked = await check([sourceOf("bad.vkey", text)], served);
    expect(entryNamed(checked, "bad.vkey")).toMatchObject({
      kind: "unreadable",
      problem: { reason: "malformed" },
    });
  });
});
