// Companions of which a reader gave two that can't both count. Neither does: no program should guess which one was meant.
import { canonicalize } from "../../core/canonical-json.ts";
import type { Problem } from "../unreadable.ts";
import type { Companions, GivenSeal } from "./given.ts";

export interface Settled {
  readonly companions: Companions;
  /** By file. */
  readonly problems: ReadonlyMap<string, Problem>;
}

const TWO_POLICIES: Problem = {
  reason: "two_policies",
  detail: "give one key of a log, or one policy, and no other",
};

export function settle(companions: Companions): Settled {
  const named = companions.policies.filter(({ isNamed }) => isNamed);
  const rivals = named.length > 1 ? named : [];
  const seals = companions.seals.filter((seal) => companions.seals.some((other) => contradicts(seal, other)));
  return {
    companions: {
      ...companions,
      policies: companions.policies.filter((policy) => !rivals.includes(policy)),
      seals: companions.seals.filter((seal) => !seals.includes(seal)),
    },
    problems: new Map([
      ...rivals.map(({ file }) => [file, TWO_POLICIES] as const),
      ...seals.map(({ file, seal }) => [file, twoRoots(seal.index)] as const),
    ]),
  };
}

const contradicts = ({ seal: a }: GivenSeal, { seal: b }: GivenSeal): boolean =>
  a.index === b.index && canonicalize(a) !== canonicalize(b);

const twoRoots = (index: number): Problem => ({
  reason: "two_roots",
  detail: `two different roots have number ${index}`,
});
