// The texts that the bridge listens for: the spoken ones of the jurisdiction's layer, and the operator's own.

import { type BridgeSettings, REPORTED_METHOD } from "../../contract/bridge-settings.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { fillOperator, gapsOf } from "../../evidence/core/policy/gaps.ts";
import {
  disclosureOf,
  hashWordingText,
  type WordingDisclosure,
  wordingsOf,
} from "../../evidence/policy/wordings.ts";
import { wordsOf } from "../adapters/words.ts";

/** A registered text as it is recognised, and what is attested of it. */
export interface KnownText {
  /**
   * The letters and digits of its words, the operator's name filled in. They are compared without the spaces: transcripts
   * have "K I System" and "KI System" for "KI-System".
   */
  readonly letters: string;
  readonly disclosure: WordingDisclosure;
}

/** Longer texts come first: one within another is not what was said. Throws `misconfigured` where there is none. */
export function knownTexts(settings: BridgeSettings): KnownText[] {
  // The operator's own texts come first: one of them is taken before a layer's text with the same letters.
  const texts = [...ownTexts(settings), ...layerTexts(settings)];
  if (texts.length > 0) return texts.sort((a, b) => b.letters.length - a.letters.length);
  const message = `no text is known for ${settings.jurisdiction}: it has no layer with spoken wordings, and \`texts\` is empty`;
  throw new DisclosureError("misconfigured", message);
}

function ownTexts({ texts, jurisdiction, operator }: BridgeSettings): KnownText[] {
  return texts.map(({ text, method }, i) => {
    if (gapsOf(text).length > 0 && operator === undefined)
      throw new DisclosureError("misconfigured", `texts.${i}: set \`operator\`, for the text says who it is`);
    const letters = lettersOf(text, operator);
    if (letters === "")
      throw new DisclosureError("misconfigured", `texts.${i}: must have letters, or it is in everything`);
    const disclosure: WordingDisclosure = {
      modality: "voice",
      article_50_clause: "1",
      disclosure_method: method,
      jurisdiction,
      subject_hash: hashWordingText(text),
    };
    return { letters, disclosure };
  });
}

/** Without an operator's name, texts that say one can't be recognised. */
const layerTexts = ({ jurisdiction, operator }: BridgeSettings): KnownText[] =>
  wordingsOf(jurisdiction)
    .filter(
      ({ modality, text }) => modality === "voice" && (operator !== undefined || gapsOf(text).length === 0),
    )
    .map(({ id, text, methods }) => ({
      letters: lettersOf(text, operator),
      disclosure: disclosureOf(
        id,
        methods.find((method) => method !== REPORTED_METHOD),
      ),
    }));

const lettersOf = (text: string, operator: string | undefined): string =>
  wordsOf(gapsOf(text).length === 0 ? text : fillOperator(text, operator ?? "")).replaceAll(" ", "");
