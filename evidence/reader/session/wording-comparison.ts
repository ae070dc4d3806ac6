// Compares a text that the reader has with the wordings that receipts name by their digests.
import type { Examination } from "../examination.ts";
import { isFilledFrom, isTextOf, type ShownWording } from "../wording.ts";
import type { Comparison } from "./findings.ts";

interface AttestedWording {
  readonly file: string;
  readonly turn: string;
  /** As it came. */
  readonly digest: unknown;
  /** The wording itself, where a layer at hand has it. */
  readonly wording: ShownWording | null;
}

export class WordingComparison {
  readonly #attested: AttestedWording[] = [];

  /** Takes in evidence of which no check failed: what does not hold shows no digest that was attested. */
  add({ turns }: Examination, file: string): void {
    for (const { evidence, wording } of turns)
      for (const { turn, disclosure } of evidence.receipts ?? [])
        this.#attested.push({ file, turn: String(turn), digest: digestIn(disclosure), wording });
  }

  compare(text: string): Comparison {
    // The text is hashed once for each digest: many receipts share few wordings.
    const digests = new Set(this.#attested.map(({ digest }) => digest));
    const same = new Set(
      [...digests].filter((digest) => typeof digest === "string" && isTextOf(text, digest)),
    );
    return {
      matching: this.#attested
        .filter(({ digest }) => same.has(digest))
        .map(({ file, turn }) => ({ file, turn })),
      filled: this.#attested.flatMap(({ file, turn, wording }) =>
        wording?.text != null && isFilledFrom(text, wording.text)
          ? [{ file, turn, wording: wording.id }]
          : [],
      ),
      compared: this.#attested.length,
    };
  }
}

const digestIn = (disclosure: unknown): unknown =>
  (disclosure as { subject_hash?: unknown } | null | undefined)?.subject_hash;
