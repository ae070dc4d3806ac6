// Verifies a whole chain: recomputes every receipt, and checks every link, left path and head that was sealed.
import { METACHAIN_ID } from "../../contract/table.ts";
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import type { ChainHead } from "../../evidence/core/formats/metachain.ts";
import { hashOutput, NO_PREVIOUS_HASH } from "../../evidence/core/formats/receipt.ts";
import { formatDigest } from "../../evidence/core/merkle/hash.ts";
import type { Chain } from "../ledger/chain.ts";
import { type ChainLeaf, readChainLeaf, readReceiptLeaf, removalOf } from "../ledger/chain-leaf.ts";
import { type Removal, readErasure } from "../ledger/leaf-states.ts";
import { type LogEntry, readEntry } from "../ledger/log.ts";
import type { Macs } from "../ledger/macs.ts";
import { requirePlausibleErasure, requirePlausibleRemoval } from "../ledger/plausible-notes.ts";
import { readChainHead } from "../seals/metachain-entry.ts";
import { readSpans, type Span } from "../seals/span.ts";
import { textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { leafIndexOf, leafKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { VerdictAudit } from "./layer-audit.ts";
import { type Boundary, demand, walkLog } from "./log-walk.ts";

/** Leaves have less than 1 KB, and DynamoDB answers with 1 MB at most. */
export const PAGE_LEAVES = 1_024;
/** As many entries fit one BatchGetItem. */
const PAGE_SPANS = 100;

export interface ChainAudit {
  readonly table: Table;
  readonly chain: Chain;
  /** The sizes of the chain, and of its sealed part, when the audit began. */
  readonly extent: { readonly size: number; readonly sealedSize: number };
  readonly verdicts: VerdictAudit;
  /** Null where codes are not verified. */
  readonly macs: Macs | null;
  readonly onLeaves: (places: number) => void;
  /** Called for each head that was sealed, with its entry's place in the metachain. */
  readonly onHead: (leafIndex: number) => void;
  readonly onMacs: (checked: number) => void;
  /** Called for each receipt that is gone under retention: its leaf still proves the others. */
  readonly onRemoved: () => void;
  /** Called for each receipt whose conversation was erased. */
  readonly onErased: () => void;
  readonly onFault: (leafIndex: number, detail: string) => void;
}

export function auditChain(audit: ChainAudit): Promise<void> {
  // Parsing and hashing a receipt is most of the work: each is kept until its page, and its successor, are checked.
  let [receipts, newest]: [ChainLeaf[], ChainLeaf | null] = [[], null];
  return walkLog({
    table: audit.table,
    logId: audit.chain.chainId,
    size: audit.extent.size,
    pageLeaves: PAGE_LEAVES,
    check: (entry, previous) => {
      const removal = removalOf(entry);
      if (removal !== null) return checkRemoved(audit, entry, removal, newest);
      const erasure = readErasure(entry.item);
      if (erasure !== null) audit.onErased();
      const receipt = readChainLeaf(entry);
      if (erasure !== null) requirePlausibleErasure(erasure, receipt.core.issued_at, audit.table.clock());
      checkReceipt(audit.chain, receipt);
      if (previous !== null) checkLink(receipt, previous, newest);
      receipts.push(receipt);
      newest = receipt;
    },
    boundaries: sealedHeads(audit),
    onFault: audit.onFault,
    onPage: async (_entries, places) => {
      const checked = receipts;
      receipts = [];
      await verifyVerdicts(audit, checked);
      await verifyMacs(audit, checked);
      audit.onLeaves(places);
    },
  });
}

/** No receipt could follow a newest one that is gone. `newest` is the nearest one before that is not removed. */
function checkRemoved(
  { table, extent, onRemoved }: ChainAudit,
  entry: LogEntry,
  removal: Removal,
  newest: ChainLeaf | null,
): void {
  const { leaf } = entry;
  demand(leaf.leafIndex < extent.size - 1, "the chain's newest receipt is removed");
  demand(leaf.leafIndex < extent.sealedSize, "a receipt is removed that was never sealed");
  requirePlausibleRemoval(removal, newest?.core.issued_at ?? null, table.clock());
  readReceiptLeaf(entry);
  onRemoved();
}

function checkReceipt({ chainId, shard }: Chain, { core, leaf }: ChainLeaf): void {
  const { leafIndex: sequence } = leaf;
  demand(core.chain_id === chainId, "the receipt is of another chain");
  demand(core.sequence === sequence, "the receipt says another sequence");
  demand(core.event_id === formatEventId(chainId, { shard, sequence }), "the event id names another place");
  demand(core.output_hash === hashOutput(core), "the output hash is not that of the receipt");
  if (sequence === 0) demand(core.previous_hash === NO_PREVIOUS_HASH, "the first receipt links back");
}

/** The link is to a leaf hash, so it holds over a receipt that is removed. `newest` is the one before that was not. */
function checkLink({ core }: ChainLeaf, previous: LogEntry, newest: ChainLeaf | null): void {
  const link = formatDigest(previous.leaf.leafHash);
  demand(core.previous_hash === link, "the receipt does not link to the one before");
  if (newest?.leaf !== previous.leaf) return;
  demand(core.issued_at >= newest.core.issued_at, "the receipt is older than the one before");
}

async function verifyVerdicts(
  { verdicts, onFault }: ChainAudit,
  receipts: readonly ChainLeaf[],
): Promise<void> {
  const faults = await verdicts.faultsOf(receipts.map(({ core }) => core));
  for (const [i, { leaf }] of receipts.entries()) {
    const fault = faults[i] ?? null;
    if (fault !== null) onFault(leaf.leafIndex, fault);
  }
}

async function verifyMacs(
  { macs, onMacs, onFault }: ChainAudit,
  receipts: readonly ChainLeaf[],
): Promise<void> {
  if (macs === null) return;
  const faults = await Promise.all(receipts.map((receipt) => readMacFault(macs, receipt)));
  onMacs(faults.length);
  for (const [i, { leaf }] of receipts.entries()) {
    const fault = faults[i] ?? null;
    if (fault !== null) onFault(leaf.leafIndex, fault);
  }
}

/** Says what is wrong with a receipt's code; null where nothing is. */
async function readMacFault(macs: Macs, receipt: ChainLeaf): Promise<string | null> {
  try {
    await macs.verifyReceipt(receipt);
    return null;
  } catch (error) {
    if (!isDisclosureError(error, "ledger_corrupt")) throw error;
    return error.message;
  }
}

async function* sealedHeads(audit: ChainAudit): AsyncGenerator<Boundary> {
  try {
    yield* readHeads(audit);
  } catch (error) {
    // After a head that can't be read, the next one can't be found; the leaves are walked all the same.
    if (!isDisclosureError(error, "ledger_corrupt")) throw error;
    audit.onFault(audit.extent.sealedSize, error.message);
  }
}

/** The heads that the metachain has of this chain, each with the entry that commits to it. */
async function* readHeads(audit: ChainAudit): AsyncGenerator<Boundary> {
  const { table, chain, extent, onFault } = audit;
  let sealed = 0;
  let heads = 0;
  while (sealed < extent.sealedSize) {
    const spans = await readSpans(table, chain.chainId, sealed, PAGE_SPANS);
    const entries = await readEntries(table, spans);
    for (const { headIndex, fromSize, treeSize, leafIndex } of spans) {
      // This one was sealed after the audit began.
      if (treeSize > extent.sealedSize && fromSize >= extent.sealedSize) return;
      if (headIndex !== heads || fromSize !== sealed || treeSize <= sealed)
        return onFault(sealed, "what was sealed of the chain leaves a gap");
      audit.onHead(leafIndex);
      const expected = { chain_id: chain.chainId, head_index: headIndex, tree_size: treeSize };
      const root = headRoot(entries.get(leafIndex), expected);
      if (root === null) onFault(treeSize - 1, `entry ${leafIndex} of the metachain is not of this head`);
      else yield { treeSize, root, what: `entry ${leafIndex} of the metachain` };
      sealed = treeSize;
      heads++;
    }
    if (spans.length === 0) return onFault(sealed, "what was sealed of the chain is missing");
  }
}

async function readEntries(table: Table, spans: readonly Span[]): Promise<Map<number, Item>> {
  // Two spans of a damaged table may name one entry, and a batch names each item once.
  const indices = new Set(spans.map(({ leafIndex }) => leafIndex));
  const items = await table.batchGet([...indices].map((index) => leafKey(METACHAIN_ID, index)));
  return new Map(items.map((item) => [leafIndexOf(textOf(item, "sk")), item]));
}

/** The root that the entry commits to, or null where it commits to something else. */
function headRoot(item: Item | undefined, expected: Omit<ChainHead, "root">): string | null {
  if (item === undefined) return null;
  try {
    const { root, ...head } = readChainHead(readEntry(item));
    return canonicalize(head) === canonicalize(expected) ? root : null;
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}
