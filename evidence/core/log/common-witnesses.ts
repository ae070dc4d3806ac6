// How many witnesses must lie so that two logs which contradict each other both have the quorum of one policy.
import type { TlogPolicy } from "./tlog-policy.ts";

/**
 * The smallest number of witnesses that two sets which make the quorum have in common: an honest witness signs one of two
 * logs only. For k of n it is 2k − n, and 0 where 2k ≤ n: then the quorum does not exclude a second log.
 */
export function commonWitnesses({ quorum, witnesses, groups }: TlogPolicy): number {
  const common = new Map(witnesses.map(({ name }) => [name, 1]));
  // A group comes after its members, and nothing is a member of two: so the least of a group is made of those of members.
  for (const [name, { threshold, members }] of groups) {
    const shared = Math.max(0, 2 * threshold - members.length);
    const least = members.map((member) => common.get(member) ?? 0).toSorted((a, b) => a - b);
    common.set(
      name,
      least.slice(0, shared).reduce((sum, one) => sum + one, 0),
    );
  }
  return quorum === null ? 0 : (common.get(quorum) ?? 0);
}
