// No honest file is ever red: a history, a log and a receipt of any ages, each from an honest service and tenant. And what
// both files reach is never open.
import { describe, expect, test } from "vitest";
import { HeadWalk } from "../../../../evidence/core/log/head-walk.ts";
import { parseEntries } from "../../../../evidence/core/log/tiles.ts";
import {
  chainsToWalk,
  KnownHistory,
  type TenantHistory,
} from "../../../../evidence/core/verify/tenant-history.ts";
import { verifyHistory } from "../../../../evidence/core/verify/verify-history.ts";
import { readHistory } from "../../../../evidence/reader/history-files.ts";
import { historyFiles, idOf, logFiles, pendingIn, reportAt } from "../../../support/head-world.ts";

/** A second chain of the tenant begins at entry 2. */
const LOG = ["c0:a", "o0:a", "d0:a", "c1:abc", "d1:ab", "c2:abcd"];
const AGES = Array.from({ length: LOG.length + 1 }, (_, age) => age);

/** As the tenant fetched it when the log had so many entries, and whether its second chain was there. */
function historyAt(age: number): Promise<TenantHistory> {
  const told = LOG.slice(0, age).flatMap((word, i) => (word.startsWith("o") ? [] : [`${word}@${i}`]));
  const files = historyFiles(told.length === 0 ? ["c"] : told, true);
  const list = async (folder: string) =>
    [...files.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.split("/").at(-1) ?? "");
  return readHistory({ name: "memory", read: async (path) => files.get(path) ?? null, list });
}

function walkUpTo(size: number, history: TenantHistory): HeadWalk | null {
  if (size === 0) return null;
  const walk = new HeadWalk([...chainsToWalk(history), idOf("c"), idOf("d"), idOf("o")]);
  const bundle = logFiles(LOG.slice(0, size)).get(`v1/metachain/tile/entries/000.p/${size}`);
  for (const entry of parseEntries(bundle ?? expect.unreachable(), size)) walk.add(entry);
  return walk;
}

const RECEIPTS = LOG.flatMap((word, at) => {
  if (word.startsWith("o")) return [];
  const seals = Array.from({ length: LOG.length - at }, (_, i) => at + i);
  return seals.map((seal) => ({
    name: `${word} under seal ${seal}`,
    at,
    evidence: reportAt(LOG, at, { seal }),
  }));
});
const PENDING = ["c:a", "c:ab", "c:abcd", "c:abcde", "d:ab"].map((tree) => ({
  name: tree,
  evidence: pendingIn(tree),
}));

describe.each(AGES)("with a history as of %i entries", (age) => {
  test.each(AGES)("and a log of %i entries, no receipt of any age is red", async (size) => {
    const history = await historyAt(age);
    const known = new KnownHistory({ history, walk: walkUpTo(size, history), fingerprint: null });
    for (const { name, evidence } of [...RECEIPTS, ...PENDING]) {
      const failed = (await verifyHistory(evidence, known)).filter(({ ok }) => ok === false);
      expect(failed, name).toEqual([]);
    }
    for (const { name, at, evidence } of RECEIPTS.filter(({ at }) => at < Math.min(age, size))) {
      const open = (await verifyHistory(evidence, known)).filter(({ ok }) => ok === null);
      expect(open, `${name}, at ${at}`).toEqual([]);
    }
  });
});
