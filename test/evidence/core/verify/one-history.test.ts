// One history, in every small world of a log, of files and of readers. The code says of each what the rules say (the model is
// test/support/history-model.ts); under the rules no game is lost; with a rule taken out, the attack that it is for is found.
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../../evidence/core/bytes.ts";
import type { ReceiptEvidence } from "../../../../evidence/core/formats/evidence.ts";
import { chainHeadEntry } from "../../../../evidence/core/formats/metachain.ts";
import { chainIdOf } from "../../../../evidence/core/formats/tenant-anchor.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import { appendEntry, ENTRY_BYTES } from "../../../../evidence/core/log/entry.ts";
import { HeadWalk } from "../../../../evidence/core/log/head-walk.ts";
import { formatNode, HASH_BYTES, hashLeaf } from "../../../../evidence/core/merkle/hash.ts";
import { rootAt, type TreeLeaf } from "../../../../evidence/core/merkle/merkle-tree.ts";
import { KnownHistory } from "../../../../evidence/core/verify/tenant-history.ts";
import { verifyHistory } from "../../../../evidence/core/verify/verify-history.ts";
import { claimsOf, GAMES, honestLogs, logsOf, readersOf } from "../../../support/history-games.ts";
import {
  type Claim,
  type Entry,
  type Log,
  type Reader,
  type Said,
  said,
  type Told,
} from "../../../support/history-model.ts";

/** Long searches, for whatever machine. */
const TIMEOUT_MS = 600_000;
/** A minute of work for all worlds: every so manieth is compared with the code, and an odd number meets all kinds. */
const EVERY = 61;

const ANCHOR = "0123456789abcdef0123456789abcdef";
const CHAINS = ["c", "d", "o"] as const;
const ID = {
  c: chainIdOf(ANCHOR, 0),
  d: chainIdOf(ANCHOR, 1),
  o: chainIdOf("fedcba9876543210fedcba9876543210", 0),
};
const NO_NODE = formatNode(new Uint8Array(HASH_BYTES));

const leafOf = (letter: string): Uint8Array => new Uint8Array(ENTRY_BYTES).fill(letter.charCodeAt(0));

function rootOf(tree: string): string {
  let last: TreeLeaf | null = null;
  for (const letter of tree) last = appendEntry(last, leafOf(letter));
  return last === null ? NO_NODE : formatNode(rootAt(last));
}

const headOf = ({ chain, index, tree }: Entry) => ({
  chain_id: ID[chain],
  head_index: index,
  tree_size: tree.length,
  root: rootOf(tree),
});

/** As much of a report as these checks read: that its paths hold is not asked here. */
function reportOf(log: Log, { at, place }: Claim): ReceiptEvidence {
  const entry = log[at] ?? expect.unreachable();
  const leaf = headOf(entry);
  const leaf_hash = formatNode(hashLeaf(leafOf(entry.tree[place] ?? "")));
  const { tree_size, root } = leaf;
  const event = { leaf_hash, leaf_index: place, tree_size, path: [], root };
  const cross = { seal_index: at, leaf, leaf_index: at, tree_size: at + 1, path: [], root: NO_NODE };
  const proofs = { event_inclusion_proof: event, cross_tenant_proof: cross };
  return { merkle_proof: { status: "included", merkle_root: NO_NODE, ...proofs } };
}

function historyOf(log: Log, told: Told): ChainHistory {
  const leaves = concatBytes(...[...(log[told.at(-1) ?? -1]?.tree ?? "")].map(leafOf));
  const history = new ChainHistory(ID.c, (from, to) => leaves.subarray(ENTRY_BYTES * from, ENTRY_BYTES * to));
  for (const at of told)
    history.add({ ...headOf(log[at] ?? expect.unreachable()), leaf_index: at, seal_index: at });
  return history;
}

async function saidByCode(log: Log, claim: Claim, { walked, told, hasAnchor }: Reader): Promise<Said> {
  const history = told && {
    chains: new Map([[ID.c, historyOf(log, told)]]),
    tenantAnchor: hasAnchor ? ANCHOR : null,
  };
  const walk = walked === 0 ? null : new HeadWalk(CHAINS.map((chain) => ID[chain]));
  for (const entry of log.slice(0, walked)) walk?.add(chainHeadEntry(headOf(entry)));
  const known = new KnownHistory({ history, walk, fingerprint: null });
  const checks = await verifyHistory(reportOf(log, claim), known);
  return Object.fromEntries(checks.map(({ name, ok }) => [name, ok]));
}

describe("the code", () => {
  test(
    "says of receipts in worlds of three entries what the rules say",
    async () => {
      let worlds = 0;
      for (const log of logsOf(3)) {
        for (const reader of readersOf(log)) {
          for (const claim of claimsOf(log)) {
            if (worlds++ % EVERY !== 0) continue;
            const world = { log, reader, claim };
            expect({ ...world, said: await saidByCode(log, claim, reader) }).toEqual({
              ...world,
              said: said(log, claim, reader),
            });
          }
        }
      }
      expect(worlds).toBeGreaterThan(100_000);
    },
    TIMEOUT_MS,
  );
});

/** An honest log, a reader and a receipt of which some check says that it does not hold; null for none. */
function findRed(size: number, without?: "as_of"): unknown {
  for (const log of honestLogs(size))
    for (const reader of readersOf(log))
      for (const claim of claimsOf(log))
        if (Object.values(said(log, claim, reader, without)).includes(false)) return { log, reader, claim };
  return null;
}

describe("under the rules", () => {
  test.each(GAMES)(
    "$name is not lost in any world of three entries: $what",
    ({ find }) => {
      for (const log of logsOf(3)) {
        const lost = find(log);
        if (lost !== null) expect({ log, lost }).toBeNull();
      }
    },
    TIMEOUT_MS,
  );

  test(
    "nothing honest is red, whatever the ages of its files",
    () => expect(findRed(6)).toBeNull(),
    TIMEOUT_MS,
  );
});

describe("without a rule", () => {
  test.each(GAMES.flatMap(({ name, attacks, find }) => attacks.map((rule) => ({ rule, name, find }))))(
    "$rule, $name is lost in a world of three entries",
    ({ rule, find }) => {
      const isLost = (log: Log): boolean => find(log, rule) !== null;
      expect([...logsOf(3)].some(isLost)).toBe(true);
    },
    TIMEOUT_MS,
  );

  test("as_of, honest files are red", () => expect(findRed(3, "as_of")).not.toBeNull(), TIMEOUT_MS);
});
