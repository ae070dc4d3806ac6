// Conversations that come in pages, a bundle each: whether one page continues the other, and which turns are missing.
// A conversation is known by its chain and its id: two tenants may each have a conversation of the same id.
import { DisclosureError } from "../core/errors.ts";
import { hashReceiptCore, withoutAuthentication } from "../core/formats/receipt.ts";
import { formatDigest } from "../core/merkle/hash.ts";
import { type Finding, holds } from "../core/verify/check.ts";
import { count } from "../core/verify/count.ts";
import { verifyLinks } from "../core/verify/verify-links.ts";
import type { BundleFile } from "./evidence.ts";

/** Turns that are missing, both ends included; `to` is null where every turn from there on is. */
export interface TurnRange {
  readonly from: number;
  readonly to: number | null;
}

export interface MissingTurns {
  readonly interactionId: string;
  readonly ranges: readonly TurnRange[];
}

interface KnownTurns {
  readonly interactionId: string;
  pages: number;
  /** The receipts of each turn by their hashes: several where the id was erased, and the conversation began anew. */
  readonly byTurn: Map<number, Map<string, object>>;
  /** The page that goes on furthest says where the next begins; null where it says that there is none. */
  lastTurn: number;
  nextTurn: number | null;
}

export class Conversations {
  readonly #known = new Map<string, KnownTurns>();

  /** Takes in a bundle that holds by itself. */
  add({ bundle, nextTurn }: BundleFile): void {
    const key = conversationKey(bundle);
    const conversation = this.#known.get(key) ?? newConversation(bundle.interaction_id);
    this.#known.set(key, conversation);
    conversation.pages++;
    for (const receipt of bundle.receipts) addTurn(conversation, receipt);
    const lastTurn = Number(bundle.receipts.at(-1)?.turn ?? 0);
    if (lastTurn < conversation.lastTurn) return;
    // Where two pages end alike, the one that says that there is more is the one to warn of.
    const isFurther = lastTurn > conversation.lastTurn;
    conversation.nextTurn = isFurther ? nextTurn : (conversation.nextTurn ?? nextTurn);
    conversation.lastTurn = lastTurn;
  }

  /** True if any conversation is spread over several bundles. */
  get arePaged(): boolean {
    return [...this.#known.values()].some(({ pages }) => pages > 1);
  }

  /** Throws `proof_invalid` unless turns that follow each other are linked, whichever page they are on. */
  async checkLinks(): Promise<Finding> {
    let linked = 0;
    for (const conversation of this.#known.values()) linked += await countLinks(conversation);
    return holds(`${count(linked, "link")} from turn to turn`);
  }

  /** Each conversation that is not here as a whole. Nothing proves that a conversation has ended. */
  missing(): MissingTurns[] {
    return [...this.#known.values()]
      .map((conversation) => ({
        interactionId: conversation.interactionId,
        ranges: missingRanges(conversation),
      }))
      .filter(({ ranges }) => ranges.length > 0);
  }
}

/** Names a conversation across files. */
export const conversationKey = ({ interaction_id, receipts }: BundleFile["bundle"]): string =>
  JSON.stringify([receipts[0]?.chain_id, interaction_id]);

const newConversation = (interactionId: string): KnownTurns => ({
  interactionId,
  pages: 0,
  byTurn: new Map(),
  lastTurn: 0,
  nextTurn: null,
});

function addTurn({ byTurn }: KnownTurns, receipt: BundleFile["bundle"]["receipts"][number]): void {
  const turn = Number(receipt.turn);
  const known = byTurn.get(turn) ?? new Map<string, object>();
  byTurn.set(turn, known.set(formatDigest(hashReceiptCore(withoutAuthentication(receipt))), receipt));
}

async function countLinks({ interactionId, byTurn }: KnownTurns): Promise<number> {
  let linked = 0;
  for (const [turn, receipts] of byTurn) {
    const before = byTurn.get(turn - 1);
    if (before === undefined) continue;
    for (const receipt of receipts.values()) {
      const { checks } = await verifyLinks([previousOf(receipt, before), receipt]);
      // The links of the chain are checked over all receipts, and not only over those of pages.
      const broken = checks.find(({ name, ok }) => name === "turn_links" && ok === false);
      if (broken !== undefined)
        throw new DisclosureError("proof_invalid", `conversation ${interactionId}: ${broken.detail}`);
      linked++;
    }
  }
  return linked;
}

/** Picks the receipt of the turn before that is linked to; else any, to which the link does not hold. */
function previousOf(receipt: object, before: ReadonlyMap<string, object>): object {
  const { previous_turn_hash: link } = receipt as { previous_turn_hash?: unknown };
  const [any = {}] = before.values();
  return (typeof link === "string" && before.get(link)) || any;
}

function missingRanges({ byTurn, nextTurn }: KnownTurns): TurnRange[] {
  const ranges: TurnRange[] = [];
  let expected = 1;
  for (const turn of [...byTurn.keys()].sort((a, b) => a - b)) {
    if (turn > expected) ranges.push({ from: expected, to: turn - 1 });
    expected = turn + 1;
  }
  return nextTurn === null ? ranges : [...ranges, { from: expected, to: null }];
}
