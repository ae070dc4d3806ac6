// A session: from a set of files to everything that is said about them. The command line, the page and the package read
// files and draw; what belongs to what, what holds together, what is missing and the outcome are decided here, once.
// docs/receipt-format.md, section "Many files", says the same for other implementers.
import { verifyFork } from "../../core/log/fork.ts";
import type { TlogPolicy } from "../../core/log/tlog-policy.ts";
import { formatNode } from "../../core/merkle/hash.ts";
import { placedChecks } from "../examination.ts";
import { inOrder } from "../in-order.ts";
import { type Problem, problemOf } from "../unreadable.ts";
import { judge } from "../verdict.ts";
import type { FileFinding, SessionFindings } from "./findings.ts";
import type { GivenFile } from "./given.ts";
import type { SessionHistory, SessionInputs } from "./inputs.ts";
import { type Examined, type OpenedSession, openSession } from "./opened-session.ts";
import type { EvidenceFile, SortedFile } from "./sort.ts";
import { Together } from "./together.ts";

/** What a program adds. `show` says what it keeps of each piece to draw it: many pieces would not fit into memory. */
export interface SessionProgram<T> {
  readonly show: (examined: Examined, session: OpenedSession) => T;
  /** Pieces that are examined at a time. */
  readonly width: number;
  readonly onBegin?: (file: string) => void;
  readonly onDone?: () => void;
}

/** Throws for no content of any file; a fault of the program costs the file at which it shows. */
export async function runSession<T>(
  files: readonly GivenFile[],
  inputs: SessionInputs,
  program: SessionProgram<T>,
): Promise<SessionFindings<T>> {
  const session = await openSession(files, inputs);
  const together = new Together(session.companions.requests);
  const findings: FileFinding<T>[] = [];
  const work = (one: SortedFile) => workOn(one, session, program);
  for await (const { finding, examined } of inOrder(session.sorted, program.width, work)) {
    if (examined !== null) together.add(examined);
    if (finding !== null) findings.push(finding);
  }
  const names = new Set(session.sorted.flatMap((one) => ("companions" in one ? [one.file] : [])));
  const ofOptions = [...session.problems].filter(([file]) => !names.has(file));
  findings.push(...ofOptions.map(([file, problem]) => unreadableFinding<T>(file, problem)));
  if (inputs.history !== null) findings.push(...historyFindings<T>(inputs.history));
  return together.conclude(findings, session, inputs.text);
}

interface Worked<T> {
  /** Null for a companion, which has no verdict of its own. */
  readonly finding: FileFinding<T> | null;
  readonly examined: Examined | null;
}

async function workOn<T>(
  one: SortedFile,
  session: OpenedSession,
  program: SessionProgram<T>,
): Promise<Worked<T>> {
  const problem = problemWith(one, session);
  if (problem !== null) return { finding: unreadableFinding(one.file, problem), examined: null };
  if ("fork" in one)
    return { finding: await examineFork(one, session.policy?.policy ?? null), examined: null };
  return "read" in one ? examineFile(one, session, program) : { finding: null, examined: null };
}

/** A companion that contradicts another has a problem; evidence of the same name, which an option gave, has none. */
function problemWith(one: SortedFile, { problems }: OpenedSession): Problem | null {
  if ("problem" in one) return one.problem;
  return "companions" in one ? (problems.get(one.file) ?? null) : null;
}

async function examineFile<T>(
  { file, read }: EvidenceFile,
  session: OpenedSession,
  program: SessionProgram<T>,
): Promise<Worked<T>> {
  program.onBegin?.(file);
  try {
    const evidence = await read();
    const examination = await session.examine(evidence);
    const verdict = judge(examination);
    const examined = { file, evidence, examination, verdict };
    const { kind, unavailable } = examination;
    const checks = placedChecks(examination);
    const shown = program.show(examined, session);
    return {
      finding: { ...NOTHING, file, kind, outcome: verdict.outcome, checks, unavailable, shown },
      examined,
    };
  } catch (error) {
    return { finding: unreadableFinding(file, problemOf(error)), examined: null };
  } finally {
    program.onDone?.();
  }
}

/** A fork that is confirmed is no evidence of any receipt, and says of the log that it is not to be believed. */
async function examineFork<T>(
  { file, fork }: Extract<SortedFile, { fork: unknown }>,
  policy: TlogPolicy | null,
): Promise<FileFinding<T>> {
  if (policy === null)
    return unreadableFinding(file, {
      reason: "fork",
      detail: "a proof of a fork is confirmed under the log's key: --log-key VKEY, or --policy FILE",
    });
  try {
    const { origin, smaller, larger } = await verifyFork(fork, policy);
    const trees = [smaller, larger].map(({ size, root }) => ({ size, root: formatNode(root) }));
    return { ...NOTHING, file, kind: "fork", outcome: "does_not_hold", fork: { origin, trees } };
  } catch (error) {
    return unreadableFinding(file, problemOf(error));
  }
}

/** A history that contradicts itself is shown to be false; one that is damaged says nothing. */
function historyFindings<T>({ file, problem }: SessionHistory): FileFinding<T>[] {
  if (problem === null) return [];
  const found = unreadableFinding<T>(file, problem);
  return [problem.reason === "history_broken" ? { ...found, outcome: "does_not_hold" } : found];
}

const NOTHING = { checks: [], problem: null, fork: null, unavailable: null, shown: null } as const;

const unreadableFinding = <T>(file: string, problem: Problem): FileFinding<T> => ({
  ...NOTHING,
  file,
  kind: null,
  outcome: "unreadable",
  problem,
});
