// The add-checkpoint call of one witness (C2SP tlog-witness): sends a checkpoint, and returns what it answered as the
// specification's two useful answers; everything else is an error.
import { formatBase64 } from "../../evidence/core/bytes.ts";
import { collectBytes } from "../../evidence/core/collect-bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import {
  formatNote,
  type NoteSignature,
  parseSignatureLine,
  type SignedNote,
} from "../../evidence/core/log/note.ts";

/** Room for 16 signature lines of the longest kind that is known; a witness answers with one or two. */
export const MAX_ANSWER_BYTES = 16 * 1024;
const REQUEST_TYPE = "text/plain; charset=utf-8";
const SIZE_TYPE = "text/x.tlog.size";
const SIZE_BODY = /^(?:0|[1-9][0-9]{0,15})\n$/;
const OK = 200;
const CONFLICT = 409;

/** The body of a request. */
export interface CheckpointSubmission {
  /** The size that the witness is believed to have cosigned last; 0 where there is none. */
  readonly old: number;
  /** RFC 9162 section 2.1.4, from `old`; empty where `old` is 0 or the checkpoint's own size. */
  readonly proof: readonly Uint8Array[];
  readonly note: SignedNote;
}

/** Signature lines, none of which is verified; or the size that the witness cosigned last, where it is not `old`. */
export type WitnessAnswer = { readonly signatures: readonly NoteSignature[] } | { readonly size: number };

export interface WitnessConnection {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

export const formatSubmission = ({ old, proof, note }: CheckpointSubmission): string =>
  `old ${old}\n${proof.map((node) => `${formatBase64(node)}\n`).join("")}\n${formatNote(note)}`;

/** Throws `witness_failed` for every other answer, and for none. The error never holds the answer's text. */
export async function addCheckpoint(
  url: string,
  submission: CheckpointSubmission,
  connection: WitnessConnection,
): Promise<WitnessAnswer> {
  const { status, type, body } = await exchange(url, formatSubmission(submission), connection);
  if (status === OK) return { signatures: readSignatures(body) };
  if (type === SIZE_TYPE && SIZE_BODY.test(body)) return { size: Number(body) };
  throw failed("the witness answered 409 without a size");
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function exchange(url: string, body: string, { fetch, signal }: WitnessConnection): Promise<Answer> {
  try {
    const headers = { "content-type": REQUEST_TYPE };
    // A redirect would send the checkpoint to an address that nobody configured.
    const response = await fetch(url, { method: "POST", headers, body, redirect: "error", signal });
    return await readAnswer(response);
  } catch (error) {
    if (error instanceof DisclosureError) throw error;
    const message = signal.aborted ? "the witness did not answer in time" : "the witness was not reached";
    throw failed(message, {}, error);
  }
}

async function readAnswer({ status, headers, body }: Response): Promise<Answer> {
  if (status !== OK && status !== CONFLICT) {
    void body?.cancel();
    throw failed("the witness did not cosign", { status });
  }
  const bytes = body === null ? new Uint8Array() : await collectBytes(body, MAX_ANSWER_BYTES);
  if (bytes === null) throw failed("the witness's answer is too long", { expected: MAX_ANSWER_BYTES });
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return { status, type: type.trim().toLowerCase(), body: new TextDecoder().decode(bytes) };
}

function readSignatures(body: string): readonly NoteSignature[] {
  try {
    return body.trimEnd().split("\n").map(parseSignatureLine);
  } catch (error) {
    throw failed("the witness's answer is no list of signature lines", {}, error);
  }
}

const failed = (message: string, evidence = {}, cause?: unknown): DisclosureError =>
  new DisclosureError("witness_failed", message, evidence, cause);
