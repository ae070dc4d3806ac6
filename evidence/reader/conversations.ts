// Conversations that come in pages, a bundle each: whether one page continues the other. A conversation
// is known by its chain and its id: two tenants may each have a conversation of the same id.
import { DisclosureError } from "../core/errors.ts";
import { hashReceiptCore, withoutAuthentication } from "../core/formats/receipt.ts";
import { formatDigest } from "../core/merkle/hash.ts";
import { type Finding, holds, unchecked } from "../core/verify/check.ts";
import { count } from "../core/verify/count.ts";
import { verifyLinks } from "../core/verify/verify-links.ts";
import type { BundleFile } from "./evidence.ts";

interface KnownTurns {
  readonly interactionId: string;
  pages: number;
  /** The receipts of each turn by their hashes: several where the id was erased, and the conversation began anew. */
  readonly byTurn: Map<number, Map<string, object>>;
}

interface Links {
  linked: number;
  astray: string | null;
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

  /** Throws `proof_invalid` unless turns are in order with those that they link to, whichever page they are on. */
  async checkLinks(): Promise<Finding> {
    let linked = 0;
    let astray: string | null = null;
    for (const conversation of this.#known.values()) {
      const links = await countLinks(conversation);
      linked += links.linked;
      astray ??= links.astray;
    }
    return astray === null
      ? holds(`${count(linked, "link")} from turn to turn`)
      : unchecked("not_given", astray);
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
  byTurn.set(turn, known.set(linkTo(receipt), receipt));
}

/** How the next turn names this one. */
export const linkTo = (receipt: object): string =>
  formatDigest(hashReceiptCore(withoutAuthentication(receipt)));

/** The links from a turn to one that is here, and a turn that follows another than is here: of a conversation under an old id. */
async function countLinks({ interactionId, byTurn }: KnownTurns): Promise<Links> {
  const links: Links = { linked: 0, astray: null };
  for (const [turn, receipts] of byTurn) {
    const before = byTurn.get(turn - 1);
    if (before === undefined) continue;
    for (const receipt of receipts.values()) {
      const { previous_turn_hash: link } = receipt as { previous_turn_hash?: unknown };
      const previous = typeof link === "string" ? before.get(link) : undefined;
      if (previous === undefined) {
        links.astray ??= `conversation ${interactionId}: turn ${turn} follows a turn that is not here`;
        continue;
      }
      const { checks } = await verifyLinks([previous, receipt]);
      // The links of the chain are checked over all receipts, and not only over those of pages.
      const broken = checks.find(({ name, ok }) => name === "turn_links" && ok === false);
      if (broken !== undefined)
        throw new DisclosureError("proof_invalid", `conversation ${interactionId}: ${broken.detail}`);
      links.linked++;
    }
  }
  return links;
}
