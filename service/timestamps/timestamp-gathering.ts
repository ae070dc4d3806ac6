// Several tokens over one root from authorities that have nothing to do with each other: distinct by the trust anchor
// that a token leads to, for two addresses may well be one company. Slow to load, as ASN.1 is.
import { parseBase64 } from "../../core/bytes.ts";
import type { TsaTimestamp } from "../../core/metachain.ts";
import { verifyTimestampToken } from "../../core/timestamp-token.ts";
import type { GatheredTokens, GatherTokens } from "../seals/seal-tokens.ts";
import {
  type AuthoritiesOptions,
  type Authority,
  formatTimestamp,
  openAuthorities,
  type Timestamp,
} from "./timestamp-authorities.ts";

/** How long one authority is waited for: many times what a healthy one takes. */
const AUTHORITY_TIMEOUT_MS = 4_000;

/** Gathers until there are `wanted` tokens, with those that are held. */
export function gatherFrom(options: AuthoritiesOptions, wanted: number): GatherTokens {
  const authorities = openAuthorities(options);
  return async (root, held, budgetMs) => {
    const counted = await countHeld(root, held, options.trustAnchors);
    const gathering = new Gathering(root, performance.now() + budgetMs, counted);
    return gathering.run(authorities, wanted);
  };
}

/** The URLs of held tokens by their trust anchors. One that leads to no anchor of today counts for nothing. */
async function countHeld(
  root: Uint8Array,
  held: readonly TsaTimestamp[],
  trustAnchors: readonly Uint8Array[],
): Promise<ReadonlyMap<string, string | null>> {
  const verifying = held.map(async ({ timestamp_token, tsa_url }) => {
    const token = parseBase64(timestamp_token ?? "");
    const { trustAnchor } = await verifyTimestampToken(token, root, trustAnchors);
    return [trustAnchor, tsa_url] as const;
  });
  const outcomes = await Promise.allSettled(verifying);
  return new Map(outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : [])));
}

class Gathering {
  readonly #root: Uint8Array;
  readonly #deadline: number;
  readonly #held: ReadonlyMap<string, string | null>;
  /** By trust anchor. */
  readonly #found = new Map<string, Timestamp>();

  constructor(root: Uint8Array, deadline: number, held: ReadonlyMap<string, string | null>) {
    this.#root = root;
    this.#deadline = deadline;
    this.#held = held;
  }

  async run(authorities: readonly Authority[], wanted: number): Promise<GatheredTokens> {
    const heldUrls = new Set(this.#held.values());
    const queue = authorities.filter(({ url, isAvailable }) => isAvailable && !heldUrls.has(url));
    const needed = Math.max(0, wanted - this.#held.size);
    // As many are asked side by side as tokens are needed. Where one fails, its place goes to the next in the queue.
    await Promise.all(Array.from({ length: needed }, () => this.#findOne(queue)));
    const place = ({ tsa_url }: Timestamp): number => authorities.findIndex(({ url }) => url === tsa_url);
    const inOrder = [...this.#found.values()].sort((a, b) => place(a) - place(b));
    return { tokens: inOrder.map(formatTimestamp), missing: needed - inOrder.length };
  }

  async #findOne(queue: Authority[]): Promise<void> {
    for (let authority = queue.shift(); authority !== undefined; authority = queue.shift()) {
      const left = this.#deadline - performance.now();
      const timestamp = await authority.ask(this.#root, Math.min(left, AUTHORITY_TIMEOUT_MS));
      if (timestamp !== null && this.#isNew(timestamp)) {
        this.#found.set(timestamp.trustAnchor, timestamp);
        return;
      }
    }
  }

  #isNew({ trustAnchor }: Timestamp): boolean {
    return !this.#held.has(trustAnchor) && !this.#found.has(trustAnchor);
  }
}
