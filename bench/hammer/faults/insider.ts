// Somebody who may write any item of the table, past the service, and has no key. Each deed is over once the service has told
// or mended it; that this takes minutes is a finding. That nothing false became public is for the oracle.
import { setTimeout as sleep } from "node:timers/promises";
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";
import { METACHAIN_ID } from "../../../contract/table.ts";
import { MINUTE_MS } from "../../../contract/time.ts";
import { canonicalize } from "../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { parseEventId } from "../../../evidence/core/formats/event-id.ts";
import { chainIdOf } from "../../../evidence/core/formats/tenant-anchor.ts";
import { formatNode } from "../../../evidence/core/merkle/hash.ts";
import { parseHead } from "../../../evidence/reader/metachain.ts";
import { ERASURE, erasureAttribute, REMOVAL } from "../../../service/ledger/leaf-states.ts";
import { Log } from "../../../service/ledger/log.ts";
import { sealKey } from "../../../service/seals/seal-item.ts";
import { SealRecords } from "../../../service/seals/seal-records.ts";
import { readNewestSpan } from "../../../service/seals/span.ts";
import { allOf, isAbsent, isEqual, itemExists } from "../../../service/table/condition.ts";
import type { Item } from "../../../service/table/item.ts";
import {
  checkpointsKey,
  type ItemKey,
  leafKey,
  NEWS_PARTITION,
  sealerKey,
  tilesKey,
} from "../../../service/table/keys.ts";
import { entryBehind } from "../../../test/support/planted.ts";
import { openMetachain } from "../../../tools/cli/metachain/open.ts";
import { indexIn, type Random } from "../../throughput/random.ts";
import type { HadConversations } from "../load/conversations.ts";
import { FORGED_INSTANT } from "../world/lines.ts";
import type { World } from "../world/world.ts";
import type { FaultName } from "./names.ts";

/** Under faults a seal may wait for its tokens for two minutes. */
const MAX_MS = 4 * MINUTE_MS;
const PAUSE_MS = 1_000;
const FAR = 1_000_000;
const MANY = 200;
const UNMARKED_MS = 5_000;
const FORGED = erasureAttribute({
  erased_at: FORGED_INSTANT,
  erased_by: "nobody",
  ground: "request",
  interaction_id: "erased:nothing",
});

export interface Insider {
  readonly world: World;
  readonly conversations: HadConversations;
  readonly random: Random;
}

/** Each throws where the service neither told nor mended it. */
export const DEEDS: Partial<Record<FaultName, (insider: Insider) => Promise<void>>> = {
  "planted-entry": plantEntry,
  "lost-marker": (insider) => (insider.random() < 1 / 2 ? loseNews(insider) : loseSealMark(insider)),
  "false-progress": forgeProgress,
  "false-erasure": forgeErasure,
};

const pick = <T>(random: Random, list: readonly T[]): T => list[indexIn(random, list.length)] as T;

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + MAX_MS; !(await holds()); await sleep(PAUSE_MS))
    if (performance.now() > end) throw new Error(`it took more than four minutes until ${what}`);
}

const chainIn = ({ world, random }: Insider): string =>
  chainIdOf(pick(random, world.tenants).anchor ?? "", 0);

/** True once the public tree is larger than this; false while it can't be read. */
async function isPublicAbove({ url }: World, size: number): Promise<boolean> {
  try {
    const { latest } = parseHead(await openMetachain(url).head());
    return (latest?.tree_size ?? 0) > size;
  } catch (error) {
    if (isDisclosureError(error, "publication_unavailable")) return false;
    throw error;
  }
}

/** The next head of an honest chain with another root. */
async function plantEntry(insider: Insider): Promise<void> {
  const { insiderTable: table } = insider.world;
  const chain_id = chainIn(insider);
  for (;;) {
    const span = await readNewestSpan(table, chain_id);
    const [head_index, tree_size] = span === null ? [0, 1] : [span.headIndex + 1, span.treeSize + 1];
    const root = formatNode(new Uint8Array(32).fill(7));
    const { item, place } = await entryBehind(table, { chain_id, head_index, tree_size, root });
    if ((await table.transact([{ insert: item }], crypto.randomUUID())).kind !== "committed") continue;
    return until(`the alarm had the operator set entry ${place} aside, which was planted`, async () => {
      const isPublic = await isPublicAbove(insider.world, place);
      const isThere = (await table.get(leafKey(METACHAIN_ID, place)))?.root?.S === root;
      if (isPublic && isThere) throw new Error(`entry ${place}, which was planted, is public`);
      return !isThere;
    });
  }
}

async function loseNews(insider: Insider): Promise<void> {
  const { insiderTable: table } = insider.world;
  const chainId = chainIn(insider);
  for (const { pk, sk } of await table.query({ partition: NEWS_PARTITION }))
    if (sk?.S?.endsWith(chainId))
      await table.transact([{ remove: { pk, sk } as ItemKey }], crypto.randomUUID());
  const newest = await new Log(table, chainId).newest();
  if (newest === null) return;
  await until(`a chain of ${newest.leaf.leafIndex + 1} receipts without a marker is sealed`, async () => {
    const span = await readNewestSpan(table, chainId);
    return (
      (span?.treeSize ?? 0) > newest.leaf.leafIndex &&
      (await isPublicAbove(insider.world, span?.leafIndex ?? 0))
    );
  });
}

/**
 * Takes the mark of a published seal away, but not the newest one's: without that the log refutes honest histories. Runs of
 * the sealer look at the two newest seals alone, so receipts under an older one are told as damaged until the operator puts
 * the mark back.
 */
async function loseSealMark({ world: { insiderTable: table }, random }: Insider): Promise<void> {
  const seals = new SealRecords(table);
  const [, ...older] = (await seals.newestFirst(MANY)).filter(({ isPublished }) => isPublished);
  if (older.length === 0) return;
  const { tree } = pick(random, older);
  const key = sealKey(tree);
  await table.update({ key, remove: ["published"], when: itemExists });
  const isPending = await seals.shownOver(tree.tree_size - 1).then(
    (record) => record?.isPublished !== true,
    (error: unknown) => !isDisclosureError(error, "ledger_corrupt"),
  );
  if (isPending) throw new Error(`seal ${tree.index} is public and lost its mark, and nothing tells`);
  await sleep(UNMARKED_MS);
  await table.update({ key, set: { published: { BOOL: true } }, when: itemExists });
}

async function forgeProgress({ world: { insiderTable: table, lines }, random }: Insider): Promise<void> {
  const key = pick(random, [sealerKey, tilesKey, checkpointsKey]);
  const how = pick(random, ["ahead", "back", "deleted"] as const);
  const item = await table.get(key);
  if (item === null) return;
  const forgedNumber = (n = "0"): string => (how === "ahead" ? String(Number(n) + FAR) : "1");
  const forged: Item = Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.N === undefined ? value : { N: forgedNumber(value.N) },
    ]),
  );
  const textOf = (some: Item | null): string => canonicalize(some ?? {});
  const left = textOf(how === "deleted" ? null : forged);
  // Nothing to set back in the first tree of one entry.
  if (left === textOf(item)) return;
  const { disbelieved } = lines.told;
  if (how === "deleted") await table.transact([{ remove: key }], crypto.randomUUID());
  else await table.put(forged);
  await until(
    `the item ${key.sk.S} of the sealer, ${how}, is mended`,
    async () => textOf(await table.get(key)) !== left,
  );
  // A run that was under way writes the sealer's own over it unread.
  if (how === "ahead" && key !== sealerKey && lines.told.disbelieved === disbelieved)
    throw new Error(`the item ${key.sk.S} of the sealer was set ahead, and no line tells`);
}

/** Whoever asks for the receipt is told nothing and the log says why, until the operator takes the note away. */
async function forgeErasure({ world, conversations, random }: Insider): Promise<void> {
  const { insiderTable: table, lines } = world;
  const had = conversations.any(random);
  const eventId = had?.eventIds[indexIn(random, had.eventIds.length)] ?? "";
  const place = parseEventId(eventId);
  if (had === null || place === null) return;
  const key = leafKey(chainIdOf(had.tenant.anchor ?? "", place.shard), place.sequence);
  const read = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${had.tenant.apiKey}` };
    const answer = await fetch(`${world.url}${ATTESTATION_PATH}/${eventId}`, { headers }).catch(() => null);
    return answer?.ok ? answer.text() : "";
  };
  const when = allOf(itemExists, isAbsent(ERASURE), isAbsent(REMOVAL));
  if (!(await table.update({ key, set: FORGED, when }))) return;
  const { forged } = lines.told;
  const isForged = isEqual(ERASURE, FORGED[ERASURE] ?? { S: "" });
  await until("a log line tells of a note of erasure that no command wrote", async () => {
    if ((await read()).includes(FORGED_INSTANT))
      throw new Error("a note of erasure that no command wrote is believed");
    // An erasure by command writes over it.
    return lines.told.forged > forged || (await table.get(key))?.[ERASURE]?.S !== FORGED[ERASURE]?.S;
  });
  await table.update({ key, remove: [ERASURE], when: isForged });
  await until("the report is there again", async () => (await read()) !== "");
}
