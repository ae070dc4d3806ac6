// The rules of one history in the words of docs/history.md, over small worlds: no hashes, no formats, nothing of the code that
// they are held to. A rule can be taken out, to see which attack it is for.

/** An entry of the log, and its seal: head `index` of a chain over a letter for each receipt. c and d are of one anchor. */
export interface Entry {
  readonly chain: "c" | "d" | "o";
  readonly index: number;
  readonly tree: string;
}
export type Log = readonly Entry[];

/** The places of the entries that a history of chain c tells as its heads, in order. */
export type Told = readonly number[];

/** The receipt at `place` of the tree of entry `at`. */
export interface Claim {
  readonly at: number;
  readonly place: number;
}

export interface Reader {
  /** How many entries the reader walked; 0 for one without the log. */
  readonly walked: number;
  /** Null for a reader without a history. */
  readonly told: Told | null;
  /** True if the history has its anchor, which gives the chains c and d. */
  readonly hasAnchor: boolean;
}

/** True: it holds, false: it fails, null: it can't be made. A check that is not named is not made. */
export interface Said {
  readonly chain_history?: boolean | null;
  readonly public_heads?: boolean | null;
  readonly other_chains?: boolean | null;
}

/** Each is a rule that can be taken out. */
export const RULES = [
  /** Head k is the first entry with label k behind head k - 1; without it, any entry with label k is. */
  "heads_in_order",
  /** A repeated label is void; without it, the chain of one that occurs twice has no heads. */
  "void_labels",
  /** What the history reaches and has not fails; without it, it is open, and open is accepted. */
  "reach",
  /** What came after the history is open; without it, a head that the history does not tell fails. */
  "as_of",
  /** A history counts where the log was walked; without it, one alone is enough. */
  "walk",
  /** Label 0 of other shards is looked up. */
  "other_chains",
] as const;
export type Rule = (typeof RULES)[number];

/** The places of the heads of a chain among the first `size` entries. */
export function headsIn(log: Log, size: number, chain: Entry["chain"], without?: Rule): number[] {
  const heads: number[] = [];
  for (const [at, entry] of log.slice(0, size).entries()) {
    if (entry.chain !== chain) continue;
    if (without === "heads_in_order" || entry.index === heads.length) heads.push(at);
  }
  const labels = log
    .slice(0, size)
    .filter((entry) => entry.chain === chain)
    .map(({ index }) => index);
  return without === "void_labels" && new Set(labels).size < labels.length ? [] : heads;
}

/** True if a file that tells these heads holds by itself: numbered without a gap, each tree the beginning of the last. */
export function isHistory(log: Log, told: Told): boolean {
  const heads = told.map((at) => log[at]);
  const last = heads.at(-1)?.tree ?? "";
  return heads.every(
    (head, i) =>
      head?.chain === "c" &&
      head.index === i &&
      last.startsWith(head.tree) &&
      head.tree.length > (heads[i - 1]?.tree.length ?? 0),
  );
}

/** Up to which entry a history has all heads, and the place that it tells for the first one that the log has not there. */
interface Reach {
  readonly end: number;
  readonly broken: number | null;
}

function reachOf(log: Log, told: Told, walked: number, without?: Rule): Reach {
  if (walked === 0) return { end: (told.at(-1) ?? -1) + 1, broken: null };
  const heads = headsIn(log, walked, "c", without);
  const same = told.findIndex((at, i) => heads[i] !== at);
  const number = same < 0 ? told.length : same;
  const place = told[number] ?? walked;
  const next = heads[number] ?? walked;
  if (without === "as_of" && next < walked) return { end: 0, broken: 0 };
  return { end: Math.min(next, place), broken: place < walked ? place : null };
}

/** What a reader's program says of a receipt. */
export function said(log: Log, claim: Claim, reader: Reader, without?: Rule): Said {
  const { walked, told, hasAnchor } = reader;
  const isOfC = log[claim.at]?.chain === "c";
  const reach = told === null || !isOfC ? null : reachOf(log, told, walked, without);
  return {
    ...(told !== null && { chain_history: reach && inHistory(log, claim, told, reach, without) }),
    public_heads: inLog(log, claim, walked, reach, without),
    ...(told !== null && hasAnchor && walked > 0 && { other_chains: alone(log, claim, reach, without) }),
  };
}

function inHistory(log: Log, { at, place }: Claim, told: Told, reach: Reach, without?: Rule): boolean | null {
  const tree = log[at]?.tree ?? "";
  const whole = log[told.at(-1) ?? -1]?.tree ?? "";
  if (place < whole.length && whole[place] !== tree[place]) return false;
  if (tree.length <= whole.length && !whole.startsWith(tree)) return false;
  if (at >= reach.end) return reach.broken === null ? null : false;
  if (told.includes(at)) return true;
  return without === "reach" ? null : false;
}

function inLog(log: Log, { at }: Claim, walked: number, reach: Reach | null, without?: Rule): boolean | null {
  const entry = log[at];
  if (walked === 0 || entry === undefined || at >= walked) return null;
  const heads = headsIn(log, walked, entry.chain, without);
  const isHead = without === "heads_in_order" ? heads.includes(at) : heads[entry.index] === at;
  const broken = reach?.broken ?? null;
  return isHead && (broken === null || at < broken);
}

/** A chain may have begun since the history was fetched, and so may the receipt's own. */
function alone(log: Log, { at }: Claim, reach: Reach | null, without?: Rule): boolean | null {
  if (reach === null || at >= reach.end) return null;
  const [first = at] = headsIn(log, at, "d");
  return without === "other_chains" || first === at;
}
