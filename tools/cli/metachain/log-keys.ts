// The keys by which a log's checkpoints are verified: those of the reader's policy, or else the one that the log names
// itself, which is taken on trust the first time.
import * as z from "zod";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { parseJson } from "../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { formatNoteKey } from "../../../evidence/core/log/note.ts";
import type { TlogPolicy } from "../../../evidence/core/log/tlog-policy.ts";
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { parseLogPolicy } from "../../../evidence/reader/log-policy.ts";

export interface LogKeys {
  /** Null where the reader brought none and the log names none. */
  readonly policy: TlogPolicy | null;
  /** The key that the log names, in its text form, where it is taken on trust; else null. */
  readonly trusted: string | null;
}

/** The head's member that names the log's key. */
const namedKeySchema = z.object({ log: z.object({ vkey: z.string() }) });

/** `head` is the bytes of the head. A key that can't be read is none. */
export function logKeys(given: TlogPolicy | null, head: Uint8Array): LogKeys {
  if (given !== null) return { policy: given, trusted: null };
  const vkey = namedKeySchema.safeParse(parseJson(head)).data?.log.vkey;
  if (vkey === undefined) return { policy: null, trusted: null };
  try {
    return { policy: parseLogPolicy(vkey), trusted: vkey };
  } catch (error) {
    if (!isDisclosureError(error, "malformed")) throw error;
    return { policy: null, trusted: null };
  }
}

/** A digest of everything in a policy that counts: a check under another policy says nothing under this one. */
export function policyDigest({ logs, witnesses, groups, quorum }: TlogPolicy): string {
  const parts = [
    logs.map(({ key }) => formatNoteKey(key)),
    witnesses.map(({ name, key }) => [name, formatNoteKey(key)]),
    [...groups],
    quorum,
  ];
  return formatDigest(hashBytes(utf8(JSON.stringify(parts))));
}
