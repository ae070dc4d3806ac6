// Readers without a key: published roots, signed checkpoints and policy layers. A reader remembers what it saw, and what it
// sees later must follow from that.
import { setTimeout as sleep } from "node:timers/promises";
import { layerNameOf, layerPath, POLICY_ROUTE } from "../../../contract/policy-paths.ts";
import { equalBytes } from "../../../evidence/core/bytes.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { policyIndexSchema } from "../../../evidence/core/formats/policy-index.ts";
import type { Checkpoint } from "../../../evidence/core/log/checkpoint.ts";
import { NEWEST_CHECKPOINT } from "../../../evidence/core/log/log-paths.ts";
import { parseNoteKey } from "../../../evidence/core/log/note.ts";
import { openCheckpoint } from "../../../evidence/core/log/open-checkpoint.ts";
import { TiledTree } from "../../../evidence/core/log/tiled-tree.ts";
import { policyOfLog } from "../../../evidence/core/log/tlog-policy.ts";
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { verifyEvidence } from "../../../evidence/reader/index.ts";
import { parseHead } from "../../../evidence/reader/metachain.ts";
import { openMetachain } from "../../../tools/cli/metachain/open.ts";
import { indexIn } from "../../throughput/random.ts";
import { type ReaderParts, readOn } from "./reading.ts";

/** Roots come with every seal; a reader that asks without a pause measures itself. */
const PAUSE_MS = 300;
const OK = 200;
const SERVER_ERROR = 500;

export function readLog(reading: ReaderParts): Promise<unknown> {
  const roots = new RootReader(reading);
  const checkpoints = new CheckpointReader(reading);
  return Promise.all([
    readOn(reading, "roots", () => roots.read()),
    readOn(reading, "checkpoint", () => checkpoints.read()),
    readOn(reading, "policy", () => readPolicy(reading)),
  ]);
}

class RootReader {
  readonly #reading: ReaderParts;
  readonly #seen: string[] = [];

  constructor(reading: ReaderParts) {
    this.#reading = reading;
  }

  /** The next root and its proof, or one that was seen before: its bytes must be the same. */
  async read(): Promise<boolean> {
    await sleep(PAUSE_MS);
    const { url, random, trustAnchors } = this.#reading;
    const source = openMetachain(url);
    const { size } = parseHead(await source.head());
    const isNew = size > this.#seen.length;
    const index = isNew ? this.#seen.length : indexIn(random, this.#seen.length);
    const bytes = size === 0 ? null : await source.root(index);
    if (bytes === null) {
      if (size > 0) throw new Error(`root ${index} of ${size} is not there`);
      return false;
    }
    const text = Buffer.from(bytes).toString("utf8");
    if (!isNew && this.#seen[index] !== text) throw new Error(`root ${index} has changed`);
    if (isNew) this.#seen.push(text);
    const { outcome, checks } = await verifyEvidence(bytes, {
      trustAnchors,
      source,
      now: new Date().toISOString(),
    });
    const failed = checks.filter(({ ok }) => ok === false).map(({ name, detail }) => `${name}: ${detail}`);
    if (outcome === "does_not_hold") throw new Error(`root ${index} does not hold: ${failed.join("; ")}`);
    return true;
  }
}

class CheckpointReader {
  readonly #reading: ReaderParts;
  #vkey: string | null = null;
  #newest: Checkpoint | null = null;

  constructor(reading: ReaderParts) {
    this.#reading = reading;
  }

  async read(): Promise<boolean> {
    await sleep(PAUSE_MS);
    const source = openMetachain(this.#reading.url);
    const { log } = parseHead(await source.head());
    const note = await source.logFile(NEWEST_CHECKPOINT);
    if (log === null || note === null) return false;
    if (log.vkey !== (this.#vkey ?? log.vkey)) throw new Error("the log has another key");
    this.#vkey = log.vkey;
    const policy = policyOfLog(parseNoteKey(log.vkey));
    const { checkpoint } = await openCheckpoint(Buffer.from(note).toString("utf8"), policy);
    await this.#requireExtends(checkpoint, (path) => source.logFile(path));
    return true;
  }

  /** The checkpoint may be of a tree that was seen before, for caches may be older; but of the same log. */
  async #requireExtends(
    checkpoint: Checkpoint,
    read: (path: string) => Promise<Uint8Array | null>,
  ): Promise<void> {
    const known = this.#newest;
    const larger = known !== null && known.size > checkpoint.size ? known : checkpoint;
    const tree = new TiledTree(larger.size, read);
    for (const { size, root } of known === null ? [checkpoint] : [known, checkpoint]) {
      if (!equalBytes(await tree.root(size), root))
        throw new Error(`the tiles of ${larger.size} entries have another root for ${size} than was signed`);
    }
    this.#newest = larger;
  }
}

/** Each layer of the index is there under the hash of its bytes. */
async function readPolicy({ url }: ReaderParts): Promise<boolean> {
  await sleep(PAUSE_MS);
  const index = await get(url + POLICY_ROUTE);
  const { jurisdictions } = policyIndexSchema.parse(JSON.parse(Buffer.from(index).toString("utf8")));
  for (const { digest } of jurisdictions) {
    const layer = await get(`${url}/${layerPath(digest)}`);
    if (formatDigest(hashBytes(layer)) !== digest)
      throw new Error(`the layer ${layerNameOf(digest)} has another hash`);
  }
  return true;
}

/** Throws `publication_unavailable` while the service can't answer. */
async function get(address: string): Promise<Uint8Array> {
  const response = await fetch(address).catch(() => null);
  const body = await response?.arrayBuffer().catch(() => null);
  const { pathname } = new URL(address);
  if (response === null || body === null || body === undefined || response.status >= SERVER_ERROR)
    throw new DisclosureError("publication_unavailable", `${pathname} can't be read`);
  if (response.status !== OK) throw new Error(`${pathname} was answered ${response.status}`);
  return new Uint8Array(body);
}
