// How the rest of the service gets tokens from timestamp authorities. The code behind these two parses ASN.1 and is
// slow to load, so whoever needs only the types imports this file.
import type { TsaTimestamp } from "../../evidence/core/formats/metachain.ts";

/**
 * A token over `root` (32 bytes) within the budget, or PENDING_TIMESTAMP. `notBefore` (RFC 3339) is when what the root
 * covers was there: readers refuse a token that is much older. Never throws for an authority's fault.
 */
export type Stamp = (root: Uint8Array, budgetMs: number, notBefore: string) => Promise<TsaTimestamp>;

/** New tokens over a root, and how many are still missing. */
export interface GatheredTokens {
  readonly tokens: readonly TsaTimestamp[];
  readonly missing: number;
}

/**
 * As many tokens over `root` (32 bytes) as a seal wants, less those that are `held`, within the budget; each leads to
 * another trust anchor, and none is much older than `notBefore` (RFC 3339). Never throws for an authority's fault: a token
 * that could not be had is missing.
 */
export type GatherTokens = (
  root: Uint8Array,
  held: readonly TsaTimestamp[],
  budgetMs: number,
  notBefore: string,
) => Promise<GatheredTokens>;

/**
 * The earliest moment at which the authority can have made a token, in milliseconds since the epoch. The token is read
 * and not judged. Throws `token_invalid`, `token_open` or `malformed`.
 */
export type ReadTokenTime = (token: string) => Promise<number>;

/**
 * Judges a stored token over a seal's root (`0x` and hex) as readers will. Throws `token_invalid`, `token_open` or
 * `malformed` for one that they would not believe; a pending timestamp passes.
 */
export type VerifySealToken = (root: string, timestamp: TsaTimestamp, notBefore: string) => Promise<void>;
