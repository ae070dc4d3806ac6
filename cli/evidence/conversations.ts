// Conversations that come in pages, a bundle each: whether one page leads on to the next, and which turns are on none.

import { DisclosureError } from "../../core/errors.ts";
import { type Finding, holds } from "../../core/verify/check.ts";
import { count } from "../../core/verify/count.ts";
import { verifyLinks } from "../../core/verify/verify-links.ts";
import type { BundleFile } from "../input/evidence.ts";

interface Conversation {
  pages: number;
  readonly byTurn: Map<number, object>;
  /** The page that goes on furthest says where the next begins; null where it says that there is none. */
  lastTurn: number;
  nextTurn: number | null;
}

export class Conversations {
  readonly #byId = new Map<string, Conversation>();

  /** Takes in a bundle that holds by itself. */
  add({ bundle, nextTurn }: BundleFile): void {
    const { interaction_id: id } = bundle;
    const conversation = this.#byId.get(id) ?? newConversation();
    this.#byId.set(id, conversation);
    conversation.pages++;
    for (const receipt of bundle.receipts) conversation.byTurn.set(Number(receipt.turn), receipt);
    const lastTurn = Number(bundle.receipts.at(-1)?.turn ?? 0);
    if (lastTurn < conversation.lastTurn) return;
    // Of two that end alike, the one that says that there is more is the one to warn of.
    const isFurther = lastTurn > conversation.lastTurn;
    conversation.nextTurn = isFurther ? nextTurn : (conversation.nextTurn ?? nextTurn);
    conversation.lastTurn = lastTurn;
  }

  /** Whether any conversation is spread over several bundles. */
  get arePaged(): boolean {
    return [...this.#byId.values()].some(({ pages }) => pages > 1);
  }

  /** Throws `proof_invalid` unless turns that follow each other are linked, whichever page they are on. */
  async checkLinks(): Promise<Finding> {
    let linked = 0;
    for (const [id, { byTurn }] of this.#byId) {
      for (const [turn, receipt] of byTurn) {
        const previous = byTurn.get(turn - 1);
        if (previous === undefined) continue;
        const { checks } = await verifyLinks([previous, receipt]);
        const broken = checks.find(({ ok }) => ok === false);
        if (broken !== undefined)
          throw new DisclosureError("proof_invalid", `conversation ${id}: ${broken.detail}`);
        linked++;
      }
    }
    return holds(`${count(linked, "link")} from turn to turn`);
  }

  /** A sentence for each conversation that is not here as a whole. That one ends, nothing proves. */
  missing(): string[] {
    return [...this.#byId].flatMap(([id, conversation]) => {
      const ranges = missingRanges(conversation);
      if (ranges.length === 0) return [];
      return [`this is not all of conversation ${id}: ${ranges.join(", ")}`];
    });
  }
}

const newConversation = (): Conversation => ({
  pages: 0,
  byTurn: new Map(),
  lastTurn: 0,
  nextTurn: null,
});

function missingRanges({ byTurn, nextTurn }: Conversation): string[] {
  const ranges: string[] = [];
  let expected = 1;
  for (const turn of [...byTurn.keys()].sort((a, b) => a - b)) {
    if (turn > expected)
      ranges.push(
        turn === expected + 1
          ? `turn ${expected} is not here`
          : `turns ${expected} to ${turn - 1} are not here`,
      );
    expected = turn + 1;
  }
  return nextTurn === null ? ranges : [...ranges, `turns from ${expected} on are not here`];
}
