// The log that is judged: a run of the local stack, whose sealer wrote and signed it, cosigned by a real witness. Its
// files are fetched as a mirror fetches them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { LOCAL_DEPLOYMENT_FILE, localDeploymentSchema } from "../../../contract/deployment.ts";
import { CHECKPOINT_ROUTE, HEAD_ROUTE } from "../../../contract/metachain-paths.ts";
import { concatBytes, formatBase64, formatHex } from "../../../evidence/core/bytes.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { metachainSchema } from "../../../evidence/core/formats/metachain.ts";
import { parseCheckpoint } from "../../../evidence/core/log/checkpoint.ts";
import { ED25519_KEY_BYTES } from "../../../evidence/core/log/ed25519.ts";
import { parseNote, parseNoteKey, SIGNATURE_TYPE } from "../../../evidence/core/log/note.ts";
import {
  edgeTiles,
  entriesPath,
  type Tile,
  tilePath,
  tilesBetween,
} from "../../../evidence/core/log/tiles.ts";
import { loadLogKey } from "../../../host/local/log-key.ts";
import { connectLocal } from "../../../service/operator.ts";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../../support/local-stack.ts";
import { growMetachain } from "../../support/metachain-entries.ts";
import type { Witness } from "./litewitness.ts";

/** Sizes at which tiles begin, end, and are one short; receipts in between make the log a little longer. */
const SIZES = [1, 2, 3, 100, 255, 256, 257, 511, 512, 513, 700] as const;
const PATIENCE_MS = 120_000;
const POLL_MS = 100;
const WITNESS_NAME = "w";
/** In the data folder. */
const LOG_KEY_FILE = "log-key.json";

export class SignedLog {
  readonly stack: LocalStack;
  readonly client: ApiClient;
  /** The files, as they lie below the log's prefix. */
  readonly folder: string;
  /** A reader's: the log, the witness, and a quorum of this one. */
  readonly policyFile: string;
  /** Reports of receipts that were recorded when the log was small, middling and large. */
  readonly reports: ComplianceReceipt[] = [];
  origin = "";
  vkey = "";

  constructor(stack: LocalStack, folder: string, policyFile: string) {
    this.stack = stack;
    this.client = new ApiClient(stack);
    this.folder = folder;
    this.policyFile = policyFile;
  }

  get url(): string {
    return `${this.stack.url}${HEAD_ROUTE}`;
  }

  async attest(): Promise<string> {
    const { event_id } = await this.client.attest(disclosure({ interaction_id: crypto.randomUUID() }));
    return event_id;
  }

  /** Entries of chains that no tenant has, up to `size`; a run of the sealer takes them up. */
  async grow(size: number): Promise<void> {
    const file = readFileSync(join(this.stack.dataDir, LOCAL_DEPLOYMENT_FILE), "utf8");
    const operator = connectLocal(localDeploymentSchema.parse(JSON.parse(file)));
    await growMetachain(operator, size);
    operator.close();
  }

  /** The published checkpoint once it covers so many entries, and `isReady`. */
  async checkpoint(size: number, isReady: (note: string) => boolean = () => true): Promise<string> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const response = await fetch(`${this.stack.url}${CHECKPOINT_ROUTE}`);
      const note = response.ok ? await response.text() : "";
      if (note !== "" && parseCheckpoint(parseNote(note).text).size >= size && isReady(note)) return note;
      if (performance.now() > end)
        throw new Error(`no checkpoint of ${size} entries:\n${note}${this.stack.output}`);
      await delay(POLL_MS);
    }
  }

  /** Keeps every file of the log, of every size that a checkpoint was made for. Returns those sizes. */
  async fetchFiles(): Promise<number[]> {
    await this.#fetch("checkpoint");
    const { latest } = metachainSchema.parse(await (await fetch(this.url)).json());
    const sizes: number[] = [];
    for (let index = 0; index <= (latest?.index ?? -1); index++) {
      const note = await this.#fetch(`checkpoints/${index}`);
      await this.#fetch(`signed-roots/${index}`);
      if (note === null) continue;
      const { size } = parseCheckpoint(parseNote(Buffer.from(note).toString()).text);
      await this.#fetchTiles([...tilesBetween(sizes.at(-1) ?? 0, size), ...edgeTiles(size)]);
      sizes.push(size);
    }
    return sizes;
  }

  /** The log's own key as a note key, which tessera's writer takes. */
  noteKey(): string {
    const { secret } = loadLogKey(join(this.stack.dataDir, LOG_KEY_FILE));
    // RFC 8410 section 7: the seed is the end of the key.
    const seed = secret.export({ format: "der", type: "pkcs8" }).subarray(-ED25519_KEY_BYTES);
    const material = concatBytes(Uint8Array.of(SIGNATURE_TYPE.ed25519), seed);
    return `PRIVATE+KEY+${this.origin}+${formatHex(parseNoteKey(this.vkey).id)}+${formatBase64(material)}`;
  }

  get checkpointFiles(): string[] {
    const folder = join(this.folder, "checkpoints");
    return readdirSync(folder).map((name) => join(folder, name));
  }

  async #fetchTiles(tiles: readonly Tile[]): Promise<void> {
    const lowest = tiles.filter(({ level }) => level === 0).map(entriesPath);
    for (const path of [...tiles.map(tilePath), ...lowest]) {
      if ((await this.#fetch(path)) === null) throw new Error(`${path} is not published`);
    }
  }

  async #fetch(path: string): Promise<Uint8Array | null> {
    const response = await fetch(`${this.url}/${path}`);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    return bytes;
  }
}

/** Starts a stack that asks the witness, makes the log known to it, and has it grow through all sizes. */
export async function makeSignedLog(folder: string, witness: Witness): Promise<SignedLog> {
  const asked = join(folder, "asked.policy");
  writeFileSync(asked, policyOf(witness));
  const environment = { SEAL_INTERVAL_SECONDS: "1", WITNESS_POLICY_FILE: asked };
  const stack = await startLocalStack({ dataDir: join(folder, "data"), environment });
  const log = new SignedLog(stack, join(folder, "log"), join(folder, "reader.policy"));
  const events = [await log.attest()];
  // Nobody knows the log's key before its first checkpoint: that one is published without a cosignature.
  await log.checkpoint(1);
  const { log: named } = metachainSchema.parse(await (await fetch(log.url)).json());
  log.origin = named?.origin ?? "";
  log.vkey = named?.vkey ?? "";
  witness.addLog(log.origin, log.vkey);
  writeFileSync(log.policyFile, `log ${log.vkey}\n${policyOf(witness)}`);
  for (const size of SIZES) {
    await log.grow(size);
    await log.checkpoint(size);
    if (size !== 100 && size !== 700) continue;
    events.push(await log.attest());
    // The next entries are written past the sealer, which must have none to write meanwhile.
    await log.checkpoint(size + 1);
  }
  const sealed = await Promise.all(events.map((event) => log.client.includedReport(event)));
  const sizes = sealed.map(({ merkle_proof }) => merkle_proof.cross_tenant_proof?.tree_size ?? 0);
  await log.checkpoint(Math.max(...sizes), (note) => note.includes(witness.vkey.split("+")[0] ?? ""));
  // Again: the log's signatures come a moment after their seal.
  for (const event of events) log.reports.push(await log.client.report(event));
  await log.fetchFiles();
  return log;
}

const policyOf = ({ vkey, url }: Witness): string =>
  `witness ${WITNESS_NAME} ${vkey} ${url}\nquorum ${WITNESS_NAME}\n`;
