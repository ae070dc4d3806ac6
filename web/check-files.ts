// Checks all files of a session, each by itself and then against each other, as the command line does.
import { isEd25519Known } from "../core/log/ed25519.ts";
import { TimestampVerifier } from "../core/timestamps/timestamp-verifier.ts";
import type { TenantHistory } from "../core/verify/verify-history.ts";
import { Checkpoints } from "../reader/checkpoints.ts";
import { CrossCheck } from "../reader/cross-check.ts";
import type { Examination } from "../reader/examination.ts";
import { Examiner } from "../reader/examine.ts";
import type { ReaderInputs } from "../reader/inputs.ts";
import type { LogSource, MetachainSource } from "../reader/metachain.ts";
import { type LayerSource, PolicyLayers } from "../reader/policy-layers.ts";
import { PublishedSeals } from "../reader/published-seals.ts";
import { judge, judgeChecks } from "../reader/verdict.ts";
import { type Anchors, chooseAnchors, usedAnchors } from "./anchors.ts";
import { type CheckedHistory, checkHistory, historyEntry } from "./check-history.ts";
import {
  type Checked,
  type CrossChecked,
  type EvidenceEntry,
  leadsTo,
  type UnreadableEntry,
} from "./checked.ts";
import { companionEntries, isStray, policyIn } from "./companion-entries.ts";
import type { GivenFile, ProblemReason } from "./given-file.ts";
import type { GivenHistory } from "./given-history.ts";
import { belongsTo, entryFor, givenSeals, type Piece, type ReadFiles, readFiles } from "./read-files.ts";

/** A phone may be asked to load this many roots, of some 10 KB each, on the way to a newer timestamp. */
const MAX_STEPS = 300;

/** Everything that is to be checked, and by what. It is posted to the worker. */
export interface Question {
  readonly files: readonly GivenFile[];
  /** Null where the reader gave none. */
  readonly history: GivenHistory | null;
  /** The fingerprint of the tenant whose history the reader expects; null where none was given. */
  readonly fingerprint: string | null;
  /** The origin that serves this page; null for a saved page, and for an example. */
  readonly origin: string | null;
  readonly isSample: boolean;
  readonly checkedAt: Date;
  /** Files that took too long in an earlier attempt, by digest. */
  readonly stopped: ReadonlyMap<string, ProblemReason>;
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
  const read = readFiles(question.files, question.stopped);
  const anchors = surroundings.isSecure ? await chooseAnchors(read.anchors, surroundings.fetchAnchors) : [];
  const history = await readGivenHistory(question, onBegin);
  const tenant = history !== null && "tenant" in history ? history.tenant : null;
  const knowsEd25519 = surroundings.isSecure && (await isEd25519Known());
  const examine = examinerOf(read, question, surroundings, { anchors, tenant, knowsEd25519 });
  const examined = await examineAll(read, examine, onBegin);
  onBegin([]);
  const entries = examined.filter((entry) => entry.kind !== "unreadable");
  const examinations = entries.map(({ examination }) => examination);
  return {
    entries: [
      ...examined,
      ...companionEntries(read, examinations),
      ...(history === null ? [] : [historyEntry(history, examinations)]),
      ...read.unreadable,
    ],
    together: await checkTogether(entries),
    usedAnchors: usedAnchors(anchors, examinations),
    metachain: surroundings.metachain?.name ?? null,
    isSecure: surroundings.isSecure,
    fingerprint: question.fingerprint,
    knowsEd25519,
    isSample: question.isSample,
    checkedAt: question.checkedAt,
  };
}

function readGivenHistory(
  { history, fingerprint, stopped }: Question,
  onBegin: (digests: readonly string[]) => void,
): Promise<CheckedHistory | null> {
  if (history === null) return Promise.resolve(null);
  onBegin([history.file.digest]);
  return checkHistory(history, fingerprint, stopped);
}

/** The context that all pieces are held against. */
interface Against {
  readonly anchors: readonly Anchors[];
  readonly tenant: TenantHistory | null;
  /** Where the browser knows no Ed25519, the signatures of logs are left unchecked, and the page says so. */
  readonly knowsEd25519: boolean;
}

type Examine = (piece: Piece) => Promise<Examination>;

/** Tokens and published roots are read once, however many files lead to them. */
function examinerOf(
  read: ReadFiles,
  { checkedAt }: Question,
  { metachain }: Surroundings,
  { anchors, tenant, knowsEd25519 }: Against,
): Examine {
  const published = new PublishedSeals(metachain, { given: givenSeals(read.pieces), maxSteps: MAX_STEPS });
  const trustAnchors = new TimestampVerifier(anchors.flatMap(({ der }) => der));
  const now = checkedAt.toISOString();
  const layers = new PolicyLayers(
    metachain,
    read.layers.map(({ layer }) => layer),
  );
  const inputs = {
    published,
    layers,
    trustAnchors,
    now,
    ...(knowsEd25519 && signatureInputs(read, metachain)),
    ...(tenant !== null && { history: tenant }),
  };
  // One that belongs to another receipt here is no stray of this one.
  const stray = read.requests.find((request) => isStray(request, read.pieces));
  return ({ evidence }) => {
    const own = read.requests.filter((each) => belongsTo(each, evidence));
    const requests = own.length > 0 || stray === undefined ? own : [stray];
    return new Examiner({ requests: requests.map(({ value }) => value), ...inputs }).examine(evidence);
  };
}

/** The log's signatures are checked under the key or the policy that the reader added. */
function signatureInputs(
  read: ReadFiles,
  metachain: Surroundings["metachain"],
): Pick<ReaderInputs, "checkpoints" | "coseReceipts"> {
  const policy = policyIn(read)?.policy ?? null;
  const receipts = read.coseReceipts.map(({ coseReceipt }) => coseReceipt);
  return {
    ...(policy !== null && { checkpoints: new Checkpoints(policy, metachain) }),
    ...(receipts.length > 0 && { coseReceipts: { receipts, policy } }),
  };
}

async function examineAll(
  read: ReadFiles,
  examine: Examine,
  onBegin: (digests: readonly string[]) => void,
): Promise<(EvidenceEntry | UnreadableEntry)[]> {
  const entries: (EvidenceEntry | UnreadableEntry)[] = [];
  for (const piece of read.pieces) {
    onBegin(piece.files.map(({ digest }) => digest));
    entries.push(await examinePiece(piece, read, examine));
  }
  return entries;
}

async function examinePiece(
  piece: Piece,
  { pieces, requests }: ReadFiles,
  examine: Examine,
): Promise<EvidenceEntry | UnreadableEntry> {
  const { evidence, files } = piece;
  try {
    const examination = await examine(piece);
    const isCompanion =
      evidence.kind === "seal" && pieces.some((other) => leadsTo(other.evidence, evidence.seal.index));
    return {
      kind: evidence.kind,
      files,
      evidence,
      examination,
      verdict: judge(examination),
      request: requests.find((request) => belongsTo(request, evidence)) ?? null,
      isCompanion,
    };
  } catch (error) {
    // A fault in the program must neither hide the other files nor leave this one looking good.
    const [first = { name: null, size: 0, digest: "" }] = files;
    return { ...entryFor(first, "failed", String(error)), files };
  }
}

/** Only evidence that holds by itself can contradict another. Null where there is nothing to compare. */
async function checkTogether(entries: readonly EvidenceEntry[]): Promise<CrossChecked | null> {
  const all = new CrossCheck();
  for (const { verdict, evidence, files } of entries) {
    if (verdict.outcome !== "does_not_hold")
      all.add(evidence, files.map(({ name, digest }) => name ?? digest).join(", "));
  }
  if (!all.isComparable) return null;
  const { checks } = await all.verify();
  const placed = checks.map((check) => ({ ...check, place: "" }));
  return { outcome: judgeChecks(placed).outcome, checks: placed };
}
