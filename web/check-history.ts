// Reads and verifies the history that the reader gave, with the code of the command line. The page walks no public log, so
// whether the log has the history's heads stays open.
import { isDisclosureError } from "../core/errors.ts";
import type { TenantHistory } from "../core/verify/verify-history.ts";
import { type Examination, placedChecks } from "../reader/examination.ts";
import { readHistory } from "../reader/history-files.ts";
import type { CompanionEntry, UnreadableEntry } from "./checked.ts";
import type { ProblemReason } from "./given-file.ts";
import { type GivenHistory, historyFilesOf } from "./given-history.ts";
import { entryFor } from "./read-files.ts";

/** A history that holds by itself, or why there is none to hold receipts against. */
export type CheckedHistory =
  | { readonly given: GivenHistory; readonly tenant: TenantHistory }
  | UnreadableEntry;

/** `fingerprint` is that of the tenant whom the reader expects, null for anyone. `stopped` are files that were given up on in an earlier attempt, by digest. Never throws. */
export async function checkHistory(
  given: GivenHistory,
  fingerprint: string | null,
  stopped: ReadonlyMap<string, ProblemReason>,
): Promise<CheckedHistory> {
  const { file, content } = given;
  const refused = stopped.get(file.digest) ?? (content instanceof Map ? null : (content as ProblemReason));
  if (refused !== null) return entryFor(file, refused);
  try {
    const files = historyFilesOf(folderOf(file.name), content as ReadonlyMap<string, Blob>);
    const { chains, tenantAnchor } = await readHistory(files);
    return { given, tenant: { chains, tenantAnchor, publicHeads: new Map(), fingerprint } };
  } catch (error) {
    // A file that the device no longer gives up is no history that contradicts itself.
    if (!isDisclosureError(error)) return entryFor(file, "failed", String(error));
    const isBroken = error.code === "proof_invalid";
    return entryFor(file, isBroken ? "history_broken" : "history_malformed", error.message);
  }
}

/** A history is a stray where there are receipts, and it tells of none of them. */
export function historyEntry(
  checked: CheckedHistory,
  examinations: readonly Examination[],
): CompanionEntry | UnreadableEntry {
  if ("kind" in checked) return checked;
  const checks = examinations.flatMap(placedChecks).filter(({ name }) => name === "chain_history");
  const isStray = checks.length > 0 && checks.every(({ ok }) => ok === null);
  return { kind: "history", files: [checked.given.file], isStray };
}

const folderOf = (name: string | null): string => (name ?? "").split("/").slice(0, -1).join("/");
