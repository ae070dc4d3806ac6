// Makes the forged bundles: each receipt, proof, seal and token holds, and the whole can't be true. Run by hand in this
// folder, then `npm run vectors`, which lists them; see SOURCES.md. A new run gives other keys.
import { formatDigest } from "../../../evidence/core/merkle/hash.ts";
import { OTHER_DIGEST } from "./damage-base.ts";
import { anchorPem, bundleOf, entryOf, type Head, type Named, nameOf, others, type Sealing, type Told, Tree, tell, type Turn } from "./forged-history.ts";
import { emptyFolder, print, write } from "./edit.ts";

const MONDAY = "2026-11-16T10:00:00.000Z";
const TUESDAY = "2026-11-17T10:00:00.000Z";
const WEDNESDAY = "2026-11-18T10:00:00.000Z";

/** A chain of others' receipts with ours among them. */
interface Chain extends Head {
  readonly hashes: readonly Uint8Array[];
}

function chainWith(
  index: number,
  size: number,
  ours: readonly (readonly [place: number, told: Told])[],
  history = 0,
): Chain {
  const hashes = others(size, history);
  for (const [place, { hash }] of ours) hashes[place] = hash;
  return { chain: new Tree(hashes), index, size, hashes };
}

const linkTo = (hashes: readonly Uint8Array[], place: number): string =>
  formatDigest(hashes[place] ?? new Uint8Array(32));

/** Seals over a metachain of these entries: index, how many entries it and the one before cover, and when. */
const sealing = (metachain: Tree, index: number, size: number, previousSize: number, time: string): Sealing => ({
  index,
  metachain,
  size,
  previousSize,
  time,
});

function turnIn(told: Told, place: number, chain: Chain, entry: number, under: Sealing): Turn {
  const headHash = chain.hashes[chain.size - 1] ?? new Uint8Array(32);
  return { told, place, head: chain, headHash, entry, sealing: under };
}

interface Plan {
  readonly first: { readonly place: number; readonly size: number; readonly time: string };
  readonly second: { readonly place: number; readonly size: number; readonly time: string };
  /** Whether the second turn's chain has other receipts than the first one's. */
  readonly forks?: boolean;
  /** Whether the second receipt links to another than the one before it. */
  readonly falseLink?: boolean;
  /** The second head's number among the chain's sealed heads, where it isn't the next after the first one's. */
  readonly number?: number;
}

/** Two turns, each with the chain that its proof shows. */
function twoTurns({ first, second, forks = false, falseLink = false, number = 1 }: Plan): { turns: [Told, Told]; chains: [Chain, Chain] } {
  const history = forks ? 1 : 0;
  const linkAt = (place: number, of: number) => (place === 0 ? {} : { previousHash: linkTo(others(place, of), place - 1) });
  const one = tell({ place: first.place, turn: 1, time: first.time, ...linkAt(first.place, 0) });
  const link = falseLink ? { previousHash: linkTo(others(9, 7), 8) } : linkAt(second.place, history);
  const two = tell({ place: second.place, turn: 2, time: second.time, before: one, ...link });
  const both = [[first.place, one], [second.place, two]] as const;
  const within = (size: number) => both.filter(([place]) => place < size);
  const chains: [Chain, Chain] = forks
    ? [chainWith(0, first.size, [[first.place, one]]), chainWith(number, second.size, [[second.place, two]], history)]
    : [chainWith(0, first.size, within(first.size)), chainWith(number, second.size, within(second.size))];
  return { turns: [one, two], chains };
}

/** Both heads are entries of one metachain, under seals 0 and 1. */
function sealedInOrder(
  plan: Plan,
  { times = [TUESDAY, TUESDAY], hasPaths = true }: { times?: readonly [string, string]; hasPaths?: boolean } = {},
): unknown {
  const { turns: [one, two], chains: [a, b] } = twoTurns(plan);
  const metachain = new Tree([entryOf(a), entryOf(b)]);
  return bundleOf([
    turnIn(one, plan.first.place, a, 0, sealing(metachain, 0, 1, 0, times[0])),
    turnIn(two, plan.second.place, b, 1, sealing(metachain, 1, 2, 1, times[1])),
  ], { hasPaths });
}

const ORDERLY: Plan = { first: { place: 1, size: 2, time: MONDAY }, second: { place: 5, size: 6, time: TUESDAY } };

/** Two seals that don't follow each other, so that no consistency path leads from one to the other. */
function sealedApart(first: (entries: Uint8Array[]) => Sealing, second: (entries: Uint8Array[]) => Sealing): unknown {
  const { turns: [one, two], chains: [a, b] } = twoTurns(ORDERLY);
  const entries = [entryOf(a), entryOf(b)];
  return bundleOf([
    turnIn(one, ORDERLY.first.place, a, 0, first(entries)),
    turnIn(two, ORDERLY.second.place, b, 1, second(entries)),
  ]);
}

/**
 * The first turn under seal 0; the second is of `time` and names a seal, that one or one that is made for it. Its own
 * receipt, and so seal 1, hash what it names: only seal 0 can be named as it is.
 */
function naming(time: string, named: (first: Sealing) => Named): unknown {
  const one = tell({ place: 0, turn: 1, time: MONDAY });
  const a = chainWith(0, 1, [[0, one]]);
  const first = sealing(new Tree([entryOf(a)]), 0, 1, 0, TUESDAY);
  const link = { previousHash: formatDigest(one.hash) };
  const two = tell({ place: 1, turn: 2, time, before: one, after: named(first), ...link });
  const b = chainWith(1, 2, [
    [0, one],
    [1, two],
  ]);
  const second = sealing(new Tree([entryOf(a), entryOf(b)]), 1, 2, 1, WEDNESDAY);
  return bundleOf([turnIn(one, 0, a, 0, first), turnIn(two, 1, b, 1, second)]);
}

const FORGED: Readonly<Record<string, unknown>> = {
  honest: sealedInOrder(ORDERLY),
  "impossible-order": sealedInOrder({
    first: { place: 5, size: 6, time: TUESDAY },
    second: { place: 2, size: 8, time: MONDAY },
    forks: true,
  }),
  "time-backwards": sealedInOrder({
    first: { place: 1, size: 2, time: TUESDAY },
    second: { place: 5, size: 6, time: MONDAY },
  }),
  "order-backwards": sealedInOrder({
    first: { place: 5, size: 6, time: MONDAY },
    second: { place: 1, size: 8, time: MONDAY },
  }),
  "place-doubled": sealedInOrder({
    first: { place: 1, size: 2, time: MONDAY },
    second: { place: 1, size: 6, time: TUESDAY },
    forks: true,
  }),
  "subtree-forked": sealedInOrder({
    first: { place: 1, size: 4, time: MONDAY },
    second: { place: 5, size: 6, time: TUESDAY },
    forks: true,
  }),
  "stated-fork": sealedInOrder({ ...ORDERLY, forks: true }),
  "stated-fork-without-path": sealedInOrder({ ...ORDERLY, forks: true }, { hasPaths: false }),
  "size-with-two-roots": sealedInOrder({
    first: { place: 1, size: 6, time: MONDAY },
    second: { place: 5, size: 6, time: TUESDAY },
    forks: true,
  }),
  bounded: naming(TUESDAY, nameOf),
  "bounded-too-late": naming(MONDAY, nameOf),
  "bounded-by-another-seal": naming(TUESDAY, (first) => ({ ...nameOf(first), seal_hash: OTHER_DIGEST })),
  "bounded-by-its-own-seal": naming(WEDNESDAY, () => ({ seal_index: 1, seal_hash: OTHER_DIGEST })),
  "number-doubled": sealedInOrder({ ...ORDERLY, number: 0 }),
  "chain-shrinks": sealedInOrder({
    first: { place: 1, size: 8, time: MONDAY },
    second: { place: 5, size: 6, time: TUESDAY },
  }),
  "false-link": sealedInOrder({
    first: { place: 1, size: 6, time: MONDAY },
    second: { place: 2, size: 6, time: TUESDAY },
    falseLink: true,
  }),
  "false-link-far": sealedInOrder({
    first: { place: 0, size: 6, time: MONDAY },
    second: { place: 2, size: 6, time: TUESDAY },
    falseLink: true,
  }),
  "entry-with-two-heads": sealedApart(
    (entries) => sealing(new Tree(entries), 0, 1, 0, TUESDAY),
    ([, second = new Uint8Array()]) => sealing(new Tree([...others(1, 9), second]), 2, 2, 1, WEDNESDAY),
  ),
  "seal-shrinks": sealedApart(
    (entries) => sealing(new Tree([...entries, ...others(1, 9)]), 0, 3, 0, TUESDAY),
    (entries) => sealing(new Tree(entries), 2, 2, 1, WEDNESDAY),
  ),
  "seal-older": sealedApart(
    (entries) => sealing(new Tree(entries), 0, 1, 0, WEDNESDAY),
    (entries) => sealing(new Tree(entries), 2, 2, 1, TUESDAY),
  ),
  "head-under-an-earlier-seal": sealedApart(
    (entries) => sealing(new Tree(entries), 2, 2, 1, WEDNESDAY),
    (entries) => sealing(new Tree(entries), 0, 2, 0, TUESDAY),
  ),
};

emptyFolder("forged");
for (const [name, bundle] of Object.entries(FORGED)) write(`forged/${name}.json`, print(bundle as never));
write("forged/authority.pem", anchorPem());
