// A set of files in the package's hands, and in those of the page's worker, without the browser around it.
import { readFileSync } from "node:fs";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { placedChecks } from "../../evidence/reader/examination.ts";
import { verifyFiles } from "../../evidence/reader/index.ts";
import type { LogSource, MetachainSource } from "../../evidence/reader/metachain.ts";
import type { LayerSource } from "../../evidence/reader/policy-layers.ts";
import { checkFiles } from "../../tools/web/check-files.ts";
import {
  type Checked,
  isCompanionEntry,
  isEvidenceEntry,
  outcomeOf,
  overviewOf,
} from "../../tools/web/checked.ts";
import { type GivenAs, type TakenFile, takeFile } from "../../tools/web/given-file.ts";
import { takeFolder } from "../../tools/web/given-history.ts";
import { filesIn } from "../support/derived-vectors.ts";
import { evidenceFile, listLacking } from "./rows.ts";
import { filesOf, type GivenCopy, pathOf, type Said, type SetRow, saidOf } from "./sets.ts";

const bytesOf = (file: string): Uint8Array => new Uint8Array(readFileSync(pathOf(file)));
const textOf = (file: string): string => readFileSync(pathOf(file), "utf8");
const jsonOf = (file: string) => JSON.parse(textOf(file));

/** Null where nobody is asked. */
function sourceOf({ published }: SetRow, head: string): (MetachainSource & LogSource & LayerSource) | null {
  if (published === null) return null;
  return {
    name: "the row",
    head: async () => new TextEncoder().encode(head),
    root: async (index) => {
      const file = published[index] ?? null;
      return file === null ? null : bytesOf(file);
    },
    timestamp: async () => null,
    logFile: async () => null,
    layer: async () => null,
  };
}

/** Named by its place among the options, or as it is. */
const inOptions = ({ seals, requests, layers, policy }: SetRow["options"]) => {
  const lists = { seals, requests, layers };
  const named = Object.entries(lists).flatMap(([option, files]) =>
    files.map((file, i) => [`${option}/${i}`, file] as const),
  );
  return new Map([...named, ["logPolicy", policy ?? ""]]);
};

/** It takes no history. */
export async function askPackage(row: SetRow, head = listLacking(row.published ?? {})): Promise<Said> {
  const { options, now } = row;
  const files = filesOf(row);
  const source = sourceOf(row, head);
  const { files: found, ...told } = await verifyFiles(files, {
    requests: options.requests.map(jsonOf),
    seals: options.seals.map(jsonOf),
    layers: options.layers.map(jsonOf),
    trustAnchors: options.certificates.flatMap((file) => parseCertificatesPem(textOf(file))),
    ...(options.policy !== null && { logPolicy: textOf(options.policy) }),
    ...(options.wording !== null && { wording: options.wording }),
    ...(source !== null && { source }),
    now,
  });
  const names = new Map([...files.map(({ name, file }) => [name, file] as const), ...inOptions(options)]);
  return saidOf(
    { ...told, files: found.map(({ name: file, ...one }) => ({ file, ...one })) },
    (name) => names.get(name) ?? name,
  );
}

/**
 * It takes no text of a wording. Everything else is a file that the reader adds, and the history a folder. `joined` are the
 * pages that it draws as one conversation: of each of these it shows the outcome alone.
 */
export async function askPage(
  row: SetRow,
  head = listLacking(row.published ?? {}),
): Promise<{ said: Said; joined: ReadonlySet<string> }> {
  const { options, now } = row;
  const added = [...options.requests, ...options.layers, ...options.certificates].map((file) => named(file));
  const given = [
    ...added,
    ...filesOf(row),
    ...(options.policy === null ? [] : [named(options.policy, "log_policy")]),
    ...options.seals.map((file) => named(file, "seal")),
  ];
  const question = {
    files: await Promise.all(given.map(taken)),
    history: options.history === null ? null : await historyIn(options.history),
    origin: null,
    fingerprint: options.tenant,
    isSample: false,
    checkedAt: new Date(now),
    stopped: new Map(),
  };
  const surroundings = { metachain: sourceOf(row, head), fetchAnchors: async () => [], isSecure: true };
  const checked = await checkFiles(question, surroundings, () => {});
  const names = new Map([
    ...given.map(({ name, file }) => [name, file] as const),
    [HISTORY_INDEX, options.history ?? HISTORY_INDEX],
  ]);
  const fileOf = (name: string): string => names.get(name) ?? name;
  const joined = checked.entries.filter(isEvidenceEntry).filter(({ files }) => files.length > 1);
  return {
    said: saidOf(toldOf(checked, [...names.keys()]), fileOf),
    joined: new Set(joined.flatMap(({ files }) => files.map(({ name }) => fileOf(name ?? "")))),
  };
}

/** The outcome of a joined page, and nothing of its checks. */
export const withoutChecks = (said: Said, joined: ReadonlySet<string>): Said => ({
  ...said,
  files: said.files.map((one) => (joined.has(one.file) ? { ...one, failing: [], open: {} } : one)),
});

/** The page always brings the certificates of known authorities along: without a reader's own, those are others'. */
export function onThePage({ options, files, expected }: SetRow): Said {
  const { exit: _exit, ...said } = expected;
  const named = files.some(({ file, in_folder }) => !in_folder && file.endsWith(".pem"));
  if (options.certificates.length > 0 || named) return said;
  return JSON.parse(JSON.stringify(said).replaceAll('"no_anchor"', '"other_authority"'));
}

interface Added extends GivenCopy {
  readonly as?: GivenAs;
}

const named = (file: string, as?: GivenAs): Added => ({
  file,
  name: as === undefined ? file : `${as} ${file}`,
  bytes: bytesOf(file),
  isInFolder: false,
  ...(as !== undefined && { as }),
});

const taken = ({ name, bytes, isInFolder, as }: Added): Promise<TakenFile> =>
  takeFile(
    { name, size: bytes.length, read: async () => bytes, isInFolder, ...(as !== undefined && { as }) },
    Number.MAX_SAFE_INTEGER,
  );

const HISTORY_INDEX = "history/history.json";

async function historyIn(folder: string) {
  const top = evidenceFile(folder);
  const files = filesIn(top).map((path) => ({
    path: `history${path.slice(top.length)}`,
    file: new File([new Uint8Array(readFileSync(path))], path),
  }));
  const { history } = await takeFolder({ name: "history", files, problem: null });
  return history;
}

/** In the order in which the files were given: pages that the page joins have one entry. */
function toldOf(checked: Checked, order: readonly string[]) {
  const outcome = overviewOf(checked)?.outcome ?? "unreadable";
  const entries = checked.entries.filter((entry) => !isCompanionEntry(entry));
  const companions = checked.entries
    .filter(isCompanionEntry)
    .flatMap(({ kind, files, use }) => files.map(({ name }) => ({ kind, file: name ?? "", use })));
  return {
    outcome,
    files: entries
      .flatMap((entry) =>
        entry.files.map(({ name }) => ({
          file: name ?? "",
          kind: isEvidenceEntry(entry) ? entry.kind : "fork" in entry && entry.fork !== null ? "fork" : null,
          outcome: outcomeOf(entry) ?? "",
          checks: isEvidenceEntry(entry)
            ? placedChecks(entry.examination).map(({ place, name, ...check }) => ({
                ...check,
                name: place === "" ? name : `${place}/${name}`,
              }))
            : [],
        })),
      )
      .toSorted((a, b) => order.indexOf(a.file) - order.indexOf(b.file)),
    together: checked.together && {
      outcome: checked.together.outcome,
      checks: checked.together.checks,
    },
    strays: companions.filter(({ use }) => use === "stray"),
    companions,
    summary: checked.summary,
  };
}
