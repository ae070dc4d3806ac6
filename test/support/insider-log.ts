// Judges what is public of a world that an insider wrote into, by what honest processes recorded: entries, seals, checkpoints.
import { checkpointPath } from "../../contract/metachain-paths.ts";
import { equalBytes, formatHex, parseHex } from "../../evidence/core/bytes.ts";
import { chainHeadEntry, chainHeadLabel, type Seal } from "../../evidence/core/formats/metachain.ts";
import { entryCommitment, entryLabel } from "../../evidence/core/log/entry.ts";
import { openCheckpoint } from "../../evidence/core/log/open-checkpoint.ts";
import { entriesPath, lastBundle, parseEntries } from "../../evidence/core/log/tiles.ts";
import { policyOfLog } from "../../evidence/core/log/tlog-policy.ts";
import { formatNode, hashLeaf } from "../../evidence/core/merkle/hash.ts";
import { appendLeaf, rootAt, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { parseHead, parseRoot } from "../../evidence/reader/metachain.ts";
import type { InsiderWorld } from "./insider-world.ts";
import { MINUTE } from "./ledger-stack.ts";
import type { PublicSource } from "./public-reader.ts";

/** More than a chain of these worlds gets. */
const MAX_HEADS = 64;
const LOG_FOLDER = "v1/metachain/";

/** A chain's leaves in one of the orders that honest processes wrote, as the roots of all their sizes. */
type Roots = readonly string[];

/** A chain as the entries up to some place have it, in the orders that still fit. */
interface Chain {
  heads: number;
  size: number;
  roots: readonly Roots[];
}

/**
 * Every published entry is the next head that an honest chain had; every seal and checkpoint is over these entries. Returns
 * sentences about what is false, or missing in silence.
 */
export async function judgeLog(world: InsiderWorld, source: PublicSource): Promise<string[]> {
  const { size } = parseHead(await source.head());
  const seals = await Promise.all(Array.from({ length: size }, (_, index) => readRoot(source, index)));
  const entries = await publishedEntries(source, seals);
  const roots: string[] = [];
  let last: TreeLeaf | null = null;
  for (const entry of entries) {
    last = appendLeaf(last, hashLeaf(entry));
    roots.push(formatNode(rootAt(last)));
  }
  const ofSeals = await Promise.all(
    seals.map(async (seal, index) => {
      if (seal === null) return [`root ${index} is missing`];
      const before = seals[index - 1]?.tree_size ?? 0;
      return [...judgeSeal(world, seal, { before, roots }), ...(await judgeCheckpoint(world, source, seal))];
    }),
  );
  const lost = size < world.seals ? [`the head has ${size} seals, and had ${world.seals}`] : [];
  return [...lost, ...judgeEntries(world, entries), ...ofSeals.flat()];
}

async function readRoot(source: PublicSource, index: number): Promise<Seal | null> {
  const bytes = await source.root(index);
  return bytes && parseRoot(bytes, index);
}

function judgeSeal(
  { ledger, told }: InsiderWorld,
  { index, tree_size, merkle_root, previous_tree_size, sealed_at }: Seal,
  { before, roots }: { readonly before: number; readonly roots: readonly string[] },
): string[] {
  const root = roots[tree_size - 1];
  const found: Readonly<Record<string, boolean>> = {
    "has another root": root !== undefined && root !== merkle_root,
    "has no entries, and nobody tells": root === undefined && told.length === 0,
    "does not follow": previous_tree_size !== before,
    "is of a time to come": Date.parse(sealed_at) > ledger.now + MINUTE,
  };
  return Object.keys(found).flatMap((what) => (found[what] ? [`seal ${index} ${what}`] : []));
}

async function judgeCheckpoint(
  { ledger, told }: InsiderWorld,
  source: PublicSource,
  { index, tree_size, merkle_root }: Seal,
): Promise<string[]> {
  const bytes = await source.logFile(checkpointPath(index).replace(LOG_FOLDER, ""));
  if (bytes === null) return told.length > 0 ? [] : [`seal ${index} has no checkpoint, and nobody tells`];
  const { checkpoint } = await openCheckpoint(Buffer.from(bytes).toString(), policyOfLog(ledger.key.log.key));
  const isOfSeal = checkpoint.size === tree_size && formatNode(checkpoint.root) === merkle_root;
  return isOfSeal ? [] : [`the checkpoint of seal ${index} is of another tree`];
}

/** Those of the largest tree whose files are there. */
async function publishedEntries(
  source: PublicSource,
  seals: readonly (Seal | null)[],
): Promise<Uint8Array[]> {
  for (const seal of seals.toReversed()) {
    const bundle = lastBundle(seal?.tree_size ?? 0);
    const bytes = seal && (await source.logFile(entriesPath(bundle)));
    if (bytes !== null) return parseEntries(bytes, bundle.width);
  }
  return [];
}

function judgeEntries({ written }: InsiderWorld, entries: readonly Uint8Array[]): string[] {
  const labels = new Map(
    [...written.keys()].flatMap((chainId) =>
      Array.from({ length: MAX_HEADS }, (_, index) => [
        formatHex(chainHeadLabel(chainId, index)),
        { chainId, index },
      ]),
    ) as [string, { chainId: string; index: number }][],
  );
  const chains = new Map(
    [...written].map(([chainId, places]): [string, Chain] => [
      chainId,
      { heads: 0, size: 0, roots: rootsOf(places) },
    ]),
  );
  const judge = (entry: Uint8Array, place: number): string | null => {
    const { chainId = "", index = -1 } = labels.get(formatHex(entryLabel(entry))) ?? {};
    const chain = chains.get(chainId);
    if (chain === undefined) return `entry ${place} is of no chain`;
    if (index !== chain.heads) return `entry ${place} is head ${index} of its chain, not ${chain.heads}`;
    const next = headIn(chain, entry, { chainId, index });
    if (next === null) return `entry ${place} is no head that its chain had`;
    chains.set(chainId, next);
    return null;
  };
  return entries.map(judge).filter((fault) => fault !== null);
}

/** The chain with the head that the entry commits to; null where it had none such. */
function headIn(
  { heads, size, roots }: Chain,
  entry: Uint8Array,
  { chainId, index }: { readonly chainId: string; readonly index: number },
): Chain | null {
  const isOf = (root: string | undefined, tree_size: number): boolean =>
    root !== undefined &&
    equalBytes(
      entryCommitment(entry),
      entryCommitment(chainHeadEntry({ chain_id: chainId, head_index: index, tree_size, root })),
    );
  for (let grown = size + 1; grown <= (roots[0]?.length ?? 0); grown++) {
    const fitting = roots.filter((of) => isOf(of[grown - 1], grown));
    if (fitting.length > 0) return { heads: heads + 1, size: grown, roots: fitting };
  }
  return null;
}

/** Where the newest receipts were taken away, others came to their places: each order of them is one that a chain may have. */
function rootsOf(places: ReadonlyMap<number, ReadonlySet<string>>): Roots[] {
  let orders: { last: TreeLeaf | null; roots: Roots }[] = [{ last: null, roots: [] }];
  for (let place = 0; places.has(place); place++) {
    orders = orders.flatMap(({ last, roots }) =>
      [...(places.get(place) ?? [])].map((hash) => {
        const leaf = appendLeaf(last, parseHex(hash));
        return { last: leaf, roots: [...roots, formatNode(rootAt(leaf))] };
      }),
    );
  }
  return orders.map(({ roots }) => roots);
}
