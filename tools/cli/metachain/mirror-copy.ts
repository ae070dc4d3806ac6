// Copies a metachain into a mirror's folder root by root, and verifies each before it gets its name there.
import { rootPath, timestampPath } from "../../../contract/metachain-paths.ts";
import { canonicalize } from "../../../evidence/core/canonical-json.ts";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import type { Fork } from "../../../evidence/core/log/fork.ts";
import type { TlogPolicy } from "../../../evidence/core/log/tlog-policy.ts";
import { verifySeal } from "../../../evidence/core/verify/verify-seal.ts";
import { inOrder, range } from "../../../evidence/reader/in-order.ts";
import { MAX_LATER, withLater } from "../../../evidence/reader/later-timestamps.ts";
import {
  type LogSource,
  type MetachainSource,
  parseHead,
  parseRoot,
} from "../../../evidence/reader/metachain.ts";
import type { Terminal } from "../output/terminal.ts";
import type { WalkedCheckpoints } from "./checkpoint-walk.ts";
import { type LogKeys, logKeys } from "./log-keys.ts";
import { type FetchedSignatures, MirroredCheckpoints } from "./mirror-checkpoints.ts";
import { type Fetched, invalid, MirrorFiles } from "./mirror-files.ts";
import type { MirrorFolder } from "./mirror-folder.ts";
import { MirroredLog } from "./mirror-log.ts";
import { type CopiedLayers, mirrorPolicy } from "./mirror-policy.ts";
import type { PolicySource } from "./policy-source.ts";

/** Roots under way at a time. */
const WIDTH = 16;

/** The outcome of a copy, in numbers. */
export interface Copied {
  readonly size: number;
  readonly copied: number;
  readonly entries: number;
  /** Entries under the last root whose files are not published yet. */
  readonly pending: number;
  /** When the first root was sealed whose entries are not published yet; null where there is none. */
  readonly waitingSince: string | null;
  /** Roots that have no token yet, or one that could not be checked. */
  readonly unchecked: number;
  /** Those of them with a token that leads to none of the reader's certificates. */
  readonly unanchored: number;
  /** The signatures of the roots that were visited, and the keys under which they were verified. */
  readonly checkpoints: WalkedCheckpoints;
  readonly keys: LogKeys;
  /** Null where no wording policy is published. */
  readonly layers: CopiedLayers | null;
}

type MirroredSource = MetachainSource & LogSource & PolicySource;

interface FetchedRoot {
  readonly index: number;
  readonly root: Fetched;
  /** The timestamps over it that came after it was published. */
  readonly later: readonly Fetched[];
  readonly signatures: FetchedSignatures;
}

/** The reader's own: DER certificates, and the keys of logs and witnesses. */
interface Trust {
  readonly anchors: readonly Uint8Array[];
  readonly policy: TlogPolicy | null;
}

export class MirrorCopy {
  readonly #source: MirroredSource;
  readonly #folder: MirrorFolder;
  readonly #files: MirrorFiles;
  readonly #trust: Trust;
  #checkpoints: MirroredCheckpoints | null = null;

  constructor(source: MirroredSource, folder: MirrorFolder, trust: Trust) {
    this.#source = source;
    this.#folder = folder;
    this.#files = new MirrorFiles(folder);
    this.#trust = trust;
  }

  /** The proof that the log signed two histories, where a copy found one. */
  get fork(): Fork | null {
    return this.#checkpoints?.fork ?? null;
  }

  async copy(onlyNew: boolean, terminal: Terminal): Promise<Copied> {
    await this.#folder.prepare();
    const bytes = await this.#source.head();
    const { size, latest } = parseHead(bytes);
    const from = await this.#checkPast(size, onlyNew);
    const log = await MirroredLog.open(this.#source, latest, this.#files, !onlyNew);
    const keys = await this.#keys(bytes);
    const checkpoints = await MirroredCheckpoints.open(
      this.#source,
      { files: this.#files, folder: this.#folder },
      keys,
    );
    this.#checkpoints = checkpoints;
    const progress = terminal.progress(size - from, "roots");
    const total = { size, copied: 0, unchecked: 0, unanchored: 0 };
    let previous: Seal | null = null;
    const fetch = (index: number) => this.#fetch(index, checkpoints, !onlyNew || index === from);
    for await (const fetched of inOrder(range(from, size), WIDTH, fetch)) {
      const { seal, isChecked, isAnchored } = await this.#verify(fetched, previous);
      await log.verify(seal);
      await checkpoints.verify(seal, fetched.signatures);
      for (const file of [fetched.root, ...fetched.later]) await this.#files.publish(file);
      await log.publish();
      await checkpoints.publish(fetched.signatures);
      total.copied += fetched.root.staged === null ? 0 : 1;
      total.unchecked += isChecked ? 0 : 1;
      total.unanchored += isAnchored ? 0 : 1;
      previous = seal;
      progress.step();
    }
    if (canonicalize(latest) !== canonicalize(previous)) throw invalid("the head is not the last root");
    // The head was read before: every layer that a receipt under it names was public by then.
    const layers = await mirrorPolicy(this.#source, { files: this.#files, folder: this.#folder }, !onlyNew);
    await checkpoints.finish(latest, log.size, this.#folder);
    await this.#folder.publishHead(bytes);
    const pending = (latest?.tree_size ?? 0) - log.size;
    const { size: entries, waitingSince } = log;
    return { ...total, entries, pending, waitingSince, checkpoints: checkpoints.progress, keys, layers };
  }

  /** The root to begin with: the last root under the folder's own head was the last that was verified. */
  async #checkPast(size: number, onlyNew: boolean): Promise<number> {
    const last = await this.#folder.lastIndex();
    if (last >= size) throw invalid(`the folder has root ${last}, but only ${size} roots are published now`);
    const head = await this.#folder.head();
    return onlyNew && head !== null ? Math.max(0, parseHead(head).size - 1) : 0;
  }

  /** The key that the folder's own head names was trusted first. Throws `proof_invalid` where it is another now. */
  async #keys(head: Uint8Array): Promise<LogKeys> {
    const keys = logKeys(this.#trust.policy, head);
    const held = await this.#folder.head();
    const before = held === null ? null : logKeys(this.#trust.policy, held).trusted;
    if (before !== null && keys.trusted !== before)
      throw invalid(`the log named the key ${before} before, and now ${keys.trusted ?? "none"}`);
    return keys;
  }

  async #fetch(index: number, checkpoints: MirroredCheckpoints, compare: boolean): Promise<FetchedRoot> {
    const [root, later, signatures] = await Promise.all([
      this.#files.fetch(rootPath(index), compare, () => this.#source.root(index)),
      this.#fetchLater(index, compare),
      checkpoints.fetch(index, compare),
    ]);
    if (root === null) throw invalid(`root ${index} is missing`);
    return { index, root, later, signatures };
  }

  async #fetchLater(index: number, compare: boolean): Promise<Fetched[]> {
    const later: Fetched[] = [];
    while (later.length < MAX_LATER) {
      const n = later.length;
      const read = () => this.#source.timestamp(index, n);
      const fetched = await this.#files.fetch(timestampPath(index, n), compare, read);
      if (fetched === null) break;
      later.push(fetched);
    }
    return later;
  }

  /** Throws `proof_invalid` unless the root holds: the folder serves nothing that was not verified. */
  async #verify(
    { index, root, later }: FetchedRoot,
    previous: Seal | null,
  ): Promise<{ seal: Seal; isChecked: boolean; isAnchored: boolean }> {
    const seal = parseRoot(root.bytes, index);
    const completed = withLater(
      seal,
      later.map(({ bytes }) => bytes),
    );
    const knowledge = { trustAnchors: this.#trust.anchors, ...(previous !== null && { previous }) };
    const { checks } = await verifySeal(completed, knowledge);
    const fault = checks.find(({ ok }) => ok === false);
    if (fault !== undefined) throw invalid(`root ${index} does not hold: ${fault.name}: ${fault.detail}`);
    return {
      seal,
      isChecked: checks.every(({ name, ok }) => !name.endsWith("timestamp") || ok === true),
      isAnchored: checks.every(({ reason }) => reason !== "other_authority"),
    };
  }
}
