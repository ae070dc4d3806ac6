// Checks the files that the reader gave to the page: the session that every program of a reader runs, with what a browser
// can do and the page's own origin around it.
import { isEd25519Known } from "../../evidence/core/log/ed25519.ts";
import { knownTrustAnchors } from "../../evidence/reader/anchors.ts";
import { parseDocument } from "../../evidence/reader/evidence.ts";
import type { LogSource, MetachainSource } from "../../evidence/reader/metachain.ts";
import type { LayerSource } from "../../evidence/reader/policy-layers.ts";
import type { FileFinding, SessionFindings } from "../../evidence/reader/session/findings.ts";
import { type Companions, NO_COMPANIONS } from "../../evidence/reader/session/given.ts";
import type { SessionInputs } from "../../evidence/reader/session/inputs.ts";
import type { Examined, OpenedSession } from "../../evidence/reader/session/opened-session.ts";
import { runSession } from "../../evidence/reader/session/session.ts";
import { type UnreadableReason, unreadable } from "../../evidence/reader/unreadable.ts";
import { checkHistory } from "./check-history.ts";
import type { Checked, CheckedEntry, EvidenceEntry, FileFacts } from "./checked.ts";
import type { TakenFile } from "./given-file.ts";
import type { GivenHistory } from "./given-history.ts";
import { joinEntries } from "./joined-pages.ts";
import { namedFiles } from "./named-files.ts";

/** A phone may be asked to load this many roots, of some 10 KB each, on the way to a newer timestamp. */
const MAX_STEPS = 300;

/** Everything that is to be checked, and by what. It is posted to the worker. */
export interface Question {
  readonly files: readonly TakenFile[];
  /** Null where the reader gave none. */
  readonly history: GivenHistory | null;
  /** The fingerprint of the tenant whose history the reader expects; null where none was given. */
  readonly fingerprint: string | null;
  /** The origin that serves this page; null for a saved page, and for an example. */
  readonly origin: string | null;
  readonly isSample: boolean;
  readonly checkedAt: Date;
  /** Files that took too long in an earlier attempt, by digest. */
  readonly stopped: ReadonlyMap<string, UnreadableReason>;
}

/** The world as the check needs it. */
export interface Surroundings {
  /** Null where nobody can be asked for published roots. */
  readonly metachain: (MetachainSource & LogSource & LayerSource) | null;
  readonly fetchAnchors: () => Promise<readonly Uint8Array[]>;
  /** Elsewhere browsers verify no signatures: timestamps are open then, not wrong. */
  readonly isSecure: boolean;
}

/** `onBegin` is called with the digests of the files that are about to be examined. */
export async function checkFiles(
  question: Question,
  surroundings: Surroundings,
  onBegin: (digests: readonly string[]) => void,
): Promise<Checked> {
  const files = namedFiles(question.files);
  const inputs = await inputsOf(question, surroundings, files, onBegin);
  const given = [...files].flatMap(([name, file]) =>
    isSeal(file)
      ? []
      : [{ name, isNamed: !file.isInFolder, read: async () => bytesOf(file, question.stopped) }],
  );
  let session: OpenedSession | null = null;
  const findings = await runSession<Examined>(given, inputs, {
    show: (examined, opened) => {
      session = opened;
      return examined;
    },
    // One at a time: where a worker has to be ended, the file that kept it busy is known.
    width: 1,
    onBegin: (name) => onBegin([files.get(name)?.digest ?? ""]),
  });
  onBegin([]);
  const drawn = { files, session, question };
  return {
    entries: [
      ...(await joinEntries(evidenceEntries(findings, drawn), findings.pages, session)),
      ...companionEntries(findings, drawn),
    ],
    together: findings.together,
    summary: findings.summary,
    usedAnchors: findings.usedAnchors,
    metachain: surroundings.metachain?.name ?? null,
    isSecure: surroundings.isSecure,
    fingerprint: question.fingerprint,
    knowsEd25519: inputs.verifiesLogs,
    isSample: question.isSample,
    checkedAt: question.checkedAt,
  };
}

async function inputsOf(
  { history, fingerprint, stopped, checkedAt }: Question,
  { metachain, fetchAnchors, isSecure }: Surroundings,
  files: ReadonlyMap<string, TakenFile>,
  onBegin: (digests: readonly string[]) => void,
): Promise<SessionInputs> {
  if (history !== null) onBegin([history.file.digest]);
  return {
    companions: rootsIn(files),
    // A known authority is taken at its word before the service is.
    anchors: [
      { source: { kind: "known" }, der: knownTrustAnchors },
      { source: { kind: "service" }, der: isSecure ? await fetchAnchors() : [] },
    ],
    areAnchorsDefault: true,
    source: metachain,
    maxSteps: MAX_STEPS,
    walkLog: null,
    history: history === null ? null : await checkHistory(history, fingerprint, stopped),
    text: null,
    now: checkedAt.toISOString(),
    verifiesTimestamps: isSecure,
    verifiesLogs: isSecure && (await isEd25519Known()),
  };
}

/** The roots that the reader added as published. A file that is no root is read like any other. */
const rootsIn = (files: ReadonlyMap<string, TakenFile>): Companions => ({
  ...NO_COMPANIONS,
  seals: [...files].flatMap(([file, given]) => {
    const document = isSeal(given) ? parseDocument(given.content as Uint8Array) : null;
    return document?.kind === "seal" ? [{ file, seal: document.seal }] : [];
  }),
});

function isSeal({ as, content }: TakenFile): boolean {
  if (as !== "seal" || !(content instanceof Uint8Array)) return false;
  try {
    return parseDocument(content).kind === "seal";
  } catch {
    // It is told what is wrong with it where it is read as a file.
    return false;
  }
}

function bytesOf({ content, digest }: TakenFile, stopped: Question["stopped"]): Uint8Array {
  const refused = stopped.get(digest) ?? (content instanceof Uint8Array ? null : content);
  if (refused === null) return content as Uint8Array;
  throw unreadable(refused, "");
}

interface Drawn {
  readonly files: ReadonlyMap<string, TakenFile>;
  /** Null where no evidence was examined. */
  readonly session: OpenedSession | null;
  readonly question: Question;
}

const factsOf = ({ files, question: { history } }: Drawn, name: string): FileFacts => {
  const { name: own, size, digest } = files.get(name) ?? history?.file ?? { name, size: 0, digest: "" };
  return { name: own, size, digest };
};

const evidenceEntries = ({ files }: SessionFindings<Examined>, drawn: Drawn): Map<string, CheckedEntry> =>
  new Map(files.map((finding) => [finding.file, entryOf(finding, drawn)]));

const companionEntries = ({ companions }: SessionFindings<Examined>, drawn: Drawn): CheckedEntry[] =>
  companions.map(({ kind, file, use }) => ({ kind, files: [factsOf(drawn, file)], use }));

function entryOf({ file, shown, problem, fork, outcome }: FileFinding<Examined>, drawn: Drawn): CheckedEntry {
  const files = [factsOf(drawn, file)];
  if (shown !== null) return evidenceEntry(shown, files, drawn);
  return {
    kind: "unreadable",
    files,
    outcome: outcome === "does_not_hold" ? "does_not_hold" : "unreadable",
    problem: problem ?? { reason: "fork", detail: "" },
    fork,
  };
}

function evidenceEntry(
  { evidence, examination, verdict }: Examined,
  files: readonly FileFacts[],
  drawn: Drawn,
): EvidenceEntry {
  const isLone = evidence.kind !== "seal" && evidence.kind !== "bundle";
  const [receipt] = isLone ? (evidence.receipt.receipts ?? []) : [];
  const found = receipt === undefined ? undefined : drawn.session?.requests.get(receipt.input_hash);
  const request = found === undefined ? null : { ...factsOf(drawn, found.file), value: found.request };
  return { kind: evidence.kind, files, evidence, examination, verdict, request };
}
