// The final table of an audit.
import type { Metachain } from "../../../evidence/core/formats/metachain.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import type { Outcome } from "../../../evidence/reader/verdict.ts";
import type { WrittenFork } from "../files/fork-file.ts";
import { uncoveredSeals } from "../metachain/checkpoint-walk.ts";
import type { LogKeys } from "../metachain/log-keys.ts";
import { asksWitnesses, checkpointsSentence, forkSentence, isVerified } from "../output/checkpoint-words.ts";
import { quorumOf, staleSentences } from "../output/freshness.ts";
import { printFaults, printTable } from "../output/table.ts";
import { bold, green, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import { LAYERS_CHECK } from "./audit-policy.ts";
import { type AuditState, isHeadLast } from "./audit-state.ts";
import type { AuditFault, Tally } from "./audit-tally.ts";

export function auditVerdict(audited: Pick<Audited, "state" | "keys" | "waitingSince" | "now">): Outcome {
  const { tally, checkpoints } = audited.state;
  const { keys } = audited;
  if (tally.fault_count > 0) return "does_not_hold";
  const isStale = staleSentences(freshnessOf(audited)).length > 0;
  return tally.unchecked > 0 || isStale || isUnsigned(checkpoints, keys) ? "holds_so_far" : "holds";
}

/** A checkpoint follows its seal within a run or two. An outage of the key may last longer, and then says so. */
const MAX_UNCOVERED_SEALS = 32;

const freshnessOf = ({ state, waitingSince, now }: Pick<Audited, "state" | "waitingSince" | "now">) => ({
  waitingSince,
  quorumAt: state.checkpoints.quorum_at,
  now,
});

/** The reader's own key or policy asks for signatures, and no root, or none of the newest, has what it asks for. */
function isUnsigned(checkpoints: AuditState["checkpoints"], keys: LogKeys): boolean {
  if (!isVerified(keys)) return false;
  const held = keys.policy?.quorum === null ? checkpoints.signed : checkpoints.cosigned;
  return held === 0 || uncoveredSeals(checkpoints) > MAX_UNCOVERED_SEALS;
}

/** The findings of an audit. */
export interface Audited {
  readonly state: AuditState;
  readonly head: Metachain;
  readonly keys: LogKeys;
  readonly fork: WrittenFork | null;
  /** When the first seal was made whose entries are not published; null where all are. */
  readonly waitingSince: string | null;
  /** The reader's clock. */
  readonly now: Date;
  /** Why not all could be read; null where it was. */
  readonly reason: string | null;
}

export function jsonAudit(audited: Audited): object {
  const { state, head, keys, fork, reason, waitingSince } = audited;
  const { tally, checkpoints } = state;
  const { first, signed, cosigned, key, quorum_at } = checkpoints;
  return {
    verdict: auditVerdict(audited),
    size: head.size,
    ...tally,
    checkpoints: {
      first,
      signed,
      cosigned,
      quorum_at,
      key: keys.trusted ?? key,
      verified: keys.policy !== null,
    },
    waiting_since: waitingSince,
    fork: fork?.file ?? null,
    reason,
  };
}

export function printAudit(audited: Audited, terminal: Terminal): void {
  const { state, keys, head, fork } = audited;
  const { metachain, last, tally } = state;
  terminal.print(bold(metachain));
  printTable(terminal, [
    ["roots", `${tally.roots} of ${head.size}`],
    ["tree size", `${count(last?.tree_size ?? 0, "entry", "entries")} under the last root`],
    ["entries", entriesOf(state)],
    ["checkpoints", checkpointsOf(state, keys)],
    ...(asksWitnesses(keys) ? [["newest quorum", quorumOf(freshnessOf(audited))]] : []),
    ["consistency", count(tally.paths, "path holds", "paths hold")],
    ["timestamps", timestampsOf(tally)],
    ["authorities", authoritiesOf(tally)],
    ["gaps", tally.gaps === 0 ? "none" : red(count(tally.gaps, "root is missing", "roots are missing"))],
    ["head", headOf(audited)],
    ["wording policy", layersOf(audited)],
    ["receipts", `${tally.receipts}, as the service states`],
    ["sealed", periodOf(tally)],
    ["longest pause", pauseOf(tally)],
  ]);
  if (tally.unanchored > 0) terminal.print(yellow(unanchoredSentence(tally)));
  printFaults(terminal, tally.faults.map(describe), tally.fault_count);
  for (const sentence of staleSentences(freshnessOf(audited))) terminal.print(yellow(sentence));
  if (fork !== null) terminal.print(red("FORK: "), forkSentence(fork));
  terminal.print("verdict: ", VERDICTS[auditVerdict(audited)] ?? "");
}

const VERDICTS: Readonly<Partial<Record<Outcome, StyledText>>> = {
  holds: green("the metachain holds"),
  holds_so_far: yellow("the metachain holds as far as it could be checked"),
  does_not_hold: red("the metachain does not hold"),
};

const describe = ({ index, check, detail }: AuditFault): StyledText[] => [
  index === null ? (check === LAYERS_CHECK ? "wording policy" : "head") : `root ${index}`,
  check,
  detail,
];

function timestampsOf({ tokens, unchecked }: Tally): StyledText {
  const held = count(tokens, "token holds", "tokens hold");
  return unchecked === 0 ? held : yellow(`${held}, those of ${count(unchecked, "root")} were not checked`);
}

/** Those of the newest roots may not be published yet. */
function entriesOf({ last, tally: { entries } }: AuditState): StyledText {
  const walked = `${entries} of ${last?.tree_size ?? 0} lead to their roots`;
  return entries === (last?.tree_size ?? 0) ? walked : yellow(walked);
}

function checkpointsOf({ checkpoints }: AuditState, keys: LogKeys): StyledText {
  const sentence = checkpointsSentence(checkpoints, keys);
  if (isUnsigned(checkpoints, keys)) return yellow(sentence);
  return checkpoints.first === null || isVerified(keys) ? sentence : yellow(sentence);
}

function headOf({ state, head, reason }: Audited): StyledText {
  if (isHeadLast(state, head)) return "is the last root";
  return reason !== null && state.next < head.size ? yellow("was not reached") : red("is not the last root");
}

/** The policy is read last, so whatever could not be read, it was not read to its end. */
function layersOf({ state: { layers, tally }, reason }: Audited): StyledText {
  if (reason !== null) return yellow("was not read to its end");
  if (layers.length === 0) return yellow("none is published");
  return `${tally.layers} of ${count(layers.length, "layer")} published under their hashes`;
}

/** The largest number first: "2 over 40 roots, none over 1 root". */
const authoritiesOf = ({ authorities }: Tally): string =>
  Object.entries(authorities)
    .sort(([a], [b]) => Number(b) - Number(a))
    .map(
      ([authorities, roots]) => `${authorities === "0" ? "none" : authorities} over ${count(roots, "root")}`,
    )
    .join(", ") || "none";

const unanchoredSentence = ({ unanchored }: Tally): string =>
  `The tokens of ${count(unanchored, "root")} lead to none of the certificates used. To check them, give --tsa-ca the root certificates of their authorities.`;

const periodOf = ({ first_sealed_at, last_sealed_at }: Tally): string =>
  first_sealed_at === null ? "never" : `${first_sealed_at} to ${last_sealed_at}`;

const pauseOf = ({ longest_pause_seconds, longest_pause_after }: Tally): string =>
  longest_pause_after === null
    ? "none"
    : `${count(longest_pause_seconds, "second")}, after root ${longest_pause_after}`;
