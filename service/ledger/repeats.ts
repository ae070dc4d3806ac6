// Repeats of one Idempotency-Key that meet in this process: they share the way of the first one to the ledger. A flood of
// them costs one transaction, and holds up no other call of the chain.
import type { Submission } from "./append-plan.ts";
import type { Appended } from "./appended.ts";
import { otherBody } from "./earlier-receipt.ts";

interface UnderWay {
  readonly inputHash: string;
  readonly appended: Promise<Appended>;
}

export class Repeats {
  /** The first use of each key, until it is answered: a crash or a failure leaves nothing to forget. */
  readonly #underWay = new Map<string, UnderWay>();

  /**
   * The outcome of `append`; or, where a submission with the same key and body is under way, that one's: its receipt as
   * a replay, or its error. Throws `idempotency_conflict` where one with another body was under way and is written now.
   */
  async share(submission: Submission, append: () => Promise<Appended>): Promise<Appended> {
    const key = submission.idempotency?.pk.S;
    if (key === undefined) return append();
    const first = this.#underWay.get(key);
    if (first === undefined) return this.#begin(key, submission, append);
    if (first.inputHash === submission.inputHash) return asRepeat(await first.appended);
    if (await isWritten(first)) throw otherBody();
    // The first one failed, which says nothing of this body: the ledger judges it.
    return append();
  }

  async #begin(key: string, { inputHash }: Submission, append: () => Promise<Appended>): Promise<Appended> {
    const appended = append();
    this.#underWay.set(key, { inputHash, appended });
    try {
      return await appended;
    } finally {
      this.#underWay.delete(key);
    }
  }
}

const asRepeat = (first: Appended): Appended => ({
  ...first,
  previousIssuedAt: null,
  isReplay: true,
  lostRaces: 0,
});

const isWritten = ({ appended }: UnderWay): Promise<boolean> =>
  appended.then(
    () => true,
    () => false,
  );
