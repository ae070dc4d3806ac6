// Reads receipts with their proofs as of now. One reader serves one call: what many receipts share is read once, and what
// they need at the same time is read together.
import { METACHAIN_ID } from "../../contract/table.ts";
import { DisclosureError } from "../../core/errors.ts";
import type { CrossTenantProof } from "../../core/formats/compliance-receipt.ts";
import { hashSeal, ownTimestamp, PENDING_TIMESTAMP, type Seal } from "../../core/formats/metachain.ts";
import { formatNode } from "../../core/merkle/hash.ts";
import { type ChainLeaf, readChainLeaf } from "../ledger/chain-leaf.ts";
import { readErasure } from "../ledger/leaf-states.ts";
import { Log } from "../ledger/log.ts";
import type { Macs } from "../ledger/macs.ts";
import { proveHead } from "../seals/head-proof.ts";
import { readSeal, type SealRecord } from "../seals/seal-item.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { readSpansOver, type Span } from "../seals/span.ts";
import { SEALS_PARTITION, spanKey } from "../table/keys.ts";
import { SharedReads } from "../table/shared-reads.ts";
import type { Table } from "../table/table.ts";
import type { PublishedSeal } from "./bundle-page.ts";
import { formatIncluded, formatPending, type UnsignedReceipt } from "./report-format.ts";

/** A published chain head: the sequences that it was the first to publish, the proof to its root, and the seal. */
interface Publication extends PublishedSeal {
  readonly fromSize: number;
  readonly crossTenantProof: CrossTenantProof;
}

/** Where a receipt is. */
export interface ReceiptPlace {
  readonly chainId: string;
  readonly sequence: number;
}

export class ReportReader {
  readonly #table: Table;
  readonly #items: SharedReads;
  readonly #macs: Macs;
  /** Readings by the place of the head's entry in the metachain: an entry is read once, even in vain. */
  readonly #underWay = new Map<number, Promise<Publication | null>>();
  readonly #publications: Publication[] = [];
  /** Readings of the seals that receipts were recorded after, by the size that each continues from. */
  readonly #stampedSeals = new Map<number, Promise<PublishedSeal>>();

  constructor({ table, macs }: { table: Table; macs: Macs }) {
    this.#table = table;
    this.#items = new SharedReads(table);
    this.#macs = macs;
  }

  /** The seal that a receipt which was read here leads to; null while its receipt is not sealed. */
  sealOf({ merkle_proof: { cross_tenant_proof } }: UnsignedReceipt): PublishedSeal | null {
    const index = cross_tenant_proof?.seal_index;
    return this.#publications.find(({ seal }) => seal.index === index) ?? null;
  }

  /** The seal that a receipt which was read here was recorded after; null where it names none. */
  async sealBefore({ recorded_after_seal }: UnsignedReceipt): Promise<PublishedSeal | null> {
    const fromSize = recorded_after_seal?.previous_tree_size;
    return fromSize === undefined ? null : ((await this.#stampedSeals.get(fromSize)) ?? null);
  }

  /** A log whose leaves are read together with all else that this reader reads. */
  readonly logOf = (logId: string): Log => new Log(this.#table, logId, this.#items);

  /** The receipts at these places, each in a tree that is published if there is one. */
  async read(places: readonly ReceiptPlace[]): Promise<UnsignedReceipt[]> {
    const publications = await this.#publicationsOf(places);
    return Promise.all(places.map((place, i) => this.#readOne(place, publications[i] ?? null)));
  }

  async #readOne(
    { chainId, sequence }: ReceiptPlace,
    publication: Publication | null,
  ): Promise<UnsignedReceipt> {
    const treeSize = publication?.crossTenantProof.leaf.tree_size ?? sequence + 1;
    const { entry, proof } = await this.logOf(chainId).inclusionProof(sequence, treeSize);
    const receipt = readChainLeaf(entry);
    const erasure = readErasure(entry.item);
    const more = {
      recorded_after_seal: await this.#readStamped(receipt),
      ...(erasure !== null && { erasure }),
    };
    if (publication === null) {
      // Nothing published vouches for the receipt, so its code must.
      await this.#macs.verifyReceipt(receipt);
      return { ...formatPending(receipt, proof, PENDING_TIMESTAMP), ...more };
    }
    // A sealed receipt needs no code: its proof says more.
    this.#macs.requireOwnKey(receipt);
    const { crossTenantProof, seal, later } = publication;
    checkEqual(crossTenantProof.leaf.root, formatNode(proof.root), "a sealed head is not the chain's root");
    const timestamp = ownTimestamp(seal, later);
    return { ...formatIncluded(receipt, proof, crossTenantProof, timestamp), ...more };
  }

  /** The first published head over each place: it never changes, so that a report stays what it was. */
  async #publicationsOf(places: readonly ReceiptPlace[]): Promise<(Publication | null)[]> {
    const known = places.map((place) => this.#publications.find(isOver(place)));
    const spanOver = await this.#spansOver(places.filter((_, i) => known[i] === undefined));
    const spans = places.map((place, i) => (known[i] === undefined ? spanOver(place) : null));
    await this.#readPublications(spans.filter((span) => span !== null));
    const published = (span: Span | null | undefined) =>
      span ? this.#underWay.get(span.leafIndex) : undefined;
    return Promise.all(places.map(async (_, i) => known[i] ?? (await published(spans[i])) ?? null));
  }

  async #spansOver(places: readonly ReceiptPlace[]): Promise<(place: ReceiptPlace) => Span | null> {
    const chains = Map.groupBy(places, ({ chainId }) => chainId);
    const found = await Promise.all(
      [...chains].map(async ([chainId, ofChain]) => {
        const sequences = ofChain.map(({ sequence }) => sequence);
        return [chainId, await readSpansOver(this.#table, chainId, sequences)] as const;
      }),
    );
    const overOf = new Map(found);
    return ({ chainId, sequence }) => overOf.get(chainId)?.(sequence) ?? null;
  }

  async #readPublications(spans: readonly Span[]): Promise<void> {
    const unread = spans.filter(({ leafIndex }) => !this.#underWay.has(leafIndex));
    const leafIndices = unread.map(({ leafIndex }) => leafIndex);
    const recordOver = await new SealRecords(this.#table).overAll(leafIndices);
    for (const span of unread) {
      const { leafIndex } = span;
      const reading = this.#underWay.get(leafIndex) ?? this.#readPublication(span, recordOver(leafIndex));
      this.#underWay.set(leafIndex, reading);
    }
  }

  async #readPublication(
    { fromSize, leafIndex }: Span,
    record: SealRecord | null,
  ): Promise<Publication | null> {
    if (!record?.isPublished || record.final === null) return null;
    const { seal } = record.final;
    const crossTenantProof = await proveHead(this.logOf(METACHAIN_ID), leafIndex, seal);
    const publication = { fromSize, crossTenantProof, seal, later: record.later };
    this.#publications.push(publication);
    return publication;
  }

  /** The seal that the receipt commits to, compared with that commitment; null where it names none. */
  async #readStamped({ stampedSeal }: ChainLeaf): Promise<Seal | null> {
    if (stampedSeal === null) return null;
    const { recordedAfter, fromSize } = stampedSeal;
    // Receipts that are read at the same time wait for one reading of the seal that they share.
    const reading = this.#stampedSeals.get(fromSize) ?? this.#readPublished(fromSize);
    this.#stampedSeals.set(fromSize, reading);
    const { seal } = await reading;
    checkEqual(recordedAfter.seal_hash, hashSeal(seal), "a receipt was recorded after another seal");
    return seal;
  }

  async #readPublished(fromSize: number): Promise<PublishedSeal> {
    const [item] = await this.#items.batchGet([spanKey(SEALS_PARTITION, fromSize)]);
    const record = item === undefined ? null : readSeal(item);
    if (record?.isPublished && record.final !== null) return { seal: record.final.seal, later: record.later };
    throw new DisclosureError("ledger_corrupt", "a seal is missing from the table", { fromSize });
  }
}

/** True if a publication is the one by which a place was first published. */
const isOver =
  ({ chainId, sequence }: ReceiptPlace) =>
  ({ fromSize, crossTenantProof: { leaf } }: Publication): boolean =>
    leaf.chain_id === chainId && fromSize <= sequence && sequence < leaf.tree_size;

function checkEqual(expected: string, actual: string, message: string): void {
  if (expected !== actual) throw new DisclosureError("ledger_corrupt", message, { expected, actual });
}
