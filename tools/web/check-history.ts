// Reads and verifies the history that the reader gave, with the code of the command line. The page walks no public log, so
// it says no more than that evidence is consistent with this history.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { readHistory } from "../../evidence/reader/history-files.ts";
import type { SessionInputs } from "../../evidence/reader/session/inputs.ts";
import type { UnreadableReason } from "../../evidence/reader/unreadable.ts";
import { type GivenHistory, historyFilesOf } from "./given-history.ts";

/**
 * `fingerprint` is that of the tenant whom the reader expects, null for anyone. `stopped` are files that were given up on
 * in an earlier attempt, by digest. Never throws.
 */
export async function checkHistory(
  { file, content }: GivenHistory,
  fingerprint: string | null,
  stopped: ReadonlyMap<string, UnreadableReason>,
): Promise<NonNullable<SessionInputs["history"]>> {
  const name = file.name ?? "";
  const unread = (reason: UnreadableReason, detail: string) => ({
    file: name,
    tenant: null,
    fingerprint,
    problem: { reason, detail },
  });
  const refused = stopped.get(file.digest) ?? (content instanceof Map ? null : (content as UnreadableReason));
  if (refused !== null) return unread(refused, "");
  try {
    const files = historyFilesOf(folderOf(name), content as ReadonlyMap<string, Blob>);
    return { file: name, tenant: await readHistory(files), fingerprint, problem: null };
  } catch (error) {
    // A file that the device no longer gives up is no history that contradicts itself.
    if (!isDisclosureError(error)) return unread("failed", String(error));
    return unread(error.code === "proof_invalid" ? "history_broken" : "history_malformed", error.message);
  }
}

const folderOf = (name: string): string => name.split("/").slice(0, -1).join("/");
