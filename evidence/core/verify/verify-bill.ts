// Verification of a bill: what all of it says, then each line, then both against the history of the tenant's chains. It
// needs no key, trusts nobody, and reads as a list of steps. The checks of a line carry its place: `lines/1`.
import { canonicalize } from "../canonical-json.ts";
import { type Bill, CLOSED_AFTER_MS, PUBLISHED_WITHIN_MS } from "../formats/bill.ts";
import { amountOf } from "../formats/bill-amount.ts";
import { type ListedSeal, sealIn } from "../formats/metachain.ts";
import { monthNamed } from "../formats/month.ts";
import type { HeadWalk } from "../log/head-walk.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../timestamps/clock-difference.ts";
import {
  type Finding,
  fail,
  holds,
  type PlacedCheck,
  placed,
  runSteps,
  type Step,
  unchecked,
  type Verification,
  withoutSeal,
} from "./check.ts";
import type { BillCheckName } from "./check-names.ts";
import { count } from "./count.ts";
import type { TenantHistory } from "./tenant-history.ts";
import { checkAllChains, checkLineHistory, checkTenant } from "./verify-bill-history.ts";
import { LINE_STEPS, type LineSubject } from "./verify-bill-line.ts";
import { checkLineHeads, checkNoOtherChain } from "./verify-bill-log.ts";

/** The reader's inputs next to the bill; whatever is missing leaves its checks unmade. */
export interface BillKnowledge {
  /** The reader's clock, RFC 3339. */
  readonly now?: string;
  /** The published seals by index, among them the one after that of `as_of`; null where none is published. */
  readonly published?: ReadonlyMap<number, ListedSeal>;
  /** A walk for `chainsOfBill` up to the seal of `as_of`; null where the log at hand does not reach it. */
  readonly walk?: HeadWalk | null;
  readonly history?: TenantHistory;
  /** The fingerprint of the tenant that the reader expects, from a contract. */
  readonly fingerprint?: string;
}

interface BillSubject extends BillKnowledge {
  readonly bill: Bill;
  readonly published: ReadonlyMap<number, ListedSeal>;
}

type LineOfBill = LineSubject & BillSubject;

export type BillCheck = PlacedCheck<BillCheckName>;

const BILL_STEPS: readonly Step<BillSubject, BillCheckName>[] = [
  ["lines", checkLines],
  ["status", checkStatus],
  ["amount", checkAmount],
  ["as_of", checkAsOf],
];

/** `bill` is as `billSchema` reads it, its receipts as they came: members that we don't know are hashed too. */
export async function verifyBill(
  bill: Bill,
  knowledge: BillKnowledge = {},
): Promise<Verification<BillCheck>> {
  const subject = { published: new Map(), ...knowledge, bill };
  const whole = await runSteps([...BILL_STEPS, ...stepsWith(knowledge)], subject);
  const checks = [...placed("", whole).checks];
  for (const [i, line] of bill.lines.entries()) {
    const found = await runSteps(lineStepsWith(knowledge), { ...subject, line });
    checks.push(...placed(`lines/${i}`, found).checks);
  }
  return { valid: checks.every(({ ok }) => ok !== false), checks };
}

/** Only a reader with a history or a fingerprint asks these. */
function stepsWith({ history, fingerprint, walk }: BillKnowledge): Step<BillSubject, BillCheckName>[] {
  const steps: Step<BillSubject, BillCheckName>[] = [];
  if (history !== undefined) steps.push(["all_chains", ({ bill }) => checkAllChains(bill, history)]);
  if (history !== undefined || fingerprint !== undefined)
    steps.push(["tenant", ({ bill }) => checkTenant(bill, history, fingerprint)]);
  if (history !== undefined && history.tenantAnchor !== null && walk !== undefined)
    steps.push(["other_chains", ({ bill }) => checkNoOtherChain(bill, history, walk)]);
  return steps;
}

function lineStepsWith({ history, walk }: BillKnowledge): Step<LineOfBill, BillCheckName>[] {
  const steps: Step<LineOfBill, BillCheckName>[] = [
    ...LINE_STEPS,
    ["public_heads", ({ line }) => checkLineHeads(line, walk)],
  ];
  if (history !== undefined)
    steps.push(["chain_history", ({ bill, line }) => checkLineHistory(bill, line, history, walk ?? null)]);
  return steps;
}

/** The bill is whole, has each chain once, and adds up. */
function checkLines({ bill }: BillSubject): Finding {
  const { lines, chains, next_shard, as_of } = bill;
  if (next_shard !== null) fail(`this is one page of a bill; the next one begins with chain ${next_shard}`);
  for (const [i, { shard, chain_id }] of lines.entries()) {
    if (shard >= chains) fail(`chain ${shard} is none of the tenant's ${chains}, which count from 0`);
    if (shard === lines[i - 1]?.shard) fail(`chain ${shard} is billed twice`);
    if (shard < (lines[i - 1]?.shard ?? 0)) fail(`chain ${shard} does not come in its order`);
    if (lines.findIndex((line) => line.chain_id === chain_id) !== i)
      fail(`chain ${chain_id} is billed twice`);
  }
  if (as_of === null && lines.length > 0)
    fail("it counts published receipts, and says that no seal is published");
  const sum = lines.reduce((total, line) => total + line.count, 0);
  if (sum !== bill.count) fail(`it counts ${count(bill.count, "receipt")}, and its chains have ${sum}`);
  return holds(`${count(sum, "receipt")} of ${count(lines.length, "chain")}, each once`);
}

function checkStatus({ bill, now }: BillSubject): Finding {
  const { startsAt: start, endsAt: end } = monthNamed(bill.month);
  // Else a bill could call itself final while its month is under way.
  if (now !== undefined && Date.parse(bill.made_at) > Date.parse(now) + MAX_CLOCK_DIFFERENCE_MS)
    fail(`it says that it was made at ${bill.made_at}, which is yet to come`);
  if (bill.made_at < start) fail(`it was made at ${bill.made_at}, before ${bill.month} began`);
  if (bill.status === "open") return holds("an open bill: its count may still grow");
  const closed = new Date(Date.parse(end) + CLOSED_AFTER_MS).toISOString();
  if (bill.made_at < closed)
    fail(`it is final since ${bill.made_at}, and ${bill.month} was closed at ${closed}`);
  return holds(`final: made after ${bill.month} was closed`);
}

function checkAmount({ bill }: BillSubject): Finding {
  const { plan, amount } = bill;
  const expected = plan.price === null ? null : amountOf(plan.price, bill.count);
  if (canonicalize(expected) !== canonicalize(amount)) {
    if (amount === null || expected === null)
      fail("it must have an amount exactly where its plan has a price");
    fail(
      `by its prices, the cost of ${count(bill.count, "receipt")} is ${expected.total}, and it says ${amount.total} (minor units, with their parts)`,
    );
  }
  return holds(
    expected === null ? "the plan has no price" : `the cost of ${count(bill.count, "receipt")} by its prices`,
  );
}

/** The seal is the one that was published last when the bill was made: an older one would hide receipts. */
function checkAsOf({ bill: { as_of, made_at }, published }: BillSubject): Finding {
  const next = published.get((as_of?.seal_index ?? -1) + 1);
  if (as_of !== null) {
    const listed = published.get(as_of.seal_index);
    const seal = sealIn(listed);
    if (seal === null) return withoutSeal(listed, as_of.seal_index);
    if (seal.merkle_root !== as_of.merkle_root || seal.tree_size !== as_of.tree_size)
      fail(`a different root is published under ${as_of.seal_index}`);
    // The bill reads its clock before it reads the seal, and the clocks of two machines differ.
    if (Date.parse(seal.sealed_at) > Date.parse(made_at) + MAX_CLOCK_DIFFERENCE_MS)
      fail(`seal ${seal.index} was made at ${seal.sealed_at}, after the bill`);
  }
  if (next === undefined) return unchecked("not_given", "the next published root was not looked for");
  const latest = new Date(Date.parse(made_at) - PUBLISHED_WITHIN_MS).toISOString();
  const later = sealIn(next);
  if (later !== null && later.sealed_at < latest)
    fail(`seal ${later.index} was made at ${later.sealed_at}, long before the bill, which leaves it out`);
  return holds(as_of === null ? "no seal was published yet" : `seal ${as_of.seal_index} was the newest one`);
}
