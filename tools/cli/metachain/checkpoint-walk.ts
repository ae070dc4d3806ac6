// The signed checkpoints of a log, held against its roots one after the other: each must be of its seal's very tree, and by
// one and the same log.
import * as z from "zod";
import { formatHex } from "../../../evidence/core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../../../evidence/core/errors.ts";
import { logCheckpointSchema, type Seal } from "../../../evidence/core/formats/metachain.ts";
import { indexSchema, nodeSchema, sizeSchema } from "../../../evidence/core/formats/shapes.ts";
import { parseCheckpoint } from "../../../evidence/core/log/checkpoint.ts";
import type { SignedTree } from "../../../evidence/core/log/fork.ts";
import { parseNote } from "../../../evidence/core/log/note.ts";
import { openCheckpoint } from "../../../evidence/core/log/open-checkpoint.ts";
import {
  type ClaimedTree,
  latestCosignature,
  requireTree,
} from "../../../evidence/core/verify/verify-checkpoint.ts";
import type { LogKeys } from "./log-keys.ts";

/** Seals whose checkpoint was not there yet: they come a moment later, and an outage of the key may last. */
const MAX_LACKING = 64;

const claimedTreeSchema = z.object({ sealIndex: indexSchema, size: sizeSchema, root: nodeSchema });

/** How far a walk has come, as another goes on from it. */
export const walkedCheckpointsSchema = z.object({
  /** The first seal that has a checkpoint. */
  first: indexSchema.nullable(),
  signed: z.int().min(0),
  /** Those of them with the quorum of the reader's policy. */
  cosigned: z.int().min(0),
  /** The key that all were signed by: in its text form, or as name and id where the log names none. */
  key: z.string().nullable(),
  /** The time of the newest quorum, RFC 3339; null without one, and where the reader's policy asks for none. */
  quorum_at: z.iso.datetime().nullable(),
  /** The newest that is of its seal's tree. */
  newest: logCheckpointSchema.nullable(),
  /** The first that is signed and of another tree. */
  suspect: logCheckpointSchema.nullable(),
  lacking: z.array(claimedTreeSchema).max(MAX_LACKING),
});
export type WalkedCheckpoints = z.infer<typeof walkedCheckpointsSchema>;

export const NO_CHECKPOINTS: WalkedCheckpoints = {
  first: null,
  signed: 0,
  cosigned: 0,
  key: null,
  quorum_at: null,
  newest: null,
  suspect: null,
  lacking: [],
};

/** How many of the last seals, of MAX_LACKING at most, no checkpoint covers. */
export const uncoveredSeals = ({ newest, lacking }: WalkedCheckpoints): number =>
  lacking.filter(({ size }) => size > sizeOf(newest)).length;

const sizeOf = (note: string | null): number =>
  note === null ? 0 : parseCheckpoint(parseNote(note).text).size;

/** A checkpoint that its log signed, under the reader's keys. */
interface OpenedNote extends SignedTree {
  readonly hasQuorum: boolean;
  readonly quorumAt: Date | null;
  readonly key: string;
}

export class CheckpointWalk {
  readonly #keys: LogKeys;
  #progress: WalkedCheckpoints;

  constructor(keys: LogKeys, progress: WalkedCheckpoints = NO_CHECKPOINTS) {
    this.#keys = keys;
    this.#progress = progress;
  }

  get progress(): WalkedCheckpoints {
    return this.#progress;
  }

  /** The sentence of a fault, where the log names another key than the one that was trusted before; else null. */
  checkKey(): string | null {
    const { trusted } = this.#keys;
    if (trusted === null) return null;
    const { key } = this.#progress;
    this.#progress = { ...this.#progress, key: key ?? trusted };
    return key === null || key === trusted ? null : `the log named the key ${key} before, and now ${trusted}`;
  }

  /** Holds the checkpoint of a seal against it. Null where nothing is wrong, or none is there; else what is wrong. */
  async check(seal: Seal, note: string | null): Promise<string | null> {
    const { quorum_at } = this.#progress;
    // Whatever witnesses sign of a smaller tree, and however often, says nothing of a root that was sealed later.
    if (quorum_at !== null && Date.parse(quorum_at) > Date.parse(seal.sealed_at))
      this.#progress = { ...this.#progress, quorum_at: seal.sealed_at };
    const tree = { sealIndex: seal.index, size: seal.tree_size, root: seal.merkle_root };
    return this.#check(tree, note, ({ quorumAt }) => this.#noteQuorum(quorumAt));
  }

  /** Looks again for the checkpoints that were not there yet. Returns what is wrong, with the index of the seal. */
  async checkLacking(
    read: (index: number) => Promise<string | null>,
  ): Promise<readonly (readonly [index: number, sentence: string])[]> {
    const { lacking } = this.#progress;
    this.#progress = { ...this.#progress, lacking: [] };
    const faults: (readonly [number, string])[] = [];
    for (const tree of lacking) {
      const sentence = await this.#check(tree, await read(tree.sealIndex));
      if (sentence !== null) faults.push([tree.sealIndex, sentence]);
    }
    return faults;
  }

  /**
   * Counts the quorum of the log's newest checkpoint, which was held against the last root: it is cosigned anew while
   * nothing is sealed. One of a tree that was not walked says nothing of this walk.
   */
  async noteNewest(note: string, last: Seal): Promise<void> {
    const { checkpoint, quorumAt } = await this.open(note);
    if (quorumAt === null || checkpoint.size > last.tree_size) return;
    if (checkpoint.size === last.tree_size) return this.#noteQuorum(quorumAt);
    // The last root may have come a moment ago, and its checkpoint is on its way.
    const sealedAt = new Date(last.sealed_at);
    if (checkpoint.size >= last.previous_tree_size)
      this.#noteQuorum(quorumAt < sealedAt ? quorumAt : sealedAt);
  }

  /** A checkpoint by the log of these keys. Throws `proof_invalid` or `malformed`. */
  async open(note: string): Promise<OpenedNote> {
    const { policy } = this.#keys;
    if (policy !== null) {
      const latest = latestCosignature(new Date());
      const { checkpoint, log, hasQuorum, quorumAt } = await openCheckpoint(note, policy, latest);
      return { note, checkpoint, hasQuorum, quorumAt, key: `${log.name}+${formatHex(log.id)}` };
    }
    const signed = parseNote(note);
    const checkpoint = parseCheckpoint(signed.text);
    const own = signed.signatures.find(({ keyName }) => keyName === checkpoint.origin);
    if (own === undefined)
      throw new DisclosureError("proof_invalid", "the checkpoint has no signature by its own log");
    return {
      note,
      checkpoint,
      hasQuorum: false,
      quorumAt: null,
      key: `${own.keyName}+${formatHex(own.keyId)}`,
    };
  }

  async #check(
    tree: ClaimedTree,
    note: string | null,
    onOpened: (opened: OpenedNote) => void = () => {},
  ): Promise<string | null> {
    if (note === null) {
      const lacking = [...this.#progress.lacking, tree].slice(-MAX_LACKING);
      this.#progress = { ...this.#progress, lacking };
      return null;
    }
    try {
      const opened = await this.open(note);
      this.#requireKey(opened.key);
      this.#requireTree(opened, tree);
      this.#count(tree, opened);
      onOpened(opened);
      return null;
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
      return error.message;
    }
  }

  #requireTree(opened: SignedTree, tree: ClaimedTree): void {
    try {
      requireTree(opened, tree);
    } catch (error) {
      const suspect = this.#progress.suspect ?? opened.note;
      this.#progress = { ...this.#progress, suspect };
      throw error;
    }
  }

  /** Where the keys are the reader's, the policy says which count. */
  #requireKey(key: string): void {
    if (this.#keys.policy !== null) return;
    const known = this.#progress.key ?? key;
    this.#progress = { ...this.#progress, key: known };
    // An earlier walk may know the whole key.
    if (known !== key && !known.startsWith(`${key}+`))
      throw new DisclosureError("proof_invalid", `it is signed by ${key}, others by ${known}`);
  }

  #noteQuorum(at: Date | null): void {
    const { quorum_at } = this.#progress;
    if (at === null || (quorum_at !== null && at.getTime() <= Date.parse(quorum_at))) return;
    this.#progress = { ...this.#progress, quorum_at: at.toISOString() };
  }

  #count({ sealIndex }: ClaimedTree, { note, checkpoint, hasQuorum }: OpenedNote) {
    const { first, signed, cosigned, newest } = this.#progress;
    this.#progress = {
      ...this.#progress,
      first: first === null ? sealIndex : Math.min(first, sealIndex),
      signed: signed + 1,
      cosigned: cosigned + (hasQuorum ? 1 : 0),
      newest: checkpoint.size > sizeOf(newest) ? note : newest,
    };
  }
}
