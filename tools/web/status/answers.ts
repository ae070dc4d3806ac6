// The service's answers that the status page shows. A part that can't be read leaves the others as they are.
import { CHECKPOINT_PATH, HEAD_PATH } from "../../../contract/metachain-paths.ts";
import { POLICY_PATH } from "../../../contract/policy-paths.ts";
import { STATUS_PATH } from "../../../contract/public-paths.ts";
import type { Metachain } from "../../../evidence/core/formats/metachain.ts";
import { type PolicyIndex, policyIndexSchema } from "../../../evidence/core/formats/policy-index.ts";
import { type ReadStatus, readStatusSchema } from "../../../evidence/core/formats/service-status.ts";
import { parseCheckpoint } from "../../../evidence/core/log/checkpoint.ts";
import { parseNote } from "../../../evidence/core/log/note.ts";
import { parseAs, parseHead } from "../../../evidence/reader/metachain.ts";
import { fetchBytes } from "../origin.ts";

/** The largest honest answer is a head with some tokens of 10 KB each. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** A checkpoint says this of itself: no signature was verified. */
export interface StatedCheckpoint {
  readonly origin: string;
  readonly size: number;
  /** The names under which others than the log signed it. */
  readonly cosigners: readonly string[];
}

/** One answer of the service; `absent` where it has none yet (404). */
export type Part<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly reason: string };

export interface Answers {
  readonly status: Part<ReadStatus>;
  readonly head: Part<Metachain>;
  readonly checkpoint: Part<StatedCheckpoint>;
  readonly policy: Part<PolicyIndex>;
  readonly readAt: Date;
}

/** Reads the body under a path; null for a 404. Throws `publication_unavailable`. */
export type Read = (path: string) => Promise<Uint8Array | null>;

export const readFrom =
  (origin: string): Read =>
  (path) =>
    fetchBytes(origin, path, MAX_ANSWER_BYTES);

export async function readAnswers(read: Read, now: () => Date): Promise<Answers> {
  const [status, head, checkpoint, policy] = await Promise.all([
    readPart(read, STATUS_PATH, (bytes) => parseAs(readStatusSchema, bytes, "the status")),
    readPart(read, `/${HEAD_PATH}`, parseHead),
    readPart(read, `/${CHECKPOINT_PATH}`, stateCheckpoint),
    readPart(read, `/${POLICY_PATH}`, (bytes) => parseAs(policyIndexSchema, bytes, "the index")),
  ]);
  return { status, head, checkpoint, policy, readAt: now() };
}

async function readPart<T>(read: Read, path: string, parse: (bytes: Uint8Array) => T): Promise<Part<T>> {
  try {
    const bytes = await read(path);
    return bytes === null ? { kind: "absent" } : { kind: "read", value: parse(bytes) };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

function stateCheckpoint(bytes: Uint8Array): StatedCheckpoint {
  const { text, signatures } = parseNote(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  const { origin, size } = parseCheckpoint(text);
  // The log signs under its own name, the origin; a witness may have signed with more than one key.
  const names = new Set(signatures.map(({ keyName }) => keyName));
  names.delete(origin);
  return { origin, size, cosigners: [...names] };
}
