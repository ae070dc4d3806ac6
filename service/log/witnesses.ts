// Asks the witnesses of the log's policy to cosign a checkpoint, side by side and within one budget. A witness that
// fails is left out: nothing waits for it, and the next checkpoint covers all that this one does.
import type { Meter } from "../../contract/metric-names.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { parseCheckpoint, verifySignaturesBy } from "../../evidence/core/log/checkpoint.ts";
import { type NoteSignature, type SignedNote, signaturesBy } from "../../evidence/core/log/note.ts";
import { isQuorum, type TlogPolicy } from "../../evidence/core/log/tlog-policy.ts";
import { type AskedWitness, askedWitnesses } from "../../evidence/core/log/witness-policy.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";
import { addCheckpoint } from "./add-checkpoint.ts";

/** How long all witnesses together may take. A run of the sealer has time for this after everything else. */
export const WITNESS_BUDGET_MS = 5_000;

export interface CosignRequest {
  /** The checkpoint's text with the log's own signature alone: witnesses read little. */
  readonly note: SignedNote;
  readonly size: number;
  /** The published checkpoint that was signed before, whose lines say what each witness knows; null where none. */
  readonly previous: SignedNote | null;
  /** RFC 9162 section 2.1.4 path from a smaller size, above 0, to `size`. */
  readonly prove: (from: number) => Promise<readonly Uint8Array[]>;
}

export interface CosignOutcome {
  /** One for each witness that cosigned, in the order of the policy; each holds. */
  readonly signatures: readonly NoteSignature[];
  readonly hasQuorum: boolean;
}

/** Called for every witness that did not cosign, by its name in the policy, with the reason. */
export type OnWitnessFailure = (witness: string, error: unknown) => void;

export interface WitnessesOptions {
  readonly policy: TlogPolicy;
  readonly clock: () => Date;
  readonly meter: Meter;
  readonly onFailure: OnWitnessFailure;
  readonly fetch?: typeof globalThis.fetch;
  readonly budgetMs?: number;
}

export class Witnesses {
  readonly #options: WitnessesOptions;
  readonly #asked: readonly AskedWitness[];

  constructor(options: WitnessesOptions) {
    this.#options = options;
    this.#asked = askedWitnesses(options.policy);
  }

  /** Never throws, and never takes longer than the budget. */
  async cosign(request: CosignRequest): Promise<CosignOutcome> {
    const { policy, meter, budgetMs = WITNESS_BUDGET_MS } = this.#options;
    const signal = AbortSignal.timeout(budgetMs);
    // Several witnesses know the same size, as a rule: its path is read once.
    const proving = { ...request, prove: once(request.prove) };
    const answers = await Promise.all(this.#asked.map((witness) => this.#ask(witness, proving, signal)));
    const signatures = answers.filter((signature) => signature !== null);
    const names = this.#asked.filter((_, at) => answers[at] !== null).map(({ name }) => name);
    const hasQuorum = isQuorum(policy, new Set(names));
    meter("cosignatures", signatures.length);
    meter("missedQuorums", hasQuorum ? 0 : 1);
    return { signatures, hasQuorum };
  }

  async #ask(
    witness: AskedWitness,
    request: CosignRequest,
    signal: AbortSignal,
  ): Promise<NoteSignature | null> {
    const { clock, fetch = globalThis.fetch, meter, onFailure } = this.#options;
    try {
      return await before(signal, askWitness(witness, request, { clock, fetch, signal }));
    } catch (error) {
      if (isDisclosureError(error, "publication_conflict")) meter("largerTrees", 1);
      onFailure(witness.name, error);
      return null;
    }
  }
}

interface Asking {
  readonly clock: () => Date;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** The first guess may be wrong, and the answer says so; a witness that then changes its mind again is left out. */
async function askWitness(
  witness: AskedWitness,
  request: CosignRequest,
  asking: Asking,
): Promise<NoteSignature> {
  const first = await submit(witness, request, guessSize(witness, request), asking);
  if ("signatures" in first) return chooseSignature(witness, request, first.signatures, asking);
  requireSmaller(first.size, request.size);
  const second = await submit(witness, request, first.size, asking);
  if ("signatures" in second) return chooseSignature(witness, request, second.signatures, asking);
  requireSmaller(second.size, request.size);
  throw new DisclosureError("witness_failed", "the witness named one size, then another", {
    expected: first.size,
    actual: second.size,
  });
}

async function submit({ url }: AskedWitness, request: CosignRequest, old: number, asking: Asking) {
  const { note, size, prove } = request;
  const proof = old === 0 || old === size ? [] : await prove(old);
  return addCheckpoint(url, { old, proof, note }, asking);
}

/** A witness knows what it cosigned last. One that missed the checkpoint before corrects the guess. */
function guessSize({ key }: AskedWitness, { previous, size }: CosignRequest): number {
  if (previous === null || signaturesBy(previous, key).length === 0) return 0;
  const known = parseCheckpoint(previous.text).size;
  return known <= size ? known : 0;
}

/** A larger tree under our signature means that somebody else signs with our key, or that our table was set back. */
function requireSmaller(theirs: number, ours: number): void {
  if (theirs <= ours) return;
  throw new DisclosureError("publication_conflict", "a witness has cosigned a larger tree of this log", {
    expected: ours,
    actual: theirs,
  });
}

/** The newest of the witness's own lines that hold; lines of other keys mean nothing to us. */
async function chooseSignature(
  { key }: AskedWitness,
  { note: { text } }: CosignRequest,
  lines: readonly NoteSignature[],
  { clock }: Asking,
): Promise<NoteSignature> {
  const own = signaturesBy({ text, signatures: lines }, key);
  const dated = await Promise.all(own.map(async (line) => ({ line, time: await timeOf(text, line, key) })));
  const now = clock().getTime();
  const [newest] = dated
    .filter(({ time }) => Math.abs(time - now) <= MAX_CLOCK_DIFFERENCE_MS)
    .toSorted((a, b) => b.time - a.time);
  if (newest !== undefined) return newest.line;
  throw new DisclosureError("witness_failed", "the answer has no cosignature of this witness and time", {
    lines: lines.length,
    own: own.length,
    times: dated.map(({ time }) => time),
  });
}

/** NaN for a signature that does not hold. */
async function timeOf(text: string, line: NoteSignature, key: AskedWitness["key"]): Promise<number> {
  try {
    const [time] = await verifySignaturesBy({ text, signatures: [line] }, key);
    return time?.getTime() ?? Number.NaN;
  } catch (error) {
    if (isDisclosureError(error)) return Number.NaN;
    throw error;
  }
}

/** Calls `read` once for each size. */
function once(read: CosignRequest["prove"]): CosignRequest["prove"] {
  const known = new Map<number, ReturnType<CosignRequest["prove"]>>();
  return (from) => {
    const reading = known.get(from) ?? read(from);
    known.set(from, reading);
    return reading;
  };
}

/** Rejects when the signal fires, whatever `work` is waiting for then. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () =>
      reject(new DisclosureError("witness_failed", "the witness did not answer in time")),
    );
  });
  return Promise.race([work, ended]);
}
