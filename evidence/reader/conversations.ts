// Conversations that come in pages, a bundle each: whether one page continues the other. A conversation
// is known by its chain and its id: two tenants may each have a conversation of the same id.
import { DisclosureError } from "../core/errors.ts";
import { hashReceiptCore, withoutAuthentication } from "../core/formats/receipt.ts";
import { formatDigest } from "../core/merkle/hash.ts";
import { type Finding, holds } from "../core/verify/check.ts";
import { count } from "../core/verify/count.ts";
import { verifyLinks } from "../core/verify/verify-links.ts";
import type { BundleFile } from "./evidence.ts";

interface KnownTurns {
  readonly interactionId: string;
  pages: number;
  /** The receipts of each turn by their hashes: several where the id was erased, and the conversation began anew. */
  readonly byTurn: Map<number, Map<string, object>>;
}

export class Conversations {
  readonly #known = new Map<string, KnownTurns>();

  /** Takes in a bundle that holds by itself. */
  add({ bundle }: BundleFile): void {
    const key = conversationKey(bundle);
    const conversation = this.#known.get(key) ?? newConversation(bundle.interaction_id);
    this.#known.set(key, conversation);
    conversation.pages++;
    for (const receipt of bundle.receipts) addTurn(conversation, receipt);
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
}

/** Names a conversation across files. */
export const conversationKey = ({ interaction_id, receipts }: BundleFile["bundle"]): string =>
  JSON.stringify([receipts[0]?.chain_id, interaction_id]);

const newConversation = (interactionId: string): KnownTurns => ({
  interactionId,
  pages: 0,
  byTurn: new Map(),
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
