// A witness as C2SP tlog-witness has it, for one log: remembers the newest tree that it cosigned, and checks proofs.
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { parseBase64 } from "../../core/bytes.ts";
import { cosignatureMessage, formatCosignature, parseCheckpoint } from "../../core/log/checkpoint.ts";
import {
  formatNoteKey,
  formatSignatureLine,
  type NoteKey,
  type NoteSignature,
  noteKey,
  parseNote,
  SIGNATURE_TYPE,
} from "../../core/log/note.ts";
import { verifyConsistency } from "../../core/merkle/merkle-proof.ts";
import { type HttpHandler, type Listening, listen, type Reply, readBody } from "../../local/http-server.ts";

/** litewitness answers 500 to longer bodies. */
const MAX_REQUEST_BYTES = 10 * 1024;
const SECOND_MS = 1_000;

export interface NoteSigner {
  readonly key: NoteKey;
  readonly secret: KeyObject;
}

export function noteSigner(name: string, type: number): NoteSigner {
  const { publicKey, privateKey: secret } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return { key: noteKey(name, type, new Uint8Array(raw)), secret };
}

export function cosign({ key, secret }: NoteSigner, text: string, seconds: number): NoteSignature {
  const signature = new Uint8Array(sign(null, cosignatureMessage(seconds, text), secret));
  return { keyName: key.name, keyId: key.id, signature: formatCosignature(seconds, signature) };
}

/** A request as the witness reads it. */
export interface Submission {
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  readonly text: string;
}

/** Changes what the witness answers to one request: null for the right answer. */
export type Spoil = (submission: Submission, witness: FakeWitness) => Reply | Promise<Reply> | null;

export class FakeWitness {
  readonly signer: NoteSigner;
  readonly clock: () => Date;
  /** All requests, in their order. */
  readonly submissions: Submission[] = [];
  spoil: Spoil = () => null;
  #newest = { size: 0, root: new Uint8Array() };
  #server: Listening | undefined;

  constructor(name: string, clock: () => Date) {
    this.signer = noteSigner(name, SIGNATURE_TYPE.cosignature);
    this.clock = clock;
  }

  get url(): string {
    return this.#server?.url ?? "";
  }

  /** Its line in a tlog-policy, under the name of its key's last part. */
  get policyLine(): string {
    const { key } = this.signer;
    return `witness ${key.name.split("/").at(-1)} ${formatNoteKey(key)} ${this.url}`;
  }

  async start(): Promise<this> {
    this.#server = await listen(this.#handler);
    return this;
  }

  stop = async (): Promise<void> => this.#server?.close();

  /** The right answer to a checkpoint that it has judged. */
  cosignature(text: string, clock = this.clock): Reply {
    const seconds = Math.floor(clock().getTime() / SECOND_MS);
    return { status: 200, body: formatSignatureLine(cosign(this.signer, text, seconds)) };
  }

  readonly #handler: HttpHandler = async (request) => {
    if (request.method !== "POST" || request.url !== "/add-checkpoint") return { status: 404 };
    const submission = parseSubmission(Buffer.from(await readBody(request, MAX_REQUEST_BYTES)).toString());
    this.submissions.push(submission);
    return (await this.spoil(submission, this)) ?? this.#answer(submission);
  };

  #answer({ old, proof, text }: Submission): Reply {
    const { size, root } = parseCheckpoint(text);
    if (old > size) return { status: 400 };
    if (old !== this.#newest.size) return conflict(this.#newest.size);
    try {
      if (old > 0) verifyConsistency(old, size, proof, this.#newest.root, root);
    } catch {
      return { status: 422 };
    }
    this.#newest = { size, root: new Uint8Array(root) };
    return this.cosignature(text);
  }
}

export const conflict = (size: number): Reply => ({
  status: 409,
  headers: { "content-type": "text/x.tlog.size" },
  body: `${size}\n`,
});

function parseSubmission(body: string): Submission {
  const end = body.indexOf("\n\n");
  const [old = "", ...proof] = body.slice(0, end).split("\n");
  const { text } = parseNote(body.slice(end + 2));
  return { old: Number(old.replace("old ", "")), proof: proof.map(parseBase64), text };
}
