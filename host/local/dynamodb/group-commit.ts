// Writes that arrive together share a wait for the disk: each waits at most for the group before its own.
import { DynamoDbError } from "./errors.ts";
import type { Store } from "./store.ts";

interface WaitingRequest {
  readonly run: () => string;
  readonly resolve: (answer: string) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit {
  readonly #store: Store;
  #waiting: WaitingRequest[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Runs a write in the next group, after those that were given before. Settles once the group is on disk: a crash before
   * that leaves none of the group's writes, and none was answered. `run` refuses by a DynamoDbError before it writes.
   */
  write(run: () => string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    // All requests that are here already are read before the group begins.
    if (this.#waiting.length === 0) setImmediate(() => this.#commit());
    this.#waiting.push({ run, resolve, reject });
    return promise;
  }

  #commit(): void {
    const group = this.#waiting;
    this.#waiting = [];
    try {
      const answers: (() => void)[] = [];
      this.#store.asOne(() => {
        for (const waiting of group) answers.push(answerOf(waiting));
      });
      for (const answer of answers) answer();
    } catch (error) {
      // The disk refused the group, or a write failed by a fault of ours: none of the group was written.
      for (const { reject } of group) reject(error);
    }
  }
}

/** Runs the write. Its answer, or its refusal, is given later. */
function answerOf({ run, resolve, reject }: WaitingRequest): () => void {
  try {
    const answer = run();
    return () => resolve(answer);
  } catch (error) {
    if (!(error instanceof DynamoDbError)) throw error;
    return () => reject(error);
  }
}
