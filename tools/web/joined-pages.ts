// Pages of one conversation as one entry, so that the page draws the conversation and not its files. The verdicts are those
// of the files: pages stay apart where the whole would come to another one.
import { joinPages } from "../../evidence/reader/conversation-pages.ts";
import type { JoinedPages } from "../../evidence/reader/session/findings.ts";
import type { OpenedSession } from "../../evidence/reader/session/opened-session.ts";
import { judge, worstOf } from "../../evidence/reader/verdict.ts";
import { type CheckedEntry, type EvidenceEntry, isEvidenceEntry } from "./checked.ts";

/** `entries` by the names of their files in the session. */
export async function joinEntries(
  entries: ReadonlyMap<string, CheckedEntry>,
  pages: readonly JoinedPages[],
  session: OpenedSession | null,
): Promise<readonly CheckedEntry[]> {
  const shown = new Map(entries);
  for (const { files } of pages) {
    const parts = files.flatMap((name) => entries.get(name) ?? []).filter(isEvidenceEntry);
    const whole = session === null ? null : await joinOne(parts, session);
    const [first, ...others] = files;
    if (whole === null || first === undefined) continue;
    shown.set(first, whole);
    for (const name of others) shown.delete(name);
  }
  return [...shown.values()];
}

async function joinOne(
  parts: readonly EvidenceEntry[],
  session: OpenedSession,
): Promise<EvidenceEntry | null> {
  const [first, ...others] = parts;
  if (first === undefined) return null;
  let whole = first.evidence;
  for (const { evidence } of others) {
    const joined = whole.kind === "bundle" && evidence.kind === "bundle" ? joinPages(whole, evidence) : null;
    if (joined === null) return null;
    whole = joined;
  }
  const examination = await session.examine(whole);
  const verdict = judge(examination);
  const outcome = worstOf(parts.map((part) => part.verdict.outcome));
  const files = parts.flatMap((part) => part.files);
  return verdict.outcome === outcome ? { ...first, files, evidence: whole, examination, verdict } : null;
}
