// Reads a receipt with its proofs as of now. One reader serves one call: what many receipts share is read once.
import { METACHAIN_ID } from "../../contract/table.ts";
import { DisclosureError } from "../../core/errors.ts";
import type { CrossTenantProof } from "../../core/formats/compliance-receipt.ts";
import { hashSeal, ownTimestamp, PENDING_TIMESTAMP, type Seal } from "../../core/formats/metachain.ts";
import { formatNode } from "../../core/merkle/hash.ts";
import { type ChainLeaf, readChainLeaf } from "../ledger/chain-leaf.ts";
import { Log } from "../ledger/log.ts";
import type { Macs } from "../ledger/macs.ts";
import { readChainHead } from "../seals/metachain-entry.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { readSpanOver, type Span } from "../seals/span.ts";
import type { Table } from "../table/table.ts";
import type { PublishedSeal } from "./bundle-page.ts";
import { formatIncluded, formatPending, type UnsignedReceipt } from "./report-format.ts";

/** A published chain head: the sequences that it was the first to publish, the proof to its root, and the seal. */
interface Publication extends PublishedSeal {
  readonly fromSize: number;
  readonly crossTenantProof: CrossTenantProof;
}

export class ReportReader {
  readonly #table: Table;
  readonly #macs: Macs;
  /** Readings by the place of the head's entry in the metachain: an entry is read once, even in vain. */
  readonly #underWay = new Map<number, Promise<Publication | null>>();
  readonly #publications: Publication[] = [];
  /** Readings of the seals that receipts were recorded after, by the size that each continues from. */
  readonly #stampedSeals = new Map<number, Promise<PublishedSeal>>();

  constructor({ table, macs }: { table: Table; macs: Macs }) {
    this.#table = table;
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

  /** The receipt at one place of a chain, in a tree that is published if there is one. */
  async read(chainId: string, sequence: number): Promise<UnsignedReceipt> {
    const publication = await this.#publicationOf(chainId, sequence);
    const treeSize = publication?.crossTenantProof.leaf.tree_size ?? sequence + 1;
    const { entry, proof } = await new Log(this.#table, chainId).inclusionProof(sequence, treeSize);
    const receipt = readChainLeaf(entry);
    const recorded_after_seal = await this.#readStamped(receipt);
    if (publication === null) {
      // Nothing published vouches for it, so its code must.
      await this.#macs.verifyReceipt(receipt);
      return { ...formatPending(receipt, proof, PENDING_TIMESTAMP), recorded_after_seal };
    }
    // A sealed receipt needs no code: its proof says more.
    this.#macs.requireOwnKey(receipt);
    const { crossTenantProof, seal, later } = publication;
    checkEqual(crossTenantProof.leaf.root, formatNode(proof.root), "a sealed head is not the chain's root");
    const timestamp = ownTimestamp(seal, later);
    return { ...formatIncluded(receipt, proof, crossTenantProof, timestamp), recorded_after_seal };
  }

  /** The first published head over `sequence`: it never changes, so that a report stays what it was. */
  async #publicationOf(chainId: string, sequence: number): Promise<Publication | null> {
    const isOver = ({ fromSize, crossTenantProof: { leaf } }: Publication): boolean =>
      leaf.chain_id === chainId && fromSize <= sequence && sequence < leaf.tree_size;
    const known = this.#publications.find(isOver);
    if (known !== undefined) return known;
    const span = await readSpanOver(this.#table, chainId, sequence);
    if (span === null) return null;
    // Receipts that are read at the same time wait for one reading of the entry that they share.
    const reading = this.#underWay.get(span.leafIndex) ?? this.#readPublication(span);
    this.#underWay.set(span.leafIndex, reading);
    return reading;
  }

  async #readPublication({ fromSize, leafIndex }: Span): Promise<Publication | null> {
    const record = await new SealRecords(this.#table).over(leafIndex);
    if (!record?.isPublished || record.final === null) return null;
    const { seal } = record.final;
    const crossTenantProof = await this.#prove(leafIndex, seal);
    const publication = { fromSize, crossTenantProof, seal, later: record.later };
    this.#publications.push(publication);
    return publication;
  }

  /** The seal that the receipt commits to, compared with that commitment; null where it names none. */
  async #readStamped({ stampedSeal }: ChainLeaf): Promise<Seal | null> {
    if (stampedSeal === null) return null;
    const { recordedAfter, fromSize } = stampedSeal;
    // Receipts that are read at the same time wait for one reading of the seal that they share.
    const reading = this.#stampedSeals.get(fromSize) ?? readPublished(this.#table, fromSize);
    this.#stampedSeals.set(fromSize, reading);
    const { seal } = await reading;
    checkEqual(recordedAfter.seal_hash, hashSeal(seal), "a receipt was recorded after another seal");
    return seal;
  }

  async #prove(leafIndex: number, seal: Seal): Promise<CrossTenantProof> {
    const { entry, proof } = await new Log(this.#table, METACHAIN_ID).inclusionProof(
      leafIndex,
      seal.tree_size,
    );
    const root = formatNode(proof.root);
    checkEqual(seal.merkle_root, root, "the published root is not the metachain's");
    return {
      seal_index: seal.index,
      leaf: readChainHead(entry),
      leaf_index: leafIndex,
      tree_size: seal.tree_size,
      path: proof.path.map(formatNode),
      root,
    };
  }
}

async function readPublished(table: Table, fromSize: number): Promise<PublishedSeal> {
  const [record] = await new SealRecords(table).from(fromSize, 1);
  if (record?.tree.previous_tree_size === fromSize && record.isPublished && record.final !== null)
    return { seal: record.final.seal, later: record.later };
  throw new DisclosureError("ledger_corrupt", "a seal is missing from the table", { fromSize });
}

function checkEqual(expected: string, actual: string, message: string): void {
  if (expected !== actual) throw new DisclosureError("ledger_corrupt", message, { expected, actual });
}
