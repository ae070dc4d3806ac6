// The insider with full write access to the table: whatever is rewritten, the honest service refuses to seal it, the
// operator's audit finds it, or a reader who has what was published before does.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import type { Seal } from "../../evidence/core/formats/metachain.ts";
import {
  hashReceiptCore,
  type ReceiptCore,
  withoutAuthentication,
} from "../../evidence/core/formats/receipt.ts";
import { LedgerAudit } from "../../service/audit/ledger-audit.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { outcomeOf } from "../support/deaths.ts";
import { FAULTS_ROUNDS } from "../support/faults.ts";
import type { Item } from "../support/items.ts";
import { CORE, coreIn, LEAF_HASH, withCore } from "../support/leaf-items.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../support/ledger-stack.ts";
import { deleteItem, keysUnder, readItem, without, writeItem } from "../support/tamper.ts";
import { requestOf } from "../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const RECEIPTS = 5;

interface World {
  readonly ledger: Ledger;
  readonly caller: TestCaller;
  readonly other: TestCaller;
  /** What a reader keeps: the reports of all receipts, by event id. */
  readonly kept: ReadonlyMap<string, ComplianceReceipt>;
}

const chainOf = ({ chainIds }: TestCaller): string => chainIds[0] ?? "";
const attest = ({ ledger }: Pick<World, "ledger">, of: TestCaller, id: string) =>
  ledger.newProcess().attest(of, requestOf(id));

/** Two chains under two seals, all of it published and kept by a reader. */
async function newWorld(): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false });
  const [caller, other] = [await ledger.newTenant("tenant"), await ledger.newTenant("other")];
  const kept = new Map<string, ComplianceReceipt>();
  const ids: string[] = [];
  for (let seal = 0; seal < 2; seal++) {
    for (let i = 0; i < RECEIPTS; i++)
      ids.push((await attest({ ledger }, caller, `call-${seal}-${i}`)).event_id);
    await attest({ ledger }, other, "call");
    await ledger.newProcess().seal();
    ledger.now += MINUTE;
  }
  for (const id of ids) kept.set(id, await ledger.newProcess().report(caller, id));
  return { ledger, caller, other, kept };
}

/** A number from 0 to below 1 that chooses among what there is. */
type Choice = number;
const pick = <T>(list: readonly T[], choice: Choice): T => {
  const chosen = list[Math.floor(choice * list.length)];
  if (chosen === undefined) throw new Error("there is nothing to choose from");
  return chosen;
};

const leavesOf = ({ ledger, caller }: World) => keysUnder(ledger, `chain#${chainOf(caller)}`);
const spansOf = ({ ledger, caller }: World) => keysUnder(ledger, `sealed#${chainOf(caller)}`);
const entriesOf = ({ ledger }: World) => keysUnder(ledger, "chain#metachain");
const sealsOf = ({ ledger }: World) => keysUnder(ledger, "seals");

/** The leaf with another core, its hash made anew. */
function rewritten(item: Item, change: (core: ReceiptCore) => Partial<ReceiptCore>): Item {
  const core = coreIn(item);
  const changed = { ...core, ...change(core) };
  return { ...withCore(item, changed), [LEAF_HASH]: { B: hashReceiptCore(changed) } };
}

async function rewriteLeaf(
  world: World,
  choice: Choice,
  change: (core: ReceiptCore) => Partial<ReceiptCore>,
) {
  const key = pick(await leavesOf(world), choice);
  await writeItem(world.ledger, rewritten(await readItem(world.ledger, key), change));
}

async function swap({ ledger }: World, [a, b]: readonly (readonly [string, string])[]): Promise<void> {
  if (a === undefined || b === undefined) throw new Error("there are not two");
  const [one, two] = [await readItem(ledger, a), await readItem(ledger, b)];
  const at = (item: Item, { pk, sk }: Item): Item => {
    const moved = { ...item, ...(pk && { pk }), ...(sk && { sk }) };
    // A core's short form is of its place: moved, it is written anew.
    return item[CORE] === undefined ? moved : withCore(moved, coreIn(item));
  };
  await writeItem(ledger, at(two, one));
  await writeItem(ledger, at(one, two));
}

const editSeal = (item: Item, members: Partial<Seal>): Item => {
  const edit = (text = "{}") => ({ S: JSON.stringify({ ...JSON.parse(text), ...members }) });
  return { ...item, tree: edit(item.tree?.S), ...(item.text && { text: edit(item.text.S) }) };
};

const REWRITES: Readonly<Record<string, (world: World, choice: Choice) => Promise<void>>> = {
  "deletes a receipt": async (world, choice) => deleteItem(world.ledger, pick(await leavesOf(world), choice)),
  "cuts the chain back and lets it regrow": async (world, choice) => {
    const leaves = await leavesOf(world);
    const kept = 1 + Math.floor(choice * (leaves.length - 1));
    for (const key of leaves.slice(kept)) await deleteItem(world.ledger, key);
    const regrown = leaves.length + Math.round(choice * 3) - 1;
    for (let i = kept; i < regrown; i++) await attest(world, world.caller, `forged-${i}`);
  },
  "replaces a receipt": (world, choice) =>
    rewriteLeaf(world, choice, () => ({ verdict: "ALLOW", input_hash: `sha256:${"9".repeat(64)}` })),
  "backdates a receipt": (world, choice) =>
    rewriteLeaf(world, choice, () => ({ issued_at: "2024-11-22T00:00:00.000Z" })),
  "changes the order of two receipts": async (world, choice) => {
    const leaves = await leavesOf(world);
    const first = Math.floor(choice * (leaves.length - 1));
    await swap(world, leaves.slice(first, first + 2));
  },
  "takes a sealed head back, so that another one gets its number": async (world) => {
    await deleteItem(world.ledger, (await spansOf(world)).at(-1) ?? ["", ""]);
    await attest(world, world.caller, "next");
  },
  "takes a sealed head back and rewrites what it sealed": async (world) => {
    await deleteItem(world.ledger, (await spansOf(world)).at(-1) ?? ["", ""]);
    for (const key of (await leavesOf(world)).slice(RECEIPTS)) await deleteItem(world.ledger, key);
    for (let i = 0; i <= RECEIPTS; i++) await attest(world, world.caller, `forged-${i}`);
  },
  "skips the number of a head": async (world) => {
    const key = (await spansOf(world)).at(-1) ?? ["", ""];
    await writeItem(world.ledger, { ...(await readItem(world.ledger, key)), head_index: { N: "7" } });
    await attest(world, world.caller, "next");
  },
  "puts another head under a label": async (world, choice) => {
    const key = pick(await entriesOf(world), choice);
    const item = await readItem(world.ledger, key);
    await writeItem(world.ledger, { ...item, root: { S: `0x${"5a".repeat(32)}` } });
  },
  "exchanges two entries of the metachain": async (world, choice) => {
    const entries = await entriesOf(world);
    const first = Math.floor(choice * (entries.length - 1));
    await swap(world, entries.slice(first, first + 2));
  },
  "puts a seal in": async (world, choice) => {
    const newest = await readItem(world.ledger, (await sealsOf(world)).at(-1) ?? ["", ""]);
    const { index, tree_size, merkle_root } = JSON.parse(newest.tree?.S ?? "{}") as Seal;
    const members = {
      index: index + 1,
      tree_size: tree_size + 1 + Math.floor(choice * 1e6),
      previous_tree_size: tree_size,
    };
    const sk = { S: `from#${String(tree_size).padStart(16, "0")}` };
    const forged = editSeal(
      { ...newest, sk },
      { ...members, previous_root: merkle_root, consistency_path: [] },
    );
    await writeItem(world.ledger, choice < 0.5 ? without(forged, "published") : forged);
  },
  "lets an index jump": async (world, choice) => {
    const key = (await sealsOf(world)).at(-1) ?? ["", ""];
    await writeItem(
      world.ledger,
      editSeal(await readItem(world.ledger, key), { index: 2 + Math.floor(choice * 1e6) }),
    );
  },
  "sets a time": async (world, choice) => {
    const key = (await sealsOf(world)).at(-1) ?? ["", ""];
    const sealed_at = new Date(world.ledger.now + (choice - 0.5) * 1e6 * HOUR).toISOString();
    await writeItem(world.ledger, editSeal(await readItem(world.ledger, key), { sealed_at }));
  },
};

/** Whether the honest service refuses to seal, and says so. */
async function refuses({ ledger }: World): Promise<boolean> {
  ledger.now += MINUTE;
  const outcome = await outcomeOf(ledger.newProcess().seal());
  return outcome.kind === "refused";
}

/** Whether the operator's audit finds it: `admin verify`. */
async function isFoundByAudit({ ledger }: World): Promise<boolean> {
  const { table, roots } = ledger.newProcess();
  const registry = new TenantRegistry(table, ledger.clock);
  const services = { table, roots, macs: null };
  const audit = await LedgerAudit.begin(services, registry, { tenantId: null, chainId: null });
  return (await audit.run(() => undefined)).faultCount > 0;
}

/** Whether a reader finds it who kept the reports: one is refused now, or tells another receipt for the same event. */
async function isFoundByReader({ ledger, caller, kept }: World): Promise<boolean> {
  for (const [id, before] of kept) {
    const now = await outcomeOf(ledger.newProcess().report(caller, id));
    if (now.kind !== "answered") return true;
    const [a, b] = [before, now.answer].map(({ receipts }) => withoutAuthentication(receipts[0] ?? {}));
    if (canonicalize(a ?? {}) !== canonicalize(b ?? {})) return true;
  }
  return false;
}

const anyRewrite = fc.tuple(
  fc.constantFrom(...Object.keys(REWRITES)),
  fc.double({ min: 0, max: 0.999, noNaN: true }),
);

async function expectFound(name: string, choice: Choice): Promise<void> {
  const world = await newWorld();
  expect(await isFoundByAudit(world)).toBe(false);
  await REWRITES[name]?.(world, choice);
  // A chain that grows is looked at by the next run.
  await outcomeOf(attest(world, world.caller, "after"));
  const found = [await refuses(world), await isFoundByAudit(world), await isFoundByReader(world)];
  expect(found, `${name}, ${choice}`).toContain(true);
}

test.each(Object.keys(REWRITES))("an insider who %s is found", (name) => expectFound(name, 0.4));

test("any rewrite is found, wherever it is done", async () => {
  await fc.assert(
    fc.asyncProperty(anyRewrite, ([name, choice]) => expectFound(name, choice)),
    { numRuns: 20 * FAULTS_ROUNDS },
  );
});
