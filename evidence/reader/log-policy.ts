// A reader's log policy as text: a tlog-policy of C2SP, or the key of one log alone.
import { DisclosureError } from "../core/errors.ts";
import { parseNoteKey, SIGNATURE_TYPE } from "../core/log/note.ts";
import { BYTE_ORDER_MARK, parsePolicy, policyOfLog, type TlogPolicy } from "../core/log/tlog-policy.ts";

/** A key is one word; every line of a policy has more. */
const ONE_WORD = /^[^\s#]+$/;

/** A vkey alone, or a first line of a policy that says something; JSON and PEM begin otherwise. */
const KEY = /^\s*[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+={0,2}\s*$/;
const POLICY = /^(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*(?:log|witness|group|quorum)[ \t]/;

/** True if a text looks like a policy or a key. `opening` is its beginning; a key is short. */
export const isLogPolicy = (opening: string): boolean => KEY.test(opening) || POLICY.test(opening);

/** Throws `malformed`. A key alone asks for no witness. */
export function parseLogPolicy(text: string): TlogPolicy {
  // White space for `trim`, but not for other verifiers.
  if (text.startsWith(BYTE_ORDER_MARK))
    throw new DisclosureError("malformed", "the policy or the key begins with a byte order mark");
  const trimmed = text.trim();
  if (!ONE_WORD.test(trimmed)) return requireLogs(parsePolicy(text));
  const key = parseNoteKey(trimmed);
  if (key.type === SIGNATURE_TYPE.ed25519) return policyOfLog(key);
  throw new DisclosureError("malformed", "this is not the Ed25519 key of a log");
}

function requireLogs(policy: TlogPolicy): TlogPolicy {
  if (policy.logs.length > 0) return policy;
  throw new DisclosureError("malformed", "the policy names no log, so no checkpoint could be checked");
}
