// The members of a bundle that speak of its turns and their layers, put together from the pages of one conversation.
import { canonicalize } from "../canonical-json.ts";
import type { Erasure } from "./erasure.ts";

interface PageParts {
  readonly receipts: readonly unknown[];
  readonly policy_layers?: readonly Record<string, unknown>[] | undefined;
  readonly erasures?: readonly (Erasure | null)[] | undefined;
}

/** The layers that any of the pages has, each once, in the order in which they come. */
export function joinLayers(pages: readonly PageParts[]): Record<string, unknown>[] {
  const all = pages.flatMap(({ policy_layers = [] }) => policy_layers);
  return [...new Map(all.map((layer) => [canonicalize(layer), layer])).values()];
}

/** Has `erasures` where a turn has one. A page on which nothing was erased has no list, so each of its turns gets null. */
export function joinErasures(pages: readonly PageParts[]): { erasures?: (Erasure | null)[] } {
  const erasures = pages.flatMap((page) => page.erasures ?? page.receipts.map(() => null));
  return erasures.some((erasure) => erasure !== null) ? { erasures } : {};
}
