// The lint of one wording, by itself: its digest, its dates, what its text says, and how it can be spoken.
import { formatDigest } from "../merkle/hash.ts";
import { gapsOf, OPERATOR_GAP } from "./gaps.ts";
import type { DraftLayer, DraftWording } from "./lint-draft.ts";
import { LANGUAGE_WORDS, type LanguageWords } from "./lint-languages.ts";
import { hashWording, OWN_PREFIX } from "./policy-layer.ts";

/** A fault must be put right, a warning wants a decision, a note tells what follows. */
export type LintLevel = "fault" | "warning" | "note";
export type Remark = readonly [level: LintLevel, message: string];

/** A wording is judged within its layer, on a day. */
export interface LintContext {
  readonly layer: DraftLayer;
  /** YYYY-MM-DD, in UTC. */
  readonly today: string;
}

const SPOKEN_METHOD = /^spoken_/;
const BRACKET = /[()[\]<>]/;
const DIGIT = /\d/;
const CAPITALS = /(?<!\p{L})\p{Lu}{2,}(?!\p{L})/gu;
const SHORTENED =
  /(?<!\p{L})(?:(?:Dr|Nr|Str|bzw|ggf|ca|usw|Mr|Mrs|Ms|Inc|Ltd|Co)\.|\p{L}\.\s?\p{L}\.|GmbH(?!\p{L}))/gu;

export const remarksOn = (wording: DraftWording, context: LintContext): Remark[] => [
  ...remarksOnId(wording),
  ...remarksOnDigest(wording),
  ...remarksOnMethods(wording, context.layer),
  ...remarksOnDates(wording, context),
  ...(wording.text === "" ? [] : remarksOnText(wording)),
];

const remarksOnId = ({ id }: DraftWording): Remark[] =>
  id.startsWith(OWN_PREFIX)
    ? [
        [
          "fault",
          `An id that begins with ${OWN_PREFIX} is for wordings that a customer registers. Choose another id.`,
        ],
      ]
    : [];

function remarksOnDigest({ text, digest }: DraftWording): Remark[] {
  if (text === "" || !text.isWellFormed()) return [];
  const right = formatDigest(hashWording(text));
  if (digest === right) return [];
  return [["fault", `The digest is not that of the text. The digest of this text is ${right}.`]];
}

const remarksOnMethods = ({ modality, methods }: DraftWording, layer: DraftLayer): Remark[] =>
  methods.flatMap((id): Remark[] => {
    const method = layer.disclosure_methods.find((candidate) => candidate.id === id);
    if (method === undefined)
      return [["fault", `The method ${id} is not among the disclosure_methods of this layer.`]];
    if (modality === "" || method.modalities.includes(modality)) return [];
    return [["fault", `The method ${id} is not for ${modality} in this layer.`]];
  });

function remarksOnDates({ approved_on, retired_on }: DraftWording, { layer, today }: LintContext): Remark[] {
  const remarks: Remark[] = [];
  if (retired_on !== null && retired_on < approved_on)
    remarks.push(["fault", `It is retired on ${retired_on}, before it was approved on ${approved_on}.`]);
  if (approved_on > today)
    remarks.push(["warning", `It is approved from ${approved_on}: before that day its receipts say MODIFY.`]);
  else if (layer.version !== "" && approved_on > layer.version.slice(0, approved_on.length))
    remarks.push(["warning", `It was approved on ${approved_on}, after the day of the layer's version.`]);
  return remarks;
}

/** The remarks on the text itself, as it is said or shown. */
export function remarksOnText(wording: Pick<DraftWording, "text" | "language" | "methods">): Remark[] {
  const { text, language, methods } = wording;
  const words = wordsOf(language);
  const isSpoken = methods.some((method) => SPOKEN_METHOD.test(method));
  return [
    ...(words === undefined ? [] : remarksOnMeaning(text, words)),
    ...(isSpoken ? remarksOnSpeech(text, words?.spoken ?? []) : []),
    ...gapsOf(text)
      .filter((name) => name !== OPERATOR_GAP)
      .map((name): Remark => ["note", `The gap {${name}} is never filled. ${ONE_RULE}`]),
  ];
}

/** The rule about gaps and names, in the words of docs/policy-layer.md. */
const ONE_RULE = "Hash the registered text, never the spoken one.";

export const wordsOf = (language: string): LanguageWords | undefined => {
  const [primary = ""] = language.split("-");
  return Object.hasOwn(LANGUAGE_WORDS, primary) ? LANGUAGE_WORDS[primary] : undefined;
};

function remarksOnMeaning(text: string, { namesAi, deniesAi, deniesHuman }: LanguageWords): Remark[] {
  if (deniesAi.test(text)) return [["fault", "The text denies that it is an artificial intelligence."]];
  const remarks: Remark[] = [];
  if (!namesAi.test(text))
    remarks.push(["fault", "The text does not say that it is an artificial intelligence."]);
  if (!deniesHuman.test(text))
    remarks.push(["warning", "The text does not say that there is no human being."]);
  return remarks;
}

function remarksOnSpeech(text: string, said: readonly string[]): Remark[] {
  const remarks: Remark[] = [];
  const spoken = text.replaceAll(/\{[^{}]*\}/g, "");
  if (BRACKET.test(spoken)) remarks.push(["warning", "It is spoken, and brackets can't be heard."]);
  if (DIGIT.test(spoken)) remarks.push(["warning", "It is spoken: write its numbers out in words."]);
  const short = [...spoken.matchAll(CAPITALS), ...spoken.matchAll(SHORTENED)].map(([found]) => found);
  const unclear = [...new Set(short)].filter((found) => !said.includes(found));
  if (unclear.length > 0)
    remarks.push([
      "warning",
      `It is spoken, and voices differ in how they read ${unclear.join(", ")}: write it out.`,
    ]);
  return remarks;
}
