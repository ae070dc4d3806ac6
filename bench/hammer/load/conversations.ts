// The conversations that callers have had: readers look some of them up, and operators erase some.
import { indexIn, type Random } from "../../throughput/random.ts";
import type { LoadTenant } from "../world/tenants.ts";

/** More would make a long run heavy: the oldest are forgotten, the oracle knows all. */
const MAX_KNOWN = 5_000;

export interface HadConversation {
  readonly tenant: LoadTenant;
  readonly interactionId: string;
  readonly eventIds: readonly string[];
  /** Nothing of it is under way or will be sent again. */
  readonly isOver: boolean;
}

export class HadConversations {
  #known: HadConversation[] = [];
  readonly #erased = new Set<HadConversation>();

  add(conversation: HadConversation): void {
    this.#known.push(conversation);
    if (this.#known.length >= 2 * MAX_KNOWN) this.#known = this.#known.slice(-MAX_KNOWN);
  }

  /** Any of them, or null. */
  any(random: Random): HadConversation | null {
    return this.#known[indexIn(random, this.#known.length)] ?? null;
  }

  /** One that may be erased, from now on counted as erased. */
  takeToErase(random: Random): HadConversation | null {
    const free = this.#known.filter((one) => one.isOver && !this.#erased.has(one));
    const taken = free[indexIn(random, free.length)] ?? null;
    if (taken !== null) this.#erased.add(taken);
    return taken;
  }

  isErased(conversation: HadConversation): boolean {
    return this.#erased.has(conversation);
  }

  get erased(): readonly HadConversation[] {
    return [...this.#erased];
  }
}
