// The games that an operator could win against readers of one history, as searches over small worlds: what one reader accepts,
// and what another may not accept beside it. docs/security.md has them as a table.
import {
  type Claim,
  type Entry,
  isHistory,
  type Log,
  type Reader,
  type Rule,
  said,
  type Told,
} from "./history-model.ts";

const TREES = ["a", "b", "ab", "bb"];
const ENTRIES: readonly Entry[] = [
  ...[0, 1, 2].flatMap((index) => TREES.map((tree): Entry => ({ chain: "c", index, tree }))),
  { chain: "d", index: 0, tree: "a" },
  { chain: "d", index: 1, tree: "a" },
];

/** All logs of up to `size` entries, the shortest first. */
export function* logsOf(size: number): Generator<Log> {
  let logs: readonly Log[] = [[]];
  for (let length = 1; length <= size; length++) {
    logs = logs.flatMap((log) => ENTRIES.map((entry) => [...log, entry]));
    yield* logs;
  }
}

/** All logs of up to `size` entries in which chain c grows as it should, beside one of another tenant's. */
export function* honestLogs(size: number): Generator<Log> {
  let logs: readonly Log[] = [[]];
  for (let length = 1; length <= size; length++) {
    logs = logs.flatMap((log) => [
      [...log, next(log, "c")],
      [...log, next(log, "o")],
    ]);
    yield* logs;
  }
}

function next(log: Log, chain: Entry["chain"]): Entry {
  const index = log.filter((entry) => entry.chain === chain).length;
  return { chain, index, tree: "abcdefgh".slice(0, index + 1) };
}

/** All readers who can be handed something: each prefix of the log, each file that holds by itself. */
export function readersOf(log: Log): Reader[] {
  const files = toldOf(log);
  const prefixes = Array.from({ length: log.length + 1 }, (_, walked) => walked);
  return prefixes.flatMap((walked) => [
    ...(walked > 0 ? [{ walked, told: null, hasAnchor: false }] : []),
    ...files.flatMap((told) => [false, true].map((hasAnchor) => ({ walked, told, hasAnchor }))),
  ]);
}

function toldOf(log: Log): Told[] {
  const sets = Array.from({ length: 2 ** log.length - 1 }, (_, bits) => bits + 1);
  return sets
    .map((bits) => [...log.keys()].filter((at) => bits & (1 << at)))
    .filter((told) => isHistory(log, told));
}

export const claimsOf = (log: Log): Claim[] =>
  log.flatMap(({ tree }, at) => [...tree].map((_, place) => ({ at, place })));

/** The readers that a game is about. */
type Who = "walk" | "history" | "both" | "anchor";

const isOne = ({ walked, told, hasAnchor }: Reader, who: Who, without?: Rule): boolean => {
  if (who === "walk") return told === null;
  if (who === "history") return told !== null && walked === 0;
  return told !== null && (who !== "anchor" || hasAnchor) && (walked > 0 || without === "walk");
};

/** A check that is left open accepts nothing, but for the rule that was taken out. */
function accepts(log: Log, claim: Claim, reader: Reader, without?: Rule): boolean {
  const { chain_history = true, public_heads, other_chains = true } = said(log, claim, reader, without);
  const isInHistory = chain_history === true || (without === "reach" && chain_history === null);
  const isInLog = public_heads === true || (reader.walked === 0 && public_heads === null);
  return isInHistory && isInLog && other_chains === true;
}

interface Accepted {
  readonly reader: Reader;
  readonly claim: Claim;
}

const acceptedBy = (who: Who, log: Log, without?: Rule): Accepted[] =>
  readersOf(log)
    .filter((reader) => isOne(reader, who, without))
    .flatMap((reader) => claimsOf(log).map((claim) => ({ reader, claim })))
    .filter(({ reader, claim }) => accepts(log, claim, reader, without));

const letterAt = (log: Log, { at, place }: Claim): string | undefined => log[at]?.tree[place];

export interface Game {
  readonly name: string;
  readonly what: string;
  /** The rules that are for it. */
  readonly attacks: readonly Rule[];
  /** What the operator wins in this log; null for nothing. */
  readonly find: (log: Log, without?: Rule) => unknown;
}

export const GAMES: readonly Game[] = [
  {
    name: "NUMBER",
    what: "a walk alone gives one entry to each number of a chain, and none behind a gap",
    attacks: ["heads_in_order"],
    find: (log, without) =>
      clash(acceptedBy("walk", log, without), ({ claim: { at } }) => [
        `${log[at]?.chain}${log[at]?.index}`,
        String(at),
      ]),
  },
  {
    name: "UNIQ",
    what: "no two readers accept different receipts for one place of a chain",
    attacks: ["walk"],
    find: (log, without) =>
      clash(acceptedBy("both", log, without), ({ claim }) => [
        `${log[claim.at]?.chain} ${claim.place}`,
        letterAt(log, claim) ?? "",
      ]),
  },
  {
    name: "IN",
    what: "no reader accepts a receipt under a head that the history at hand reaches and has not",
    attacks: ["reach"],
    find: (log, without) =>
      (["history", "both"] as const)
        .flatMap((who) => acceptedBy(who, log, without))
        .find(
          ({ reader, claim }) => claim.at <= (reader.told?.at(-1) ?? -1) && !reader.told?.includes(claim.at),
        ) ?? null,
  },
  {
    name: "DATE",
    what: "a receipt that is accepted under a seal is in each accepted history that reaches the seal",
    attacks: ["walk"],
    find: (log, without) => {
      const accepted = acceptedBy("both", log, without);
      for (const { claim } of accepted)
        for (const { reader, claim: other } of accepted)
          if (other.at >= claim.at && !hasBy(log, reader.told ?? [], claim)) return { claim, reader };
      return null;
    },
  },
  {
    name: "BILL",
    what: "a closing head that is accepted counts as many receipts as the history has under it",
    attacks: ["reach"],
    find: (log, without) =>
      (["history", "both"] as const)
        .flatMap((who) => acceptedBy(who, log, without))
        .find(({ reader, claim: { at } }) => {
          const known = reader.told?.findLast((told) => told <= at) ?? -1;
          return at <= (reader.told?.at(-1) ?? -1) && log[known]?.tree.length !== log[at]?.tree.length;
        }) ?? null,
  },
  {
    name: "HIDE",
    what: "who is told that the anchor has no other chain knows of none that somebody else accepts",
    attacks: ["other_chains"],
    find: (log, without) => {
      const hidden = acceptedBy("walk", log, without).filter(({ claim }) => log[claim.at]?.chain === "d");
      const alone = acceptedBy("anchor", log, without);
      return alone.find(({ claim }) => hidden.some((other) => other.claim.at <= claim.at)) ?? null;
    },
  },
  {
    name: "KEEP",
    what: "what was accepted is accepted for ever, whatever is published later",
    attacks: ["void_labels", "as_of"],
    find: (log, without) =>
      (["both", "anchor"] as const)
        .flatMap((who) => acceptedBy(who, log, without))
        .find(({ reader, claim }) => {
          const later = { ...reader, walked: log.length };
          return reader.walked > 0 && !accepts(log, claim, later, without);
        }) ?? null,
  },
];

/** Two values of one key. */
function clash(
  accepted: readonly Accepted[],
  keyed: (one: Accepted) => [key: string, value: string],
): unknown {
  const known = new Map<string, Accepted>();
  for (const one of accepted) {
    const [key, value] = keyed(one);
    const other = known.get(key) ?? one;
    if (keyed(other)[1] !== value) return { one, other };
    known.set(key, other);
  }
  return null;
}

/** True if the history has this very receipt at its place under the head that it has by then. */
function hasBy(log: Log, told: Told, claim: Claim): boolean {
  const by = told.findLast((at) => at <= claim.at);
  return by !== undefined && log[by]?.tree[claim.place] === letterAt(log, claim);
}
