// One page of the list of receipts, and the way back: however many receipts there are, a page is all that is kept.
import {
  CONSOLE_PAGE_RECEIPTS,
  type ConsoleReceipt,
  type ConsoleReceiptPage,
} from "../../../contract/console.ts";

/** Pages that the reader can go back to by one step each; the newest is always one step away. */
const MAX_STEPS = 1_000;

export class ReceiptPages {
  #page: ConsoleReceiptPage | null = null;
  /** Where the shown page begins, and before it those that the reader came by; null is the newest page. */
  #steps: (string | null)[] = [null];

  /** Null until the first page was read. */
  get page(): ConsoleReceiptPage | null {
    return this.#page;
  }

  get receipts(): readonly ConsoleReceipt[] {
    return this.#page?.receipts ?? [];
  }

  get isNewest(): boolean {
    return this.#steps.length === 1;
  }

  /** Where the shown page begins. */
  get before(): string | null {
    return this.#steps.at(-1) ?? null;
  }

  show(page: ConsoleReceiptPage): void {
    this.#page = page;
  }

  /** The place of the next page; the caller reads it and shows it. */
  goOlder(): string | null {
    const next = this.#page?.next ?? null;
    if (next !== null) this.#steps = [...this.#steps.slice(-MAX_STEPS), next];
    return this.before;
  }

  goNewer(): string | null {
    if (!this.isNewest) this.#steps = this.#steps.slice(0, -1);
    return this.before;
  }

  goNewest(): void {
    this.#steps = [null];
  }

  /** Forgets the page as well: another choice has another list. */
  startOver(): void {
    this.goNewest();
    this.#page = null;
  }

  /**
   * Takes in what came lately. Returns how many are new; null where the list may have a gap now, since nothing of what
   * came is known, and so must be read again.
   */
  takeNews(news: readonly ConsoleReceipt[]): number | null {
    if (this.#page === null || !this.isNewest) return 0;
    const known = new Set(this.#page.receipts.map(({ event_id }) => event_id));
    const fresh = news.filter(({ event_id }) => !known.has(event_id));
    if (fresh.length === 0) return 0;
    if (fresh.length >= CONSOLE_PAGE_RECEIPTS) return null;
    const all = [...fresh, ...this.#page.receipts].sort(byTime);
    const receipts = all.slice(0, CONSOLE_PAGE_RECEIPTS);
    // Receipts that no longer fit are the first ones of the next page.
    const next = all.length > receipts.length ? (receipts.at(-1)?.place ?? null) : this.#page.next;
    this.#page = { ...this.#page, receipts, next };
    return fresh.length;
  }
}

/** Newest first, as the server orders them: by time, then by chain, then by number. */
function byTime(a: ConsoleReceipt, b: ConsoleReceipt): number {
  if (a.issued_at !== b.issued_at) return a.issued_at < b.issued_at ? 1 : -1;
  const [chainOfA = "", chainOfB = ""] = [a, b].map(({ place }) => place.split("~")[1]);
  if (chainOfA !== chainOfB) return chainOfA < chainOfB ? 1 : -1;
  return b.sequence - a.sequence;
}
