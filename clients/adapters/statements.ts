// The registered texts that an agent says to disclose itself, each with what is attested of it.

import { attestationRequestSchema } from "../../evidence/core/formats/attestation-request.ts";
import { fillOperator, gapsOf } from "../../evidence/core/policy/gaps.ts";
import type { Modality } from "../../evidence/core/policy/policy-layer.ts";
import { disclosureOf, findWording, type WordingDisclosure } from "../../evidence/policy/wordings.ts";
import { ClientError } from "../client/errors.ts";
import { invalidOption } from "../client/options.ts";
import { hashWordingText } from "../client/request.ts";

/** Why a text is said. */
export type Statement = "introduction" | "reminder" | "handoff";

/** A text that your company registered as its own (docs/policy-layer.md). */
export interface RegisteredText {
  /** As it is registered, the gap `{operator}` unfilled. */
  readonly text: string;
  readonly modality: Modality;
  readonly method: string;
  /** ISO 3166-1 alpha-2. */
  readonly jurisdiction: string;
}

/** The id of a wording that ships, or a text of one's own. */
export type WordingChoice = string | RegisteredText;

/** Where a reminder or a hand-off has none, the introduction is said again, and attested as that. */
export interface Wordings {
  readonly introduction: WordingChoice;
  /** Said in place of an introduction that was cut off; the introduction itself by default. */
  readonly repeat?: WordingChoice;
  readonly reminder?: WordingChoice;
  readonly handoff?: WordingChoice;
}

/** A text as it is said, and what is attested of it. */
export interface Prepared {
  readonly text: string;
  readonly disclosure: WordingDisclosure;
}

export interface Statements {
  readonly of: (statement: Statement, isRepetition: boolean) => Prepared;
}

const UNFIT_FOR_AN_AGENT = /[^A-Za-z0-9._:@+=/-]+/g;
const MAX_AGENT_LENGTH = 128;

/** Throws `invalid_options`, and `invalid_request` for the id of no wording. */
export function prepare(wordings: Wordings, operator: string | undefined): Statements {
  if (typeof wordings?.introduction === "undefined") throw invalidOption("wordings", "name an introduction");
  const introduction = prepareOne("introduction", wordings.introduction, operator);
  const or = (name: keyof Wordings): Prepared => {
    const choice = wordings[name];
    return choice === undefined ? introduction : prepareOne(name, choice, operator);
  };
  const texts = { introduction, reminder: or("reminder"), handoff: or("handoff") };
  const repeat = or("repeat");
  return {
    of: (statement, isRepetition) =>
      isRepetition && statement === "introduction" ? repeat : texts[statement],
  };
}

/** Names that platforms give to agents may have spaces or other letters, which the service does not take. */
export function agentIdentity(name: string): string {
  if (typeof name !== "string" || name === "") throw invalidOption("agentIdentity", "is missing");
  return name.replaceAll(UNFIT_FOR_AN_AGENT, "-").slice(0, MAX_AGENT_LENGTH);
}

function prepareOne(name: keyof Wordings, choice: WordingChoice, operator: string | undefined): Prepared {
  const { text, disclosure } = typeof choice === "string" ? shipped(choice) : own(name, choice);
  if (gapsOf(text).length === 0) return { text: text.normalize("NFC"), disclosure };
  if (operator === undefined) throw invalidOption("operator", `is missing: the ${name} says who it is`);
  return { text: fillOperator(text, operator), disclosure };
}

function shipped(id: string): Prepared {
  return { text: findWording(id)?.wording.text ?? "", disclosure: disclosureOf(id) };
}

function own(name: keyof Wordings, { text, modality, method, jurisdiction }: RegisteredText): Prepared {
  const { success, data, error } = attestationRequestSchema
    .pick({ modality: true, disclosure_method: true, jurisdiction: true })
    .safeParse({ modality, disclosure_method: method, jurisdiction });
  if (!success) throw invalidOption("wordings", `${name}: ${error.issues[0]?.message}`, error);
  if (text === "") throw new ClientError("invalid_options", `wordings: ${name}: the text is empty`);
  return { text, disclosure: { ...data, article_50_clause: "1", subject_hash: hashWordingText(text) } };
}
