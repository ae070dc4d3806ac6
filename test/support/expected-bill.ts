// The oracle's bill: made of whole chains and the whole metachain by counting receipts one by one, with proofs straight
// from RFC 9162. Tests hold a service's bill against it, or take it where they need one.
import assert from "node:assert/strict";
import type { Price } from "../../contract/plans.ts";
import type { Bill, BillAmount, BillLine } from "../../evidence/core/formats/bill.ts";
import type { CrossTenantProof } from "../../evidence/core/formats/compliance-receipt.ts";
import type { Seal } from "../../evidence/core/formats/metachain.ts";
import { type Mth, PATH, PROOF } from "./rfc9162.ts";
import type { WholeChain } from "./whole-chain.ts";

/** One of the tenant's chains, and its entries in the metachain in their order. */
export interface BilledChain {
  readonly shard: number;
  readonly chain: Pick<WholeChain, "id" | "cores" | "mth">;
  /** `head_index` is told of a head that has not the number of its place among them. */
  readonly heads: readonly {
    readonly tree_size: number;
    readonly leaf_index: number;
    readonly head_index?: number;
  }[];
}

export interface BillSource {
  readonly tenant: Bill["tenant"];
  readonly month: string;
  readonly madeAt: string;
  /** All chains of the tenant, in the order of shard. */
  readonly chains: readonly BilledChain[];
  /** The seals that were published then, from the first on. */
  readonly seals: readonly Seal[];
  /** The tree of the metachain's entries. */
  readonly metachain: Mth;
  readonly plan: Bill["plan"];
}

const HOUR_MS = 3_600_000;

export function expectedBill(source: BillSource): Bill {
  const { tenant, month, madeAt, chains, seals, plan } = source;
  const lines = chains.flatMap((chain) => lineOf(chain, source) ?? []);
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  const latest = seals.at(-1);
  return {
    bill_format_version: "1.0",
    tenant,
    month,
    status: isFinal(source) ? "final" : "open",
    made_at: madeAt,
    as_of:
      latest === undefined
        ? null
        : { seal_index: latest.index, merkle_root: latest.merkle_root, tree_size: latest.tree_size },
    chains: chains.length,
    lines,
    next_shard: null,
    count,
    plan,
    amount: plan.price === null ? null : priceOf(plan.price, count),
  };
}

const node = (hash: Uint8Array): string => `0x${Buffer.from(hash).toString("hex")}`;

const monthOf = (instant: string): string => instant.slice(0, "2026-10".length);

/** The first instant of the next month. */
function endOf(month: string): number {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return Date.UTC(year, number, 1);
}

const publishedSize = ({ heads }: BilledChain, seals: readonly Seal[]): number =>
  Math.max(
    0,
    ...heads.filter((head) => sealOver(head, seals) !== undefined).map(({ tree_size }) => tree_size),
  );

const sealOver = ({ leaf_index }: { leaf_index: number }, seals: readonly Seal[]): Seal | undefined =>
  seals.find(({ tree_size }) => tree_size > leaf_index);

/** The month is over for an hour, and no receipt up to its end waits for a seal. */
function isFinal({ month, madeAt, chains, seals }: BillSource): boolean {
  if (Date.parse(madeAt) < endOf(month) + HOUR_MS) return false;
  return chains.every((chain) =>
    chain.chain.cores
      .slice(publishedSize(chain, seals))
      .every(({ issued_at }) => Date.parse(issued_at) >= endOf(month)),
  );
}

/** Null for a chain without a published receipt. */
function lineOf(billed: BilledChain, source: BillSource): BillLine | null {
  const { shard, chain } = billed;
  const heads = billed.heads
    .map((head, i) => ({ ...head, head_index: head.head_index ?? i }))
    .filter((head) => sealOver(head, source.seals) !== undefined);
  const months = chain.cores
    .slice(0, publishedSize(billed, source.seals))
    .map((core) => monthOf(core.issued_at));
  const from = months.filter((month) => month < source.month).length;
  const count = months.filter((month) => month === source.month).length;
  const to = from + count;
  const opening = heads.findLast(({ tree_size }) => tree_size <= from) ?? null;
  const closing = heads.find(({ tree_size }) => tree_size > to) ?? heads.at(-1);
  if (closing === undefined) return null;
  const receiptAt = (sequence: number): NonNullable<BillLine["before"]> => ({
    receipt: chain.cores[sequence] ?? assert.fail(`no receipt ${sequence}`),
    path: PATH(sequence, 0, closing.tree_size, chain.mth).map(node),
  });
  const proofOf = (head: typeof closing): CrossTenantProof => crossProof(chain, head, source);
  return {
    chain_id: chain.id,
    shard,
    from,
    to,
    count,
    opening: opening && proofOf(opening),
    closing: proofOf(closing),
    consistency_path: opening && PROOF(opening.tree_size, closing.tree_size, chain.mth).map(node),
    before: from > 0 ? receiptAt(from - 1) : null,
    first: count > 0 ? receiptAt(from) : null,
    last: count > 0 ? receiptAt(to - 1) : null,
    after: closing.tree_size > to ? receiptAt(to) : null,
  };
}

/** The way from a chain's head to the first seal over its entry. */
function crossProof(
  { id, mth }: BilledChain["chain"],
  head: { readonly head_index: number; readonly tree_size: number; readonly leaf_index: number },
  { seals, metachain }: BillSource,
): CrossTenantProof {
  const { head_index, tree_size, leaf_index } = head;
  const seal = sealOver(head, seals) ?? assert.fail("a head without a seal");
  return {
    seal_index: seal.index,
    leaf: { chain_id: id, head_index, tree_size, root: node(mth(0, tree_size)) },
    leaf_index,
    tree_size: seal.tree_size,
    path: PATH(leaf_index, 0, seal.tree_size, metachain).map(node),
    root: seal.merkle_root,
  };
}

/** Each receipt pays the price of the tier that it falls in; the sum is rounded half up, once. */
function priceOf({ currency, base, tiers }: Price, count: number): BillAmount {
  const counts = tiers.map(() => 0);
  let thousandths = 0n;
  for (let n = 1; n <= count; n++) {
    const at = tiers.findIndex(({ upTo }) => upTo === null || n <= upTo);
    counts[at] = (counts[at] ?? 0) + 1;
    thousandths += BigInt(tiers[at]?.perThousand ?? 0);
  }
  return {
    currency,
    base,
    tiers: tiers.map(({ perThousand }, i) => ({ receipts: counts[i] ?? 0, per_thousand: perThousand })),
    total: base + Number((thousandths + 500n) / 1_000n),
  };
}
