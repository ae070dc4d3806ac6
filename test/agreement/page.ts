// The page's word on a row: everything that its worker does with the files, without the browser around it.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fullName } from "../../evidence/core/verify/check.ts";
import { placedChecks } from "../../evidence/reader/examination.ts";
import { checkFiles } from "../../tools/web/check-files.ts";
import { isEvidenceEntry } from "../../tools/web/checked.ts";
import { type TakenFile, takeFile } from "../../tools/web/given-file.ts";
import { sourceOf } from "./reader.ts";
import { type Row, UNREADABLE, type Verdict, verdictOf } from "./rows.ts";

export async function askPage(row: Row): Promise<Verdict> {
  const { file, request, anchors, policy, layers = [] } = row;
  const files = [file, request, anchors, policy, ...layers].filter((path) => path !== undefined);
  const question = {
    files: await Promise.all(files.map(given)),
    history: null,
    origin: null,
    fingerprint: null,
    isSample: false,
    checkedAt: new Date(row.now),
    stopped: new Map(),
  };
  const { source } = sourceOf(row);
  const surroundings = {
    metachain:
      source === undefined ? null : { ...source, logFile: async () => null, layer: async () => null },
    fetchAnchors: async () => [],
    // The page has certificates of known authorities, which the others leave out here: without HTTPS it uses none.
    isSecure: row.anchors !== undefined,
  };
  const { entries } = await checkFiles(question, surroundings, () => {});
  const entry = entries.find(isEvidenceEntry);
  if (entry === undefined) return UNREADABLE;
  // A root that somebody hands on is compared with the published one, about which a row of a seal says nothing.
  const compared = placedChecks(entry.examination).filter(
    ({ name }) => row.kind !== "seal" || name !== "published_root",
  );
  const namesOf = (ok: boolean | null) => compared.filter((check) => check.ok === ok).map(fullName);
  const [failing, unmade] = [namesOf(false), namesOf(null)];
  if (entry.examination.unavailable !== null) return { verdict: "unreadable", failing, unmade };
  return row.kind === "seal"
    ? verdictOf(failing, unmade)
    : { verdict: entry.verdict.outcome, failing, unmade };
}

const given = (path: string): Promise<TakenFile> => {
  const bytes = new Uint8Array(readFileSync(path));
  return takeFile({ name: basename(path), size: bytes.length, read: async () => bytes }, bytes.length);
};
