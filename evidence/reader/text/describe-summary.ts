// The summary of a session as sentences, for every program. Long lists are cut, and the rest is counted.
import type { ChainNumbers, MissingTurns, SessionSummary, WordingRemark } from "../session/summary.ts";
import { formatNumber } from "./format.ts";
import { type Text, termIn } from "./text.ts";

/** With more conversations, chains or gaps than this, the rest is counted and not listed. */
const MAX_LISTED = 20;
/** Enough of a chain's id to tell it apart. Hex digits. */
const ID_DIGITS = 8;

export interface DescribedSummary {
  readonly counts: string;
  /** A sentence for each conversation that is not here as a whole. */
  readonly missing: readonly string[];
  readonly chains: readonly string[];
  /** Null where there is no remark; else the sentence, and a name and a number for each kind. */
  readonly remarks: { readonly sentence: string; readonly kinds: readonly DescribedRemark[] } | null;
}

export interface DescribedRemark {
  readonly remark: WordingRemark;
  /** "the wording is not on the service’s list: 3" */
  readonly words: string;
}

export function describeSummary(text: Text, summary: SessionSummary): DescribedSummary {
  const { receipts, conversations, chains, missingTurns, files, remarked, remarks } = summary;
  const more = missingTurns.length - MAX_LISTED;
  const missing = missingTurns.slice(0, MAX_LISTED).map((one) => describeMissing(text, one));
  const moreChains = chains.length - MAX_LISTED;
  const listed = chains.slice(0, MAX_LISTED).map((chain) => describeChain(text, chain));
  return {
    counts: text.summary.counts(receipts, conversations, chains.length, files),
    missing: more > 0 ? [...missing, text.summary.moreMissing(more)] : missing,
    chains: moreChains > 0 ? [...listed, text.summary.moreChains(moreChains)] : listed,
    remarks:
      remarked === 0
        ? null
        : {
            sentence: text.verdict.remarks(remarked, receipts),
            kinds: remarks.map((remark) => ({
              remark,
              words: `${termIn(text, remark.kind)}: ${formatNumber(text.locale, remark.receipts.length)}`,
            })),
          },
  };
}

function describeMissing({ summary }: Text, { interactionId, last, ranges }: MissingTurns): string {
  const turns = cut(ranges.map(summary.turns)).join(", ");
  return summary.missing(turns, last.turn, interactionId ?? last.file);
}

function describeChain({ summary }: Text, chain: ChainNumbers): string {
  const { chainId, receipts, first, last, inHistory } = chain;
  const head = summary.chain(`${chainId.slice(0, ID_DIGITS)}…`, receipts, first, last);
  if (receipts === 1 && inHistory === null) return `${head}.`;
  const missing = cut(chain.missing.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)));
  const gaps = missing.length === 0 ? null : missing.join(", ");
  return `${head}; ${inHistory === null ? summary.gaps(gaps) : summary.notOfHistory(inHistory, gaps)}`;
}

const cut = (items: readonly string[]): string[] =>
  items.length <= MAX_LISTED
    ? [...items]
    : [...items.slice(0, MAX_LISTED), `… (+ ${items.length - MAX_LISTED})`];
