// The verdict of an audit: what the reader asks the log to have signed.
import { expect, test } from "vitest";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { parseLogPolicy } from "../../../evidence/reader/log-policy.ts";
import { auditVerdict } from "../../../tools/cli/commands/audit-report.ts";
import { newAuditState } from "../../../tools/cli/commands/audit-state.ts";
import type { WalkedCheckpoints } from "../../../tools/cli/metachain/checkpoint-walk.ts";
import { logKeys } from "../../../tools/cli/metachain/log-keys.ts";
import { policyText, signedCheckpoint, witnessSigner } from "../../support/note-signers.ts";
import { LOG, treeAt } from "./signed-log.ts";

const NAMED = utf8(JSON.stringify({ log: { vkey: LOG.vkey } }));
const UNNAMED = utf8("{}");
const KEY = parseLogPolicy(LOG.vkey);
const QUORUM = parseLogPolicy(policyText(LOG, [witnessSigner("witness.example/a")], 1));
/** The checkpoint of the first root, and seals after it that have none. */
const signedFirst = (lacking: number, cosigned = 0): Partial<WalkedCheckpoints> => ({
  first: 0,
  signed: 1,
  cosigned,
  newest: signedCheckpoint(LOG, treeAt(1)),
  lacking: Array.from({ length: lacking }, (_, i) => ({
    sealIndex: i + 1,
    size: i + 2,
    root: treeAt(1).root,
  })),
});

test.each<[string, Partial<WalkedCheckpoints>, ReturnType<typeof logKeys>, string]>([
  ["whose newest root is signed, under its key", signedFirst(0), logKeys(KEY, NAMED), "holds"],
  ["whose newest roots wait for a signature", signedFirst(32), logKeys(KEY, NAMED), "holds"],
  ["that no longer signs", signedFirst(33), logKeys(KEY, NAMED), "holds_so_far"],
  ["that signs nothing", {}, logKeys(KEY, NAMED), "holds_so_far"],
  ["that its witnesses did not cosign", signedFirst(0), logKeys(QUORUM, NAMED), "holds_so_far"],
  ["that they cosigned", signedFirst(0, 1), logKeys(QUORUM, NAMED), "holds"],
  ["that signs nothing, for a reader without a key", {}, logKeys(null, NAMED), "holds"],
  ["that names no key, for such a reader", signedFirst(33), logKeys(null, UNNAMED), "holds"],
])("of a log %s", (_, checkpoints, keys, verdict) => {
  const state = newAuditState("https://receipts.example", [], keys.policy);
  state.checkpoints = { ...state.checkpoints, ...checkpoints };
  const now = new Date("2026-11-22T10:00:00Z");
  const audited = { state, keys, waitingSince: null, now };
  expect(auditVerdict(audited)).toBe(verdict);
  expect(auditVerdict({ ...audited, waitingSince: "2026-11-22T09:45:00Z" })).toBe(verdict);
  expect(auditVerdict({ ...audited, waitingSince: "2026-11-22T09:44:59Z" })).toBe("holds_so_far");
  state.checkpoints.quorum_at = "2026-11-22T07:00:00Z";
  expect(auditVerdict(audited)).toBe(verdict);
  state.checkpoints.quorum_at = "2026-11-22T06:59:59Z";
  expect(auditVerdict(audited)).toBe("holds_so_far");
  state.checkpoints.quorum_at = null;
  state.tally.unchecked = 1;
  expect(auditVerdict(audited)).toBe("holds_so_far");
  state.tally.fault_count = 1;
  expect(auditVerdict(audited)).toBe("does_not_hold");
});
