// What `admin status` calls a concern, and what it only says to be waiting.
import { expect, test } from "vitest";
import type { LedgerStatus } from "../../../service/audit/ledger-status.ts";
import { describeConcerns, describeWaiting } from "../../../tools/cli/admin/concerns.ts";

const NOW = new Date("2026-11-22T12:00:00.000Z");
const before = (minutes: number): string => new Date(NOW.getTime() - minutes * 60_000).toISOString();

const seal = (minutes: number, isPublished: boolean): LedgerStatus["seal"] => ({
  index: 16,
  sealedAt: before(minutes),
  treeSize: 17,
  isPublished,
});
const WELL: LedgerStatus = {
  seal: seal(1, true),
  unpublished: 0,
  lacking: { tokenless: 0, incomplete: 0 },
  backlog: { chains: 0, receipts: 0, oldest: null, damaged: [] },
  setAside: [],
  unclaimed: null,
  tokens: [],
  log: null,
};
const concerns = (change: Partial<LedgerStatus>, isRetentionOverdue = false) =>
  describeConcerns(
    { sealIntervalMinutes: 1 },
    {
      status: { ...WELL, ...change },
      isRetentionOverdue,
      now: NOW,
      verify: "receipts admin verify --local",
      setAside: "receipts admin set-aside 7 --local",
      retention: "receipts admin retention --local",
    },
  );

test("a deployment that seals in time has none", () => {
  expect(concerns({})).toEqual([]);
  expect(concerns({ seal: null })).toEqual([]);
});

test("a seal that is just being published waits, and is a concern only when it is late", () => {
  const fresh = { seal: seal(1, false), unpublished: 1 };
  expect(concerns(fresh)).toEqual([]);
  expect(describeWaiting({ ...WELL, ...fresh })).toEqual(["1 seal waits to be published"]);
  expect(concerns({ seal: seal(6, false), unpublished: 1 })).toEqual([
    "a seal waits to be published for too long",
  ]);
});

test("an entry that no chain claims is a concern at once, with the command that sets it aside", () => {
  const unclaimed = {
    leafIndex: 7,
    chainId: "c".repeat(32),
    detail: "no span of the chain names this place",
  };
  expect(concerns({ unclaimed })).toEqual([
    "entry 7 of the metachain is claimed by no chain, so nothing is published; once you know who wrote it: receipts admin set-aside 7 --local",
  ]);
});

test("a quorum that is older than three hours is a concern, also where nothing is sealed", () => {
  const log = { origin: "o", vkey: "v", checkpoint: null, fault: null, witnesses: [], ahead: [] };
  expect(concerns({ log: { ...log, quorumAt: before(180) } })).toEqual([]);
  expect(concerns({ log: { ...log, quorumAt: before(181) } })).toEqual([
    "the newest quorum of witnesses is older than 3 hours",
  ]);
});

test("roots that were published and are gone are a concern at once", () => {
  expect(concerns({ unpublished: 17 })).toEqual([
    "17 published seals are gone from the public roots; see: receipts admin verify --local",
  ]);
});

test("a concern about chains names the command to go on with, as it can be pasted", () => {
  const damaged = [{ chainId: "0".repeat(32), detail: "receipts that were sealed are missing" }];
  expect(concerns({ backlog: { ...WELL.backlog, damaged }, setAside: ["1".repeat(32)] })).toEqual([
    "chains can't be read; see: receipts admin verify --local",
    "chains can't be sealed; see: receipts admin verify --local",
  ]);
});

test("a retention that is not run is a concern, with the command that runs it", () => {
  expect(concerns({}, true)).toEqual([
    "receipts may be older than their tenant's retention, which has not run to its end for 40 days; run: receipts admin retention --local",
  ]);
});
