// Which receipts are of one conversation. A receipt does not name its conversation: receipts belong together where one links
// to the other, or where a bundle or a request of the reader's names the conversation of both.
import { hashReceiptCore, withoutAuthentication } from "../../core/formats/receipt.ts";
import { formatDigest } from "../../core/merkle/hash.ts";

/** What the summary keeps of a receipt. */
export interface KnownReceipt {
  /** The hash that the next turn names. */
  readonly link: string;
  /** The first file that has it. */
  readonly file: string;
  readonly eventId: string;
  readonly chainId: string;
  readonly sequence: number;
  readonly turn: number;
  /** The link of the turn before; null for the first turn. */
  readonly previous: string | null;
  readonly remarks: readonly string[];
  /** Null where nothing at hand names the conversation. */
  readonly interactionId: string | null;
  /** True where a bundle ends with it and says that there are further turns. */
  readonly hasMore: boolean;
}

/** Receipts that are known to be of one conversation, in the order of their turns. */
export interface ConversationPart {
  readonly receipts: readonly KnownReceipt[];
  /**
   * The last turn of any other part that could be an earlier one of the same conversation; null where there is none: a
   * conversation stays on its chain, and its turns come in the order of the chain's numbers.
   */
  readonly mayContinue: { readonly lastTurn: number } | null;
}

type Group = [KnownReceipt, ...KnownReceipt[]];

/** The hash by which the next receipt of the conversation names this one. */
export const linkOf = (receipt: object): string =>
  formatDigest(hashReceiptCore(withoutAuthentication(receipt)));

export function partsOf(receipts: readonly KnownReceipt[]): ConversationPart[] {
  const chains = Map.groupBy(groupReceipts(receipts), ([first]) => first?.chainId);
  return [...chains.values()].flatMap(partsOfChain);
}

/** Union-find over links and names; a group comes out in the order of its turns. */
function groupReceipts(receipts: readonly KnownReceipt[]): Group[] {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    // The whole way is made short: a chain of links may come newest first.
    for (let at = key, next = parents.get(at); next !== undefined && next !== root; next = parents.get(at)) {
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  const join = (a: string, b: string): void => {
    const [rootA, rootB] = [rootOf(a), rootOf(b)];
    if (rootA !== rootB) parents.set(rootA, rootB);
  };
  const links = new Set(receipts.map(({ link }) => link));
  for (const { link, previous, chainId, interactionId } of receipts) {
    if (previous !== null && links.has(previous)) join(link, previous);
    // Two tenants may each have a conversation of the same id.
    if (interactionId !== null) join(link, JSON.stringify([chainId, interactionId]));
  }
  return [...Map.groupBy(receipts, ({ link }) => rootOf(link)).values()].map(
    (group) => group.toSorted((a, b) => a.turn - b.turn || a.sequence - b.sequence) as Group,
  );
}

/** One pass over the chain's numbers: a part can only continue one whose last receipt has a smaller number. */
function partsOfChain(groups: readonly Group[]): ConversationPart[] {
  const byStart = groups.toSorted((a, b) => a[0].sequence - b[0].sequence);
  const byEnd = groups.toSorted((a, b) => lastOf(a).sequence - lastOf(b).sequence);
  const turns = { named: new Set<number>(), unnamed: new Set<number>() };
  let ended = 0;
  return byStart.map((group) => {
    const [first] = group;
    for (
      let end = byEnd[ended];
      end !== undefined && lastOf(end).sequence < first.sequence;
      end = byEnd[++ended]
    )
      turns[isNamed(end) ? "named" : "unnamed"].add(lastOf(end).turn);
    // Were two parts with names one conversation, they would be one part.
    const candidates = [...turns.unnamed, ...(isNamed(group) ? [] : turns.named)];
    const lastTurn = candidates.reduce(
      (most, turn) => (turn < first.turn - 1 ? Math.max(most, turn) : most),
      0,
    );
    return { receipts: group, mayContinue: lastTurn === 0 ? null : { lastTurn } };
  });
}

const lastOf = (group: Group): KnownReceipt => group.at(-1) ?? group[0];

const isNamed = (group: Group): boolean => group.some(({ interactionId }) => interactionId !== null);
