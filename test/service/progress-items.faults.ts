// Every kind of item in the table that says how far work has come: set ahead, set back or deleted by somebody who writes the
// table, it keeps no receipt from its seal and no file from the public, and what a run can't have written is told.
import { afterAll, describe, expect, test } from "vitest";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { readPublicSize } from "../../service/log/published-checkpoints.ts";
import { leadToRoot } from "../../service/log/published-files.ts";
import * as keys from "../../service/table/keys.ts";
import type { Item } from "../support/items.ts";
import { type Ledger, MINUTE, SECOND, startLedgerStack, type TestCaller } from "../support/ledger-stack.ts";
import { deleteItem, keysUnder, readItem, without, writeItem } from "../support/tamper.ts";
import { requestOf, type TestProcess } from "../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** More seals than a world has. */
const MANY = 100;

interface World {
  readonly ledger: Ledger;
  readonly caller: TestCaller;
  /** The id of a receipt that no run has sealed yet. */
  readonly unsealed: string;
}

/** Two seals with all that belongs to them, and long after them a receipt, whose chain has a marker. */
async function newWorld(): Promise<World> {
  const ledger = await stack.newLedger();
  const [caller, other] = [await ledger.newTenant("tenant"), await ledger.newTenant("other")];
  for (const of of [caller, other]) {
    await ledger.newProcess().attest(of, requestOf("call"));
    await ledger.newProcess().seal();
    ledger.now += 40 * MINUTE;
  }
  const { event_id } = await ledger.newProcess().attest(caller, requestOf("call"));
  return { ledger, caller, unsealed: event_id };
}

type Texts = readonly [pk: string, sk: string];
const textsOf = ({ pk, sk }: keys.ItemKey): Texts => [pk.S, sk.S];
const chainOf = ({ caller }: World): string => caller.chainIds[0] ?? "";
const minuteOf = ({ ledger }: World): number => keys.minuteOf(ledger.clock());

const edit =
  (key: Texts, change: (item: Item, world: World) => Item) =>
  async (world: World): Promise<void> =>
    writeItem(world.ledger, change(await readItem(world.ledger, key), world));
const remove =
  (key: Texts) =>
  ({ ledger }: World): Promise<void> =>
    deleteItem(ledger, key);
const number = (value: number): Item[string] => ({ N: String(value) });

/** Takes the marker of the unsealed receipt away, and puts it where no run looks for it. */
const moveMarker = (minutes: number) => async (world: World) => {
  await deleteItem(world.ledger, textsOf(keys.newsKey(minuteOf(world), chainOf(world))));
  const key = keys.newsKey(minuteOf(world) + minutes, chainOf(world));
  await writeItem(world.ledger, key);
};

/** A span that says that the unsealed receipt is sealed. */
async function sealBySpan(world: World): Promise<void> {
  const newest = (await keysUnder(world.ledger, `sealed#${chainOf(world)}`)).at(-1) ?? ["", ""];
  const span = await readItem(world.ledger, newest);
  const from = Number(span.tree_size?.N);
  const key = keys.spanKey(keys.sealedPartition(chainOf(world)), from);
  const numbers = { from_size: number(from), tree_size: number(from + 1), head_index: number(1) };
  await writeItem(world.ledger, { ...span, ...key, ...numbers });
}

const newestSeal = async ({ ledger }: World): Promise<Texts> =>
  (await keysUnder(ledger, keys.SEALS_PARTITION)).at(-1) ?? ["", ""];
const layerOf = async ({ ledger }: World): Promise<Texts> =>
  (await keysUnder(ledger, keys.LAYERS_PARTITION))[0] ?? ["", ""];

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => i.toString(16).padStart(32, "0"));

interface Case {
  readonly deed: (world: World) => Promise<unknown>;
  /** What the sealer does not believe; nothing where such an item can be a run's. */
  readonly told?: string;
  /** The run after the deed refuses to go on, until the item is repaired. */
  readonly isRefused?: true;
  /** Chains that the run sets aside: their receipts are not sealed. */
  readonly damaged?: number;
}
/** By what was done. */
type Cases = Readonly<Record<string, Case>>;

const sealer = textsOf(keys.sealerKey);
const damaged = textsOf(keys.damagedKey);
const incomplete = textsOf(keys.incompleteKey);
const tiles = textsOf(keys.tilesKey);
const checkpoints = textsOf(keys.checkpointsKey);

const PROGRESS: Readonly<Record<string, Cases>> = {
  newsKey: {
    ahead: { deed: moveMarker(10_000), told: "the markers of news" },
    back: { deed: moveMarker(-10_000), told: "the markers of news" },
    deleted: {
      deed: (world) => deleteItem(world.ledger, textsOf(keys.newsKey(minuteOf(world), chainOf(world)))),
      told: "the markers of news",
    },
  },
  sealerKey: {
    ahead: {
      deed: edit(sealer, (item, world) => ({ ...item, visited: number(minuteOf(world) + 10_000) })),
      told: "the progress of the sealer",
    },
    "ahead within what clocks may differ": {
      deed: edit(sealer, (item, world) => ({ ...item, visited: number(minuteOf(world) + 5) })),
    },
    "with a pass that has not begun": {
      deed: edit(sealer, (item) => ({
        ...item,
        pass: number(1_000_000),
        began: number(0),
        reached: { S: "f".repeat(64) },
      })),
      told: "the progress of the sealer",
    },
    "with a pass at its end": {
      deed: edit(sealer, (item, world) => ({
        ...item,
        pass: number(0),
        began: number(minuteOf(world)),
        reached: { S: "f".repeat(64) },
      })),
    },
    damaged: {
      deed: edit(sealer, (item) => ({ ...item, visited: number(-1) })),
      told: "the progress of the sealer",
    },
    back: { deed: edit(sealer, (item) => ({ ...item, visited: number(0) })) },
    deleted: { deed: remove(sealer) },
  },
  damagedKey: {
    "ahead: whole chains, and more names than there is room for": {
      deed: (world) =>
        writeItem(world.ledger, { ...keys.damagedKey, chains: { SS: [...names(5_000), chainOf(world)] } }),
    },
    "back, and deleted: the damaged chain is found again": {
      deed: async (world) => {
        const [leaf = ["", ""]] = await keysUnder(world.ledger, keys.logPartition(chainOf(world)));
        await deleteItem(world.ledger, leaf);
        await world.ledger
          .newProcess()
          .seal()
          .catch(() => {});
        world.ledger.now += 60 * MINUTE;
        await deleteItem(world.ledger, damaged);
      },
      damaged: 1,
    },
  },
  incompleteKey: {
    "ahead: seals that there are not": {
      deed: (world) =>
        writeItem(world.ledger, {
          ...keys.incompleteKey,
          tokenless: { NS: names(19).map((_, i) => String(1_000 + i)) },
        }),
    },
    deleted: { deed: remove(incomplete) },
  },
  tilesKey: {
    ahead: {
      deed: edit(tiles, (item) => ({ ...item, size: number(300), full: number(300) })),
      told: "the progress of the log's files",
    },
    damaged: {
      deed: edit(tiles, (item) => without(item, "full")),
      told: "the progress of the log's files",
    },
    back: { deed: edit(tiles, (item) => ({ ...item, size: number(1), full: number(1) })) },
    deleted: { deed: remove(tiles) },
  },
  checkpointsKey: {
    ahead: {
      deed: edit(checkpoints, (item) => ({ ...item, index: number(7), size: number(900) })),
      told: "the progress of the checkpoints",
    },
    damaged: {
      deed: edit(checkpoints, (item) => ({ ...item, index: number(-1) })),
      told: "the progress of the checkpoints",
    },
    back: { deed: edit(checkpoints, (item) => ({ ...item, index: number(0), size: number(1) })) },
    deleted: { deed: remove(checkpoints) },
  },
  spanKey: {
    "ahead: a span over what no entry has": { deed: sealBySpan, damaged: 1 },
    "ahead: a seal that is marked as published, and is not": {
      deed: async (world) => {
        const refused = world.ledger.newProcess((call, send) =>
          call.name === "PutObject" ? Promise.reject(new Error("no")) : send(),
        );
        await refused.seal().catch(() => {});
        await edit(await newestSeal(world), (item) => ({ ...item, published: { BOOL: true } }))(world);
      },
      isRefused: true,
    },
    "back: a seal that is not marked any more": {
      deed: async (world) => edit(await newestSeal(world), (item) => without(item, "published"))(world),
    },
    "back: the seal before the newest is not marked any more, while that one waits": {
      deed: async (world) => {
        const published = await newestSeal(world);
        const frozen = world.ledger.newProcess((call, send) =>
          call.name === "PutObject" ? Promise.reject(new Error("no")) : send(),
        );
        await frozen.seal().catch(() => {});
        await edit(published, (item) => without(item, "published"))(world);
      },
    },
    "back: the seal before the newest is not marked any more, though that one is": {
      deed: async (world) => {
        const published = await newestSeal(world);
        await world.ledger.newProcess().seal();
        await edit(published, (item) => without(item, "published"))(world);
      },
    },
  },
  layerEntryKey: {
    "back: a layer that is not marked any more": {
      deed: async (world) => edit(await layerOf(world), (item) => without(item, "published_at"))(world),
    },
  },
};

/** Items that say nothing of how far work has come, or whose cases are elsewhere. */
const OTHERS: Readonly<Record<string, string>> = {
  leafKey: "evidence; the notes on a leaf are in plausible-notes.test.ts",
  turnKey: "evidence",
  idempotencyKey: "a call's answer, which leads to a leaf",
  tenantKey: "settings",
  apiKeyKey: "settings",
  keyUseKey: "for the operator alone",
  tenantIndexKey: "a list: without its place, a tenant's chains are found by markers alone",
  apiKeyIndexKey: "a list, for the operator alone",
  layerKey: "evidence, under its hash",
  ownWordingsKey: "settings, under their hash",
  NO_ITEM_KEY: "never there",
  webhookKey: "settings",
  webhookIndexKey: "a list: without its place, a webhook is not served",
  webhookCursorKey: "in webhooks/cursor-set-ahead.test.ts",
  deadLetterKey: "for the operator alone",
  retentionKey: "in erasure/retention-set-ahead.test.ts",
  logIdentityKey: "settings, which never change",
};

test("each kind of item in the table has its cases, or a reason to have none", () => {
  const kinds = Object.keys(keys).filter((name) => /(?<!Of)Key$|_KEY$/.test(name));
  expect([...Object.keys(PROGRESS), ...Object.keys(OTHERS)].sort()).toEqual(kinds.sort());
});

/** Two runs within a minute and a half of the receipt, by processes that know nothing. */
async function sealTwice({ ledger }: World): Promise<TestProcess[]> {
  const processes: TestProcess[] = [];
  for (const wait of [30 * SECOND, MINUTE]) {
    ledger.now += wait;
    const process = ledger.newProcess();
    await process.seal().catch(() => {});
    processes.push(process);
  }
  return processes;
}

async function expectWhole({ ledger, caller, unsealed }: World): Promise<void> {
  const { roots, seals, report } = Object.assign(ledger.newProcess(), {
    report: (id: string) => ledger.newProcess().report(caller, id),
  });
  expect((await report(unsealed)).merkle_proof.cross_tenant_proof).not.toBeNull();
  expect((await seals.newestFirst(MANY)).filter(({ isPublished }) => !isPublished)).toEqual([]);
  const newest = await seals.newestPublished();
  const size = newest?.tree.tree_size ?? 0;
  expect(await readPublicSize(roots.files)).toBe(size);
  const root = parseNode(newest?.tree.merkle_root ?? "");
  expect(await leadToRoot(roots, { size, root })).toBe(true);
}

const ROWS = Object.entries(PROGRESS).flatMap(([kind, cases]) =>
  Object.entries(cases).map(([how, row]) => ({ kind, how, ...row })),
);

describe.concurrent("all is sealed and published within two runs, where somebody set", () => {
  test.each(ROWS.filter(({ isRefused, damaged: count }) => !isRefused && count === undefined))(
    "the item of $kind $how",
    async ({ deed, told }) => {
      const world = await newWorld();
      await deed(world);
      const [first, second] = await sealTwice(world);
      await expectWhole(world);
      expect(first?.disbelieved ?? []).toEqual(told === undefined ? [] : [told]);
      expect(second?.disbelieved).toEqual([]);
      expect([second?.counted.sealLag, second?.counted.checkpointAge]).toEqual([0, 0]);
      expect(second?.counted.incompleteSeals).toBe(0);
    },
  );
});

describe.concurrent("nothing is published and an alarm tells it, where somebody set", () => {
  test.each(ROWS.filter(({ isRefused, damaged: count }) => isRefused || count !== undefined))(
    "the item of $kind $how",
    async ({ deed, damaged: count }) => {
      const world = await newWorld();
      await deed(world);
      for (const { counted } of await sealTwice(world)) {
        if (count === undefined) expect(counted.publicationConflicts).toBe(1);
        else expect(counted.damagedChains).toBe(count);
      }
    },
  );
});
