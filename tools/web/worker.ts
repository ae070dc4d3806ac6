// Everything is read and checked in a worker made of this very script: whatever a file holds, the page stays alive, and
// what takes too long is ended.

import type { UnreadableReason } from "../../evidence/reader/unreadable.ts";
import { checkFiles, type Question } from "./check-files.ts";
import type { Checked } from "./checked.ts";
import { fetchAnchors, openOrigin } from "./origin.ts";

/** One piece of evidence takes seconds; what takes longer is made to take long. */
const MAX_WORK_MS = 60_000;

/** The worker's reports: the files that it is about to examine, by digest, and at last its findings. */
type WorkerReport = { readonly begun: readonly string[] } | { readonly checked: Checked };

/** A worker's address is a sink for scripts, so the policy names the one thing that may be put there. */
interface ScriptPolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

/** The worker's half. */
export function serveQuestions(): void {
  const report = (news: WorkerReport): void => postMessage(news);
  addEventListener("message", ({ data }: MessageEvent<Question>) => {
    answer(data, (begun) => report({ begun })).then(
      (checked) => report({ checked }),
      // The page learns of it as of any error in a worker.
      (error: unknown) => reportError(error),
    );
  });
}

function answer(question: Question, onBegin: (digests: readonly string[]) => void): Promise<Checked> {
  const { origin } = question;
  let begun: readonly string[] = [];
  const begin = (digests: readonly string[]): void => {
    begun = digests;
    onBegin(digests);
  };
  const surroundings = {
    metachain: origin === null ? null : openOrigin(origin, () => onBegin(begun)),
    fetchAnchors: async () => (origin === null ? [] : fetchAnchors(origin)),
    isSecure: isSecureContext,
  };
  return checkFiles(question, surroundings, begin);
}

/** `signal` ends a check that nobody waits for any more; then its answer is null. */
export type Checker = (question: Question, signal: AbortSignal) => Promise<Checked | null>;

/** The page's half. Each attempt has a worker of its own; one that hangs is ended, and goes on without the file. */
export function createChecker(script: string): Checker {
  const address = trusted(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  return (question, signal) =>
    checkWithout(new Map(), question, (asked) => runInWorker(address, asked, signal));
}

/** `run` gives the files under way where it had to stop, and null where nobody waits. Each attempt leaves out more. */
export async function checkWithout(
  stopped: ReadonlyMap<string, UnreadableReason>,
  question: Question,
  run: (question: Question) => Promise<Checked | Stopped | null>,
): Promise<Checked | null> {
  const answer = await run({ ...question, stopped });
  if (answer === null || !("reason" in answer)) return answer;
  const { reason, begun } = answer;
  const left = [...question.files, ...(question.history === null ? [] : [question.history.file])]
    .map(({ digest }) => digest)
    .filter((digest) => digest !== "" && !stopped.has(digest));
  if (left.length === 0) return nothingChecked(question, stopped);
  // Where it stopped between files, none of them can be said to be good.
  const blamed = begun.length > 0 ? begun : left;
  return checkWithout(
    new Map([...stopped, ...blamed.map((digest) => [digest, reason] as const)]),
    question,
    run,
  );
}

/** Says of every file why it was not checked: here nothing is left that could keep a program busy. */
const nothingChecked = (
  question: Question,
  stopped: ReadonlyMap<string, UnreadableReason>,
): Promise<Checked> =>
  checkFiles(
    { ...question, stopped },
    { metachain: null, fetchAnchors: async () => [], isSecure: false },
    () => {},
  );

/** A worker that was ended, and the files that it was examining, by digest. */
export interface Stopped {
  readonly reason: "too_slow" | "failed";
  readonly begun: readonly string[];
}

function runInWorker(
  address: string,
  question: Question,
  signal: AbortSignal,
): Promise<Checked | Stopped | null> {
  if (signal.aborted) return Promise.resolve(null);
  const worker = new Worker(address);
  let begun: readonly string[] = [];
  let deadline: ReturnType<typeof setTimeout> | undefined;
  return new Promise<Checked | Stopped | null>((resolve) => {
    signal.addEventListener("abort", () => resolve(null), { once: true });
    const wait = (): void => {
      clearTimeout(deadline);
      deadline = setTimeout(() => resolve({ reason: "too_slow", begun }), MAX_WORK_MS);
    };
    worker.onmessage = ({ data }: MessageEvent<WorkerReport>) => {
      if ("checked" in data) return resolve(data.checked);
      begun = data.begun;
      wait();
    };
    worker.onerror = () => resolve({ reason: "failed", begun });
    wait();
    worker.postMessage(question);
  }).finally(() => {
    clearTimeout(deadline);
    worker.terminate();
  });
}

function trusted(address: string): string {
  const policies = (globalThis as { trustedTypes?: ScriptPolicies }).trustedTypes;
  const policy = policies?.createPolicy("worker", { createScriptURL: () => address });
  return policy?.createScriptURL("") ?? address;
}
