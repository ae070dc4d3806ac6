// Verifies the whole metachain: every entry, every left path, every seal over it, and what is published of them.
import { METACHAIN_ID } from "../../contract/table.ts";
import { canonicalize, parseJson } from "../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { type ChainHead, PENDING_TIMESTAMP } from "../../evidence/core/formats/metachain.ts";
import { TILE_WIDTH } from "../../evidence/core/log/tiles.ts";
import { verifySeal } from "../../evidence/core/verify/verify-seal.ts";
import type { LogEntry } from "../ledger/log.ts";
import { readChainHead } from "../seals/metachain-entry.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { integerOf } from "../table/attributes.ts";
import type { Table } from "../table/table.ts";
import { LogFileCheck } from "./log-file-audit.ts";
import { type Boundary, demand, walkLog } from "./log-walk.ts";

/** Seals whose published objects are read side by side. */
const PAGE_SEALS = 16;

export interface MetachainAudit {
  readonly table: Table;
  readonly roots: PublishedRoots;
  /** How many entries there were when the audit began. */
  readonly size: number;
  /** The size of the tree whose files count as published; it was read before `size`. */
  readonly filesSize: number;
  /** The chains of all tenants. */
  readonly chainIds: ReadonlySet<string>;
  readonly onEntries: (places: number) => void;
  /** Called with each good entry's chain head. */
  readonly onHead: (head: ChainHead) => void;
  readonly onSeal: () => void;
  readonly onFile: () => void;
  /** `place` is an entry's index, a seal's, or that of the first entry that a file covers. */
  readonly onFault: (what: "entry" | "seal" | "file", place: number, detail: string) => void;
}

export async function auditMetachain(audit: MetachainAudit): Promise<void> {
  const entries = new EntryCheck(audit.chainIds);
  const files = new LogFileCheck({
    roots: audit.roots,
    size: audit.filesSize,
    onFile: audit.onFile,
    onFault: (leafIndex, detail) => audit.onFault("file", leafIndex, detail),
  });
  await walkLog({
    table: audit.table,
    logId: METACHAIN_ID,
    size: audit.size,
    pageLeaves: TILE_WIDTH,
    check: (entry) => audit.onHead(entries.check(entry)),
    boundaries: sealedTrees(audit),
    onPage: async (good, places) => {
      await files.add(good.length === places ? good : null, places);
      audit.onEntries(places);
    },
    onFault: (leafIndex, detail) => audit.onFault("entry", leafIndex, detail),
  });
  await files.end();
}

/** Remembers two numbers for each chain: how many heads the entries so far have of it, and up to which size. */
class EntryCheck {
  readonly #chainIds: ReadonlySet<string>;
  readonly #sealed = new Map<string, { readonly heads: number; readonly size: number }>();
  #receiptsTotal = 0;

  constructor(chainIds: ReadonlySet<string>) {
    this.#chainIds = chainIds;
  }

  check(entry: LogEntry): ChainHead {
    const head = readChainHead(entry);
    const { chain_id, head_index, tree_size } = head;
    demand(this.#chainIds.has(chain_id), "the entry is of a chain that no tenant has");
    const before = this.#sealed.get(chain_id) ?? { heads: 0, size: 0 };
    demand(head_index === before.heads, "the head does not have the number after the one before it");
    demand(tree_size > before.size, "the chain did not grow since its entry before");
    this.#sealed.set(chain_id, { heads: head_index + 1, size: tree_size });
    this.#receiptsTotal += tree_size - before.size;
    const total = integerOf(entry.item, "receipts_total");
    demand(total === this.#receiptsTotal, "the number of receipts is wrong");
    return head;
  }
}

/** The trees of all seals in order. Each seal, and its link to the one before it, is checked on the way. */
async function* sealedTrees(audit: MetachainAudit): AsyncGenerator<Boundary> {
  let previous: SealRecord | null = null;
  try {
    for await (const [record, text] of sealsWithTexts(audit)) {
      // A seal that was made after the audit began covers entries that the audit does not walk.
      if (record.tree.tree_size > audit.size) break;
      await checkSeal(audit, record, previous, text);
      const { merkle_root: root, tree_size: treeSize, index } = record.tree;
      yield { treeSize, root, what: `seal ${index}` };
      audit.onSeal();
      previous = record;
    }
    await checkHead(audit, previous);
  } catch (error) {
    // After a seal that can't be read, the next one can't be found.
    if (!isDisclosureError(error, "ledger_corrupt")) throw error;
    audit.onFault("seal", nextIndex(previous), error.message);
  }
}

const nextIndex = (previous: SealRecord | null): number => (previous === null ? 0 : previous.tree.index + 1);

const readSeals = ({ table }: MetachainAudit, previous: SealRecord | null): Promise<SealRecord[]> =>
  new SealRecords(table).from(previous?.tree.tree_size ?? 0, PAGE_SEALS);

/** All seals in order, each with its published text. */
async function* sealsWithTexts(
  audit: MetachainAudit,
): AsyncGenerator<readonly [record: SealRecord, text: string | null]> {
  let last: SealRecord | null = null;
  do {
    const records: SealRecord[] = await readSeals(audit, last);
    const texts = await Promise.all(records.map((record) => publishedText(audit, record)));
    for (const [i, record] of records.entries()) yield [record, texts[i] ?? null];
    last = records.at(-1) ?? null;
  } while (last !== null);
}

/** The text that is published, or null. */
const publishedText = async (
  { roots }: MetachainAudit,
  { tree, final }: SealRecord,
): Promise<string | null> => (final === null ? null : roots.sealText(tree.index));

async function checkSeal(
  audit: MetachainAudit,
  record: SealRecord,
  previous: SealRecord | null,
  text: string | null,
): Promise<void> {
  const { tree, final, isPublished, receiptsTotal } = record;
  const fault = (detail: string) => audit.onFault("seal", tree.index, detail);
  if (tree.index !== nextIndex(previous)) fault("it does not follow the seal before");
  if (previous?.isPublished === false) fault("the seal before was never published");
  if (isPublished && text === null) fault("it counts as published, and no root is");
  if (text !== null && text !== final?.text) fault("what is published is not what was sealed");
  if (receiptsTotal - (previous?.receiptsTotal ?? 0) !== tree.receipt_count)
    fault("its number of receipts is wrong");
  const seal = { ...tree, tsa_timestamp: PENDING_TIMESTAMP, additional_timestamps: [] };
  const before = previous === null ? {} : { previous: { ...seal, ...previous.tree } };
  const { checks } = await verifySeal(seal, before);
  for (const { name, ok, detail } of checks) if (ok === false) fault(`${name}: ${detail}`);
  if (!(await areLaterPublished(audit, record))) fault("a later token is not what is published");
}

/** Tokens that came after the seal was published are next to it, each in an object of its own. */
async function areLaterPublished({ roots }: MetachainAudit, { tree, later }: SealRecord): Promise<boolean> {
  for (const [n, token] of later.entries()) {
    const text = await roots.timestampText(tree.index, n);
    if (text === null || !isJsonOf(token, text)) return false;
  }
  return true;
}

/** A published object may hold anything by now, even text that is not JSON. */
function isJsonOf(value: unknown, text: string): boolean {
  try {
    return canonicalize(parseJson(text)) === canonicalize(value);
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return false;
  }
}

/** The head is public before a seal counts as published, and a seal is committed before the head can have it. */
async function checkHead(audit: MetachainAudit, last: SealRecord | null): Promise<void> {
  const { size, latest } = await audit.roots.head();
  const count = nextIndex(last);
  const fault = (index: number, detail: string) => audit.onFault("seal", index, detail);
  if (last?.isPublished && size < count) fault(count - 1, "the public head does not have it");
  if (size === count && canonicalize(latest) !== canonicalize(last?.final?.seal ?? null))
    fault(count - 1, "the public head is not the last seal");
  // Asked again: a run of the sealer may have made it meanwhile.
  if (size > count && (await readSeals(audit, last)).length === 0)
    fault(count, "it is public, and the table does not have it");
}
