// One page of a conversation's evidence bundle: it takes turns in order for as long as its JSON stays short enough.
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import type { Erasure } from "../../evidence/core/formats/erasure.ts";
import {
  type ChainConsistency,
  type EvidenceBundle,
  MAX_BUNDLED_LAYERS,
} from "../../evidence/core/formats/evidence-bundle.ts";
import type { Seal, TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import type { Authentication, Receipt } from "../../evidence/core/formats/receipt.ts";
import type { StoredLayer } from "../policy/layer-memory.ts";
import type { UnsignedReceipt } from "./report-format.ts";

export const MAX_PAGE_TURNS = 500;
/** Each seal has to be found, and a turn that is far from others takes two queries for it alone. */
export const MAX_PAGE_SEALS = 100;
/**
 * A page is shorter than this. A Lambda answer may have 6 MB, and holds the page as a JSON string, in which every
 * quotation mark takes two bytes: a twelfth more for receipts without tokens, and less with them.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Room that turns leave for the layers which they name. A layer has some 40 KB. */
export const LAYERS_BYTES = 256 * 1024;
/** Room for the answer's own authentication: a mechanism, the ARN of a key, and a code. */
const AUTHENTICATION_BYTES = 1024;

/** One turn of a conversation; its request is null where the identifiers were erased. */
export interface ConversationTurn {
  readonly receipt: Receipt;
  readonly request: AttestationRequest | null;
  readonly report: UnsignedReceipt;
  /** The seal that its receipt leads to, once there is one, and the one that it was recorded after. */
  readonly published: readonly PublishedSeal[];
}

/** A seal, and the tokens over its root that came after it was published. */
export interface PublishedSeal {
  readonly seal: Seal;
  readonly later: readonly TsaTimestamp[];
}

/** A page that is not yet authenticated. */
export type UnsignedPage = Omit<EvidenceBundle, keyof Authentication>;

export class BundlePage {
  readonly #interactionId: string;
  readonly #turns: ConversationTurn[] = [];
  readonly #seals = new Map<number, PublishedSeal>();
  readonly #paths: ChainConsistency[] = [];
  readonly #layers: StoredLayer[] = [];
  #bytes: number;

  constructor(interactionId: string) {
    this.#interactionId = interactionId;
    const longest = {
      ...this.format(Number.MAX_SAFE_INTEGER),
      later_timestamps: [],
      chain_consistency: [],
      policy_layers: [],
      erasures: [],
    };
    this.#bytes = bytesOf(longest) + AUTHENTICATION_BYTES;
  }

  /** The number of its turns. */
  get length(): number {
    return this.#turns.length;
  }

  /**
   * Adds a turn, its seals, and the path to its head from that of the turn before. False, and nothing is added, where
   * the page is full without it.
   */
  add(turn: ConversationTurn, headPath: ChainConsistency | null = null): boolean {
    const added = turn.published.filter(({ seal }) => !this.#seals.has(seal.index));
    const paths = headPath === null ? [] : [headPath];
    const sealsBytes = added.reduce((sum, published) => sum + sealBytes(published), 0);
    const bytes = turnBytes(turn) + sealsBytes + membersBytes(paths);
    const isFull =
      this.length >= MAX_PAGE_TURNS ||
      this.#seals.size + added.length > MAX_PAGE_SEALS ||
      this.#bytes + bytes >= MAX_PAGE_BYTES - LAYERS_BYTES;
    // The first turn is taken however long it is, or no reader could get past it.
    if (isFull && this.length > 0) return false;
    this.#bytes += bytes;
    this.#turns.push(turn);
    this.#paths.push(...paths);
    for (const published of added) this.#seals.set(published.seal.index, published);
    return true;
  }

  /** The digests of the layers that its receipts name, as many as a page carries. */
  get layerDigests(): string[] {
    const digests = new Set(this.#turns.map(({ receipt }) => receipt.policy.digest));
    return [...digests].slice(0, MAX_BUNDLED_LAYERS);
  }

  /** Adds a layer that its receipts name, once it has all its turns, if there is room. Readers fetch the others. */
  addLayer(layer: StoredLayer): void {
    const bytes = membersBytes([layer]);
    if (this.#bytes + bytes >= MAX_PAGE_BYTES) return;
    this.#bytes += bytes;
    this.#layers.push(layer);
  }

  format(nextTurn: number | null): UnsignedPage {
    const published = [...this.#seals.values()].sort((a, b) => a.seal.index - b.seal.index);
    const later_timestamps = published.flatMap(formatLater);
    const erasures = this.#turns.map(erasureOf);
    return {
      interaction_id: this.#interactionId,
      receipts: this.#turns.map(({ receipt }) => receipt),
      requests: this.#turns.map(({ request }) => request),
      proofs: this.#turns.map(formatProof),
      seals: published.map(({ seal }) => seal),
      ...(later_timestamps.length > 0 && { later_timestamps }),
      ...(this.#paths.length > 0 && { chain_consistency: this.#paths }),
      ...(this.#layers.length > 0 && { policy_layers: this.#layers }),
      ...(erasures.some((erasure) => erasure !== null) && { erasures }),
      next_turn: nextTurn,
    };
  }
}

const formatProof = ({ report }: ConversationTurn) => ({
  event_id: report.event_id,
  evidence_chain: report.evidence_chain,
  merkle_proof: report.merkle_proof,
});

const erasureOf = ({ report }: ConversationTurn): Erasure | null => report.erasure ?? null;

const formatLater = ({ seal, later }: PublishedSeal) =>
  later.map((tsa_timestamp) => ({ seal_index: seal.index, tsa_timestamp }));

/** The length of the JSON in UTF-8. */
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The length of members of a list, each with its comma. */
const membersBytes = (members: readonly unknown[]): number =>
  members.reduce((sum: number, member) => sum + bytesOf(member) + 1, 0);

const turnBytes = (turn: ConversationTurn): number =>
  membersBytes([turn.receipt, turn.request, formatProof(turn), erasureOf(turn)]);

const sealBytes = (published: PublishedSeal): number =>
  membersBytes([published.seal, ...formatLater(published)]);
