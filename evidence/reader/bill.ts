// Reads a bill (docs/bill.md) and makes every check that the reader's inputs allow, by core's own verification. The bytes
// are not trusted, and neither is who made them.
import { type JsonObject, type JsonValue, parseJson } from "../core/canonical-json.ts";
import { DisclosureError, isDisclosureError } from "../core/errors.ts";
import { type Bill, type BilledReceipt, billSchema } from "../core/formats/bill.ts";
import type { ListedSeal } from "../core/formats/metachain.ts";
import { PLAIN_ERRORS } from "../core/formats/plain-errors.ts";
import type { HeadWalk } from "../core/log/head-walk.ts";
import type { TenantHistory } from "../core/verify/tenant-history.ts";
import { type BillCheck, type BillKnowledge, verifyBill } from "../core/verify/verify-bill.ts";
import { chainsOfBill } from "../core/verify/verify-bill-log.ts";
import { type StatedPoint, statedPoints } from "./bill-stated.ts";
import { isObject } from "./evidence.ts";
import { inOrder } from "./in-order.ts";
import { MAX_BILL_BYTES } from "./limits.ts";
import type { PublishedSeals } from "./published-seals.ts";
import { unreadable } from "./unreadable.ts";
import type { Outcome } from "./verdict.ts";

/** Roots under way at a time. */
const WIDTH = 8;

/** Walks the public log up to a published root; null where its files do not reach there. Throws as a source does. */
export type WalkLog = (
  asOf: NonNullable<Bill["as_of"]>,
  chainIds: Iterable<string>,
) => Promise<HeadWalk | null>;

export interface BillInputs {
  /** The reader's clock, RFC 3339. */
  readonly now: string;
  readonly published: PublishedSeals;
  /** Null where the reader has no public log. */
  readonly walkLog: WalkLog | null;
  readonly history?: TenantHistory;
  /** The fingerprint of the tenant that the reader expects. */
  readonly fingerprint?: string;
}

/** A check of a bill; `lines/1` is the place of one that is about a line. */
export interface BillExamination {
  readonly bill: Bill;
  readonly outcome: Outcome;
  readonly checks: readonly BillCheck[];
  /** Why the public log could not be read; null where it was, or was not asked for. */
  readonly unavailable: string | null;
  /** These points stay the operator's word. */
  readonly stated: readonly StatedPoint[];
}

/** Throws `not_json`, `payload_too_large`, or `malformed` with a reason of unreadable.ts. */
export function parseBill(bytes: Uint8Array): Bill {
  if (bytes.length > MAX_BILL_BYTES)
    throw new DisclosureError("payload_too_large", `this is larger than ${MAX_BILL_BYTES / 1024 / 1024} MiB`);
  return billOf(parseJson(bytes));
}

/** The same for JSON that is parsed already. */
export function billOf(value: JsonValue): Bill {
  if (!isObject(value) || !Object.hasOwn(value, "bill_format_version"))
    throw unreadable("unknown", "this is no bill");
  const { success, data, error } = billSchema.safeParse(value, PLAIN_ERRORS);
  if (success)
    return { ...data, lines: data.lines.map((line, i) => withOwnReceipts(line, rawLine(value, i))) };
  const [issue] = error.issues;
  throw unreadable("malformed", `${issue?.path.map(String).join(".") || "this"}: ${issue?.message}`);
}

const rawLine = ({ lines }: JsonObject, index: number): JsonObject =>
  (lines as readonly JsonObject[])[index] ?? {};

/** The receipts as they came: a member that the format does not know is hashed, too. */
function withOwnReceipts(line: Bill["lines"][number], raw: JsonObject): Bill["lines"][number] {
  const own = (end: "before" | "first" | "last" | "after"): BilledReceipt | null => {
    const { [end]: billed } = line;
    return billed && { ...billed, receipt: (raw[end] as unknown as BilledReceipt).receipt };
  };
  return { ...line, before: own("before"), first: own("first"), last: own("last"), after: own("after") };
}

/** Makes every check that the inputs allow. A public log that can't be read leaves its checks unmade. */
export async function examineBill(bill: Bill, inputs: BillInputs): Promise<BillExamination> {
  const { now, history, fingerprint } = inputs;
  const given = { now, ...(history && { history }), ...(fingerprint !== undefined && { fingerprint }) };
  try {
    return await examineWith(bill, { ...given, ...(await askLog(bill, given, inputs)) }, null);
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return examineWith(bill, given, error.message);
  }
}

async function examineWith(
  bill: Bill,
  knowledge: BillKnowledge,
  unavailable: string | null,
): Promise<BillExamination> {
  const { valid, checks } = await verifyBill(bill, knowledge);
  const outcome = !valid ? "does_not_hold" : checks.some(({ ok }) => ok === null) ? "holds_so_far" : "holds";
  return {
    bill,
    outcome: unavailable !== null && outcome !== "does_not_hold" ? "unreadable" : outcome,
    checks,
    unavailable,
    stated: statedPoints(bill, checks),
  };
}

/** The log is walked only for a bill that holds by itself. */
async function askLog(
  bill: Bill,
  given: BillKnowledge,
  { published, walkLog }: BillInputs,
): Promise<BillKnowledge> {
  const seals = await readSeals(bill, published);
  const { valid } = await verifyBill(bill, { ...given, published: seals });
  const chains = chainsOfBill(bill, given.history ?? null);
  if (!valid || walkLog === null || bill.as_of === null || chains.size === 0) return { published: seals };
  return { published: seals, walk: await walkLog(bill.as_of, chains) };
}

/** The seals that the bill names, and the one after the newest of them. */
async function readSeals(
  { as_of, lines }: Bill,
  published: PublishedSeals,
): Promise<ReadonlyMap<number, ListedSeal>> {
  const heads = lines.flatMap(({ opening, closing }) => (opening === null ? [closing] : [opening, closing]));
  const newest = as_of === null ? [0] : [as_of.seal_index, as_of.seal_index + 1];
  const wanted = new Set([...heads.map(({ seal_index }) => seal_index), ...newest]);
  const seals = new Map<number, ListedSeal>();
  const read = async (index: number) => ({ index, seal: await published.get(index) });
  for await (const { index, seal } of inOrder(wanted, WIDTH, read))
    if (seal !== undefined) seals.set(index, seal);
  return seals;
}
