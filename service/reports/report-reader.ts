// Reads receipts with their proofs as of now. One reader serves one call: what many receipts share is read once, and what
// they need at the same time is read together.
import { METACHAIN_ID } from "../../contract/table.ts";
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { CrossTenantProof } from "../../evidence/core/formats/compliance-receipt.ts";
import {
  hashSeal,
  ownTimestamp,
  PENDING_TIMESTAMP,
  type Seal,
} from "../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import type { ChainLeaf } from "../ledger/chain-leaf.ts";
import { Log } from "../ledger/log.ts";
import type { Macs } from "../ledger/macs.ts";
import { readNotedLeaf } from "../ledger/plausible-notes.ts";
import { proveHead } from "../seals/head-proof.ts";
import { readSeal, type SealRecord } from "../seals/seal-item.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { readNewestSpanWithin, readShownSpansOver, type Span } from "../seals/span.ts";
import { SEALS_PARTITION, spanKey } from "../table/keys.ts";
import { SharedReads } from "../table/shared-reads.ts";
import type { Table } from "../table/table.ts";
import type { PublishedSeal } from "./bundle-page.ts";
import { formatIncluded, formatPending, type UnsignedReceipt } from "./report-format.ts";

/** A published chain head, and a seal that holds it. */
interface Publication extends PublishedSeal {
  readonly chainId: string;
  readonly span: Span;
  /** The proof that the seal holds the head. It is read together with the proofs of the receipts under the head. */
  readonly proving: Promise<CrossTenantProof>;
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
  /** The places of heads' entries in the metachain that were looked at, also of those that no seal had published yet. */
  readonly #looked = new Set<number>();
  /** Each with the first seal over its head. */
  readonly #publications: Publication[] = [];
  /** The seals that receipts which were read here lead to, by index. */
  readonly #seals = new Map<number, PublishedSeal>();
  /** Readings of the seals that receipts were recorded after, by the size that each continues from. */
  readonly #stampedSeals = new Map<number, Promise<PublishedSeal>>();

  constructor({ table, macs }: { table: Table; macs: Macs }) {
    this.#table = table;
    this.#items = new SharedReads(table);
    this.#macs = macs;
  }

  /** The seal that a receipt which was read here leads to; null while its receipt is not sealed. */
  sealOf({ merkle_proof: { cross_tenant_proof } }: UnsignedReceipt): PublishedSeal | null {
    return (cross_tenant_proof && this.#seals.get(cross_tenant_proof.seal_index)) ?? null;
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
    await this.#learnPublications(places.filter((place) => this.#publicationOf(place) === null));
    return Promise.all(places.map((place) => this.#readOne(place, this.#publicationOf(place))));
  }

  /** The receipt at this place under its chain's newest published head, which is proven under the newest published seal. */
  async readNewest(place: ReceiptPlace): Promise<UnsignedReceipt> {
    const publication = await this.#newestPublication(place.chainId);
    const isCovered = publication !== null && place.sequence < publication.span.treeSize;
    return this.#readOne(place, isCovered ? publication : null);
  }

  async #newestPublication(chainId: string): Promise<Publication | null> {
    const record = await new SealRecords(this.#table).newestPublished();
    if (record === null) return null;
    // Spans behind this seal's tree are of heads that are not published yet.
    const span = await readNewestSpanWithin(this.#table, chainId, record.tree.tree_size);
    return span && this.#publish(chainId, span, record);
  }

  async #readOne(
    { chainId, sequence }: ReceiptPlace,
    publication: Publication | null,
  ): Promise<UnsignedReceipt> {
    const treeSize = publication?.span.treeSize ?? sequence + 1;
    const [{ entry, proof }, crossTenantProof] = await Promise.all([
      this.logOf(chainId).inclusionProof(sequence, treeSize),
      publication?.proving ?? null,
    ]);
    const { receipt, erasure } = await readNotedLeaf(this.#table, chainId, entry);
    const more = {
      recorded_after_seal: await this.#readStamped(receipt),
      ...(erasure !== null && { erasure }),
    };
    if (publication === null || crossTenantProof === null) {
      // Nothing published vouches for the receipt, so its code must.
      await this.#macs.verifyReceipt(receipt);
      return { ...formatPending(receipt, proof, PENDING_TIMESTAMP), ...more };
    }
    // A sealed receipt needs no code: its proof says more.
    this.#macs.requireOwnKey(receipt);
    const { span, seal, later } = publication;
    const root = formatNode(proof.root);
    const head = { chain_id: chainId, head_index: span.headIndex, root, tree_size: treeSize };
    checkEqual(
      canonicalize(head),
      canonicalize(crossTenantProof.leaf),
      "a sealed head is not the chain's root",
    );
    const timestamp = ownTimestamp(seal, later);
    return { ...formatIncluded(receipt, proof, crossTenantProof, timestamp), ...more };
  }

  /** The first published head over a place: it never changes, so that a report stays what it was. Null where none is known. */
  #publicationOf(place: ReceiptPlace): Publication | null {
    return this.#publications.find(isOver(place)) ?? null;
  }

  async #learnPublications(places: readonly ReceiptPlace[]): Promise<void> {
    const found = await this.#spansOver(places);
    const unread = found.filter(({ span }) => !this.#looked.has(span.leafIndex));
    const leafIndices = unread.map(({ span }) => span.leafIndex);
    const recordOver = await new SealRecords(this.#table).shownOverAll(leafIndices);
    for (const { chainId, span } of unread) {
      if (this.#looked.has(span.leafIndex)) continue;
      this.#looked.add(span.leafIndex);
      const record = recordOver(span.leafIndex);
      const publication = record && this.#publish(chainId, span, record);
      if (publication !== null) this.#publications.push(publication);
    }
  }

  /** The head of a span under a seal that holds it; null while that is not published. */
  #publish(chainId: string, span: Span, { final, later, isPublished }: SealRecord): Publication | null {
    if (!isPublished || final === null) return null;
    const { seal } = final;
    const proving = proveHead(this.logOf(METACHAIN_ID), span.leafIndex, seal);
    // Each receipt under the head awaits it. Where another read fails before, nobody does.
    proving.catch(() => {});
    this.#seals.set(seal.index, { seal, later });
    return { chainId, span, proving, seal, later };
  }

  /** The sealed spans over the places that have one. */
  async #spansOver(
    places: readonly ReceiptPlace[],
  ): Promise<{ readonly chainId: string; readonly span: Span }[]> {
    const chains = Map.groupBy(places, ({ chainId }) => chainId);
    const found = await Promise.all(
      [...chains].map(async ([chainId, ofChain]) => {
        const sequences = ofChain.map(({ sequence }) => sequence);
        const spanOver = await readShownSpansOver(this.#table, chainId, sequences);
        return sequences.map((sequence) => ({ chainId, span: spanOver(sequence) }));
      }),
    );
    return found.flat().flatMap(({ chainId, span }) => (span === null ? [] : [{ chainId, span }]));
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
  ({ chainId: ofChain, span }: Publication): boolean =>
    ofChain === chainId && span.fromSize <= sequence && sequence < span.treeSize;

function checkEqual(expected: string, actual: string, message: string): void {
  if (expected !== actual) throw new DisclosureError("ledger_corrupt", message, { expected, actual });
}
