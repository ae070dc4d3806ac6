// A witness on one machine (C2SP tlog-witness): it cosigns no tree that does not extend the one that it cosigned before.
// Where a request says so, it lies.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SECOND_MS } from "../../../contract/time.ts";
import { parseBase64 } from "../../../evidence/core/bytes.ts";
import {
  type Checkpoint,
  cosignatureMessage,
  formatCheckpoint,
  formatCosignature,
  parseCheckpoint,
} from "../../../evidence/core/log/checkpoint.ts";
import {
  formatNoteKey,
  formatSignatureLine,
  type NoteKey,
  noteKey,
  parseNote,
  SIGNATURE_TYPE,
} from "../../../evidence/core/log/note.ts";
import { HASH_BYTES } from "../../../evidence/core/merkle/hash.ts";
import { verifyConsistency } from "../../../evidence/core/merkle/merkle-proof.ts";
import { listen, type Reply, readBody } from "../../../host/server/http-server.ts";
import { LIE_HEADER } from "../proxy/messages.ts";

const MAX_REQUEST_BYTES = 64 * 1024;
const RAW_KEY_BYTES = 32;
const OLD = /^old (\d+)$/;
const CONFLICT = 409;
const UNPROCESSABLE = 422;
const NAME = "witness.hammer";

export interface StandInWitness {
  readonly url: string;
  readonly vkey: string;
}

/** `onFinding` is told of a tree that does not extend the one before: an honest log shows none. */
export async function startWitness(onFinding: (finding: string) => void): Promise<StandInWitness> {
  const witness = new HonestWitness(onFinding);
  const { url } = await listen((request) => witness.answer(request));
  return { url, vkey: formatNoteKey(witness.key) };
}

class HonestWitness {
  readonly key: NoteKey;
  readonly #secret: KeyObject;
  readonly #onFinding: (finding: string) => void;
  #known: Checkpoint | null = null;

  constructor(onFinding: (finding: string) => void) {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-RAW_KEY_BYTES);
    this.key = noteKey(NAME, SIGNATURE_TYPE.cosignature, new Uint8Array(raw));
    this.#secret = privateKey;
    this.#onFinding = onFinding;
  }

  async answer(request: IncomingMessage): Promise<Reply> {
    const text = Buffer.from(await readBody(request, MAX_REQUEST_BYTES)).toString("utf8");
    const end = text.indexOf("\n\n");
    const [first = "", ...proof] = text.slice(0, end).split("\n");
    const note = parseNote(text.slice(end + 2));
    const lie = request.headers[LIE_HEADER];
    if (lie !== undefined) return this.#lie(String(lie), parseCheckpoint(note.text));
    return this.#cosign(Number(OLD.exec(first)?.[1]), proof.map(parseBase64), note.text);
  }

  #cosign(old: number, proof: readonly Uint8Array[], text: string): Reply {
    const checkpoint = parseCheckpoint(text);
    const known = this.#known?.size ?? 0;
    if (old !== known || checkpoint.size < known) return sizeReply(known);
    try {
      if (this.#known !== null)
        verifyConsistency(known, checkpoint.size, proof, this.#known.root, checkpoint.root);
    } catch {
      this.#onFinding(`a checkpoint of ${checkpoint.size} entries does not extend the one of ${known}`);
      return { status: UNPROCESSABLE };
    }
    this.#known = checkpoint;
    return { status: 200, body: this.#lineOver(text) };
  }

  #lie(lie: string, checkpoint: Checkpoint): Reply {
    if (lie === "larger-tree") return sizeReply(checkpoint.size + 1);
    if (lie === "garbage") return { status: 200, body: randomBytes(HASH_BYTES).toString("base64") };
    return {
      status: 200,
      body: this.#lineOver(formatCheckpoint({ ...checkpoint, root: randomBytes(HASH_BYTES) })),
    };
  }

  #lineOver(text: string): string {
    const seconds = Math.floor(Date.now() / SECOND_MS);
    const signed = sign(null, cosignatureMessage(seconds, text), this.#secret);
    const signature = formatCosignature(seconds, new Uint8Array(signed));
    return formatSignatureLine({ keyName: this.key.name, keyId: this.key.id, signature });
  }
}

const sizeReply = (size: number): Reply => ({
  status: CONFLICT,
  headers: { "content-type": "text/x.tlog.size" },
  body: `${size}\n`,
});
