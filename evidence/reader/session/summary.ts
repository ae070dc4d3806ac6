// The summary of a session: how many files, receipts, conversations and chains there are, which turns and numbers are not
// among them, and on which receipts the wording rules had remarks. It is made of evidence that does not fail, and is no
// check: that something is not here says nothing against what is. docs/receipt-format.md, section "Many files".
import { type ShownReceipt, shownReceiptSchema } from "../../core/formats/receipt.ts";
import type { TenantHistory } from "../../core/verify/tenant-history.ts";
import { type Evidence, receiptsOf } from "../evidence.ts";
import { isInOrder } from "../wording.ts";
import { type ConversationPart, type KnownReceipt, linkOf, partsOf } from "./conversation-parts.ts";
import { gapsIn, type NumberRange } from "./ranges.ts";

/** Turns that are not here, both ends included; `to` is null where every turn from there on is not. */
export interface TurnRange {
  readonly from: number;
  readonly to: number | null;
}

/** A receipt as a place to go to. */
export interface SummaryPlace {
  readonly file: string;
  readonly eventId: string;
  readonly turn: number;
}

export interface MissingTurns {
  /** Null where neither a bundle nor a request says which conversation it is. */
  readonly interactionId: string | null;
  /** Its last turn that is here. */
  readonly last: SummaryPlace;
  readonly ranges: readonly TurnRange[];
}

export interface ChainNumbers {
  readonly chainId: string;
  readonly receipts: number;
  readonly first: number;
  readonly last: number;
  /** How many receipts the reader's history has of the chain; null without one. */
  readonly inHistory: number | null;
  /** Numbers between the first and the last that are not here; with a history, all of its numbers that are not. */
  readonly missing: readonly NumberRange[];
}

export interface WordingRemark {
  /** A finding of the wording policy; the verdict where the receipt names no finding. */
  readonly kind: string;
  readonly receipts: readonly SummaryPlace[];
}

export interface SessionSummary {
  /** Files of evidence that do not fail. */
  readonly files: number;
  /** Receipts, each counted once however many files have it. */
  readonly receipts: number;
  readonly conversations: number;
  readonly chains: readonly ChainNumbers[];
  readonly missingTurns: readonly MissingTurns[];
  /** Receipts with a remark, and the remarks by kind. */
  readonly remarked: number;
  readonly remarks: readonly WordingRemark[];
}

/** Takes in evidence piece by piece, and keeps of each receipt only what the summary needs. */
export class Inventory {
  readonly #receipts = new Map<string, KnownReceipt>();
  /** By input hash, the conversation that a request of the reader's names. */
  readonly #conversations: ReadonlyMap<string, string>;
  #files = 0;

  constructor(conversations: ReadonlyMap<string, string>) {
    this.#conversations = conversations;
  }

  /** Takes in evidence of which no check failed. */
  add(evidence: Evidence, file: string): void {
    this.#files++;
    for (const raw of receiptsOf(evidence)) {
      const { data } = shownReceiptSchema.safeParse(raw);
      if (data !== undefined) this.#addReceipt(raw, data, evidence, file);
    }
  }

  #addReceipt(raw: object, receipt: ShownReceipt, evidence: Evidence, file: string): void {
    const bundle = evidence.kind === "bundle" ? evidence : null;
    const link = linkOf(raw);
    const known = this.#receipts.get(link);
    const isLast = bundle !== null && bundle.bundle.receipts.at(-1) === raw;
    const interactionId =
      bundle?.bundle.interaction_id ?? this.#conversations.get(receipt.input_hash) ?? null;
    this.#receipts.set(link, {
      link,
      file: known?.file ?? file,
      eventId: receipt.event_id,
      chainId: receipt.chain_id,
      sequence: receipt.sequence,
      turn: receipt.turn,
      previous: receipt.previous_turn_hash,
      remarks: isInOrder(receipt) ? [] : remarksOf(receipt),
      interactionId: known?.interactionId ?? interactionId,
      // Where two pages end alike, the one that says that there is more is the one to warn of.
      hasMore: known?.hasMore === true || (isLast && bundle.nextTurn !== null),
    });
  }

  summary(history: TenantHistory | null): SessionSummary {
    const receipts = [...this.#receipts.values()];
    const parts = partsOf(receipts);
    const remarked = receipts.filter(({ remarks }) => remarks.length > 0);
    return {
      files: this.#files,
      receipts: receipts.length,
      conversations: parts.filter(({ mayContinue }) => mayContinue === null).length,
      chains: [...Map.groupBy(receipts, ({ chainId }) => chainId)].map(([chainId, ofChain]) =>
        chainNumbers(chainId, ofChain, history?.chains.get(chainId)?.size ?? null),
      ),
      missingTurns: parts.flatMap(missingTurns),
      remarked: remarked.length,
      remarks: byKind(remarked),
    };
  }
}

const remarksOf = ({ policy, verdict }: ShownReceipt): readonly string[] =>
  policy.findings.length === 0 ? [verdict] : policy.findings;

function chainNumbers(
  chainId: string,
  receipts: readonly KnownReceipt[],
  inHistory: number | null,
): ChainNumbers {
  const numbers = receipts.map(({ sequence }) => sequence).sort((a, b) => a - b);
  const [first = 0, last = 0] = [numbers.at(0), numbers.at(-1)];
  const behind = inHistory !== null && inHistory > last ? [inHistory] : [];
  const missing = gapsIn([...numbers, ...behind], inHistory === null ? first : 0);
  return { chainId, receipts: receipts.length, first, last, inHistory, missing };
}

function missingTurns({ receipts, mayContinue }: ConversationPart): MissingTurns[] {
  const last = receipts.at(-1);
  if (last === undefined) return [];
  const turns = receipts.map(({ turn }) => turn);
  const before: TurnRange[] = gapsIn(turns, (mayContinue?.lastTurn ?? 0) + 1);
  const ranges = last.hasMore ? [...before, { from: last.turn + 1, to: null }] : before;
  const interactionId = receipts.find((receipt) => receipt.interactionId !== null)?.interactionId ?? null;
  return ranges.length === 0 ? [] : [{ interactionId, last: placeOf(last), ranges }];
}

/** One pass: a stranger's receipts may each name thousands of findings. */
function byKind(receipts: readonly KnownReceipt[]): WordingRemark[] {
  const kinds = new Map<string, SummaryPlace[]>();
  for (const receipt of receipts) {
    const place = placeOf(receipt);
    for (const kind of new Set(receipt.remarks)) {
      const places = kinds.get(kind) ?? [];
      places.push(place);
      kinds.set(kind, places);
    }
  }
  return [...kinds.keys()].sort().map((kind) => ({ kind, receipts: kinds.get(kind) ?? [] }));
}

const placeOf = ({ file, eventId, turn }: KnownReceipt): SummaryPlace => ({ file, eventId, turn });
