// Several tokens over one root from independent authorities. They differ in the trust anchor that they lead to, as two
// addresses may belong to one company, and in the key that signed them, as a cross-signed issuer leads one authority to
// two anchors. Slow to load, as everything that parses ASN.1 is.
import { parseBase64 } from "../../evidence/core/bytes.ts";
import type { TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import { verifyTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import {
  type AuthoritiesOptions,
  formatTimestamp,
  type GuardedAuthority,
  openAuthorities,
  type Timestamp,
  type TokenIssuer,
} from "./guarded-authority.ts";
import type { GatheredTokens, GatherTokens } from "./ports.ts";
import { requireNotOlder, type StampSubject } from "./timestamp-authority.ts";

/** The longest wait for one authority: many times what a healthy one takes. */
const AUTHORITY_TIMEOUT_MS = 4_000;

/** A token that counts, with the address that gave it. */
type Counted = TokenIssuer & { readonly url: string | null };

/** Gathers until there are `wanted` tokens, with those that are held. */
export function gatherFrom(options: AuthoritiesOptions, wanted: number): GatherTokens {
  const authorities = openAuthorities(options);
  return async (root, held, budgetMs, notBefore) => {
    const subject = { root, notBefore };
    const counted = await countHeld(subject, held, options.trustAnchors);
    const search = new TokenSearch(subject, performance.now() + budgetMs, counted);
    return search.run(authorities, wanted);
  };
}

/** A token that leads to none of today's anchors does not count, and two of one authority count once. */
async function countHeld(
  { root, notBefore }: StampSubject,
  held: readonly TsaTimestamp[],
  trustAnchors: readonly Uint8Array[],
): Promise<readonly Counted[]> {
  const verifying = held.map(async ({ timestamp_token, tsa_url: url }) => {
    const token = parseBase64(timestamp_token ?? "");
    const timestamp = await verifyTimestampToken(token, root, trustAnchors);
    requireNotOlder(timestamp, notBefore);
    const { trustAnchor, signer } = timestamp;
    return { trustAnchor, signer, url };
  });
  const counted: Counted[] = [];
  for (const outcome of await Promise.allSettled(verifying)) {
    if (outcome.status === "fulfilled" && isNew(outcome.value, counted)) counted.push(outcome.value);
  }
  return counted;
}

const isNew = (issuer: TokenIssuer, others: readonly TokenIssuer[]): boolean =>
  others.every(({ trustAnchor, signer }) => trustAnchor !== issuer.trustAnchor && signer !== issuer.signer);

class TokenSearch {
  readonly #subject: StampSubject;
  readonly #deadline: number;
  readonly #held: readonly Counted[];
  readonly #found: Timestamp[] = [];

  constructor(subject: StampSubject, deadline: number, held: readonly Counted[]) {
    this.#subject = subject;
    this.#deadline = deadline;
    this.#held = held;
  }

  async run(authorities: readonly GuardedAuthority[], wanted: number): Promise<GatheredTokens> {
    const heldUrls = new Set(this.#held.map(({ url }) => url));
    const queue = authorities.filter(({ url, isAvailable }) => isAvailable && !heldUrls.has(url));
    const needed = Math.max(0, wanted - this.#held.length);
    // As many authorities are asked at the same time as tokens are needed. Where one fails, the next in line is asked.
    await Promise.all(Array.from({ length: needed }, () => this.#findOne(queue)));
    const place = ({ tsa_url }: Timestamp): number => authorities.findIndex(({ url }) => url === tsa_url);
    const inOrder = this.#found.toSorted((a, b) => place(a) - place(b));
    return { tokens: inOrder.map(formatTimestamp), missing: needed - inOrder.length };
  }

  async #findOne(queue: GuardedAuthority[]): Promise<void> {
    for (let authority = queue.shift(); authority !== undefined; authority = queue.shift()) {
      const left = this.#deadline - performance.now();
      const timestamp = await authority.ask(this.#subject, Math.min(left, AUTHORITY_TIMEOUT_MS));
      if (timestamp !== null && isNew(timestamp, [...this.#held, ...this.#found])) {
        this.#found.push(timestamp);
        return;
      }
    }
  }
}
