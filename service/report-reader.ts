// Reads a receipt with its proofs as of now. One reader serves one call: what many receipts share is read once.
import type { CrossTenantProof } from "../core/compliance-receipt.ts";
import { DisclosureError } from "../core/errors.ts";
import type { LaterTimestamp } from "../core/evidence-bundle.ts";
import { formatNode } from "../core/hash.ts";
import { PENDING_TIMESTAMP, type Seal, type TsaTimestamp } from "../core/metachain.ts";
import { integerOf } from "./attributes.ts";
import { readChainLeaf } from "./chain-leaf.ts";
import { METACHAIN_ID, sealedPartition, spanFrom } from "./keys.ts";
import { Log } from "./log.ts";
import type { Macs } from "./macs.ts";
import { readChainHead } from "./metachain-entry.ts";
import { formatIncluded, formatPending, type UnsignedReceipt } from "./report-format.ts";
import { readSealOver } from "./seal-record.ts";
import type { Table } from "./table.ts";

/** A published chain head: the sequences under it, the proof to the published root, and the seal. */
interface Publication {
  readonly chainId: string;
  readonly from: number;
  readonly crossTenantProof: CrossTenantProof;
  readonly seal: Seal;
  /** Tokens over its root that came after it was published. */
  readonly later: readonly TsaTimestamp[];
}

export class ReportReader {
  readonly #table: Table;
  readonly #macs: Macs;
  readonly #publications: Publication[] = [];

  constructor({ table, macs }: { table: Table; macs: Macs }) {
    this.#table = table;
    this.#macs = macs;
  }

  /** The seals that the receipts read so far lead to. */
  get seals(): Seal[] {
    const byIndex = new Map(this.#publications.map(({ seal }) => [seal.index, seal]));
    return [...byIndex.values()].sort((a, b) => a.index - b.index);
  }

  /** Tokens that came after those seals were published, in the same order. */
  get laterTimestamps(): LaterTimestamp[] {
    const byIndex = new Map(this.#publications.map(({ seal, later }) => [seal.index, later]));
    return this.seals.flatMap(({ index }) =>
      (byIndex.get(index) ?? []).map((tsa_timestamp) => ({ seal_index: index, tsa_timestamp })),
    );
  }

  /** The receipt at one place of a chain, in a tree that is published if there is one. */
  async read(chainId: string, sequence: number): Promise<UnsignedReceipt> {
    const publication = await this.#publicationOf(chainId, sequence);
    const treeSize = publication?.crossTenantProof.leaf.tree_size ?? sequence + 1;
    const { entry, proof } = await new Log(this.#table, chainId).inclusionProof(sequence, treeSize);
    const receipt = readChainLeaf(entry);
    await this.#macs.verifyReceipt(receipt);
    if (publication === null) return formatPending(receipt, proof, PENDING_TIMESTAMP);
    const { crossTenantProof } = publication;
    checkEqual(crossTenantProof.leaf.root, formatNode(proof.root), "a sealed head is not the chain's root");
    return formatIncluded(receipt, proof, { crossTenantProof, timestamp: timestampOf(publication) });
  }

  async #publicationOf(chainId: string, sequence: number): Promise<Publication | null> {
    const isOver = ({ from, crossTenantProof, chainId: id }: Publication): boolean =>
      id === chainId && from <= sequence && sequence < crossTenantProof.leaf.tree_size;
    const known = this.#publications.find(isOver);
    if (known !== undefined) return known;
    const read = await this.#readPublication(chainId, sequence);
    if (read !== null) this.#publications.push(read);
    return read;
  }

  /** The first published head over `sequence`: the same one for good, so that a report stays what it was. */
  async #readPublication(chainId: string, sequence: number): Promise<Publication | null> {
    const span = await this.#table.newest(sealedPartition(chainId), spanFrom(sequence));
    if (span === null || integerOf(span, "tree_size") <= sequence) return null;
    const leafIndex = integerOf(span, "leaf_index");
    const record = await readSealOver(this.#table, leafIndex);
    if (!record?.isPublished || record.final === null) return null;
    const { seal } = record.final;
    return {
      chainId,
      from: integerOf(span, "from_size"),
      crossTenantProof: await this.#prove(leafIndex, seal),
      seal,
      later: record.later,
    };
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

/** The seal's own token; where it went out without one, the first that came later. */
function timestampOf({ seal: { tsa_timestamp }, later: [later] }: Publication): TsaTimestamp {
  return tsa_timestamp.status === "pending" && later !== undefined ? later : tsa_timestamp;
}

function checkEqual(expected: string, actual: string, message: string): void {
  if (expected !== actual) throw new DisclosureError("ledger_corrupt", message, { expected, actual });
}
