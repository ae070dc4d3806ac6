// Reading and checking happen in a worker made of this very script: whatever a file holds, the page stays alive, and
// what takes too long is ended.
import { type Document, type Problem, problem, readDocument, type Subject } from "./documents.ts";
import { type Examination, examine, type Knowledge } from "./examine.ts";
import { MAX_WORK_MS } from "../reader/limits.ts";
import { type AnchorChoice, type Anchors, chooseAnchors } from "./trust.ts";

type Task = { readonly task: "read"; readonly bytes: Uint8Array } | ({ readonly task: "examine" } & Question);

/** What is to be examined, and all that there is to examine it with. */
export interface Question {
  readonly subject: Subject;
  readonly knowledge: Omit<Knowledge, "trustAnchors">;
  readonly choice: AnchorChoice;
}

export interface Answer {
  readonly kind: "answer";
  readonly examination: Examination;
  readonly anchors: Anchors | null;
}

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
export function serveTasks(): void {
  addEventListener("message", ({ data }: MessageEvent<Task>) => {
    const failed = (error: unknown): Document => problem("failed", String(error));
    run(data)
      .catch(failed)
      .then((answer) => postMessage(answer));
  });
}

const run = async (task: Task): Promise<Document | Answer> =>
  task.task === "read" ? readDocument(task.bytes) : answer(task);

async function answer({ subject, knowledge, choice }: Question): Promise<Answer> {
  // Elsewhere browsers verify no signatures: a timestamp is open then, not wrong.
  const anchors = isSecureContext ? await chooseAnchors(subject, choice) : null;
  const examination = await examine(subject, { ...knowledge, trustAnchors: anchors?.der ?? [] });
  return { kind: "answer", examination, anchors };
}

export interface TaskRunner {
  read(bytes: Uint8Array): Promise<Document>;
  examine(question: Question): Promise<Answer | Problem>;
}

/** The page's half: each task in a worker of its own, so that none can spoil the next. */
export function createTaskRunner(script: string): TaskRunner {
  const address = trusted(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  return {
    read: (bytes: Uint8Array) => runInWorker(address, { task: "read", bytes }) as Promise<Document>,
    examine: (question: Question) =>
      runInWorker(address, { task: "examine", ...question }) as Promise<Answer | Problem>,
  };
}

function trusted(address: string): string {
  const policies = (globalThis as { trustedTypes?: ScriptPolicies }).trustedTypes;
  const policy = policies?.createPolicy("worker", { createScriptURL: () => address });
  return policy?.createScriptURL("") ?? address;
}

function runInWorker(address: string, task: Task): Promise<Document | Answer> {
  const worker = new Worker(address);
  let deadline: ReturnType<typeof setTimeout>;
  return new Promise<Document | Answer>((resolve) => {
    deadline = setTimeout(() => resolve(problem("too_slow")), MAX_WORK_MS);
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve(problem("failed", message));
    worker.postMessage(task);
  }).finally(() => {
    clearTimeout(deadline);
    worker.terminate();
  });
}
