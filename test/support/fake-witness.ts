// A witness as C2SP tlog-witness has it: remembers the newest tree of each log that it cosigned, and checks proofs. It
// believes whoever asks to be the log.
import { parseBase64 } from "../../evidence/core/bytes.ts";
import { type Checkpoint, parseCheckpoint } from "../../evidence/core/log/checkpoint.ts";
import { formatNoteKey, formatSignatureLine, parseNote } from "../../evidence/core/log/note.ts";
import { verifyConsistency } from "../../evidence/core/merkle/merkle-proof.ts";
import {
  type HttpHandler,
  type Listening,
  listen,
  type Reply,
  readBody,
} from "../../host/server/http-server.ts";
import { cosign, type LogSigner, newWitness } from "./log-signer.ts";

/** litewitness answers 500 to longer bodies. */
const MAX_REQUEST_BYTES = 10 * 1024;
const SECOND_MS = 1_000;

/** A request as the witness reads it. */
export interface Submission {
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  readonly text: string;
}

/** Changes what the witness answers to one request: null for the right answer. */
export type Spoil = (submission: Submission, witness: FakeWitness) => Reply | Promise<Reply> | null;

export class FakeWitness {
  readonly signer: LogSigner;
  readonly clock: () => Date;
  /** All requests, in their order. */
  readonly submissions: Submission[] = [];
  spoil: Spoil = () => null;
  /** By the log's origin. */
  readonly #newest = new Map<string, Checkpoint>();
  #server: Listening | undefined;

  constructor(name: string, clock: () => Date) {
    this.signer = newWitness(name);
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
    return { status: 200, body: formatSignatureLine(cosign(this.signer, seconds, text)) };
  }

  readonly #handler: HttpHandler = async (request) => {
    if (request.method !== "POST" || request.url !== "/add-checkpoint") return { status: 404 };
    const submission = parseSubmission(Buffer.from(await readBody(request, MAX_REQUEST_BYTES)).toString());
    this.submissions.push(submission);
    return (await this.spoil(submission, this)) ?? this.#answer(submission);
  };

  #answer({ old, proof, text }: Submission): Reply {
    const checkpoint = parseCheckpoint(text);
    const { origin, size, root } = checkpoint;
    const newest = this.#newest.get(origin) ?? { size: 0, root: new Uint8Array() };
    if (old > size) return { status: 400 };
    if (old !== newest.size) return conflict(newest.size);
    try {
      if (old > 0) verifyConsistency(old, size, proof, newest.root, root);
    } catch {
      return { status: 422 };
    }
    this.#newest.set(origin, checkpoint);
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
