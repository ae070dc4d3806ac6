// The lint of a layer for those who write one: all that is wrong or wants a decision, in one run, in sentences for a reader
// who is no programmer. What it calls a fault beyond the schema is a matter of words; only the schema decides what loads.
import type * as z from "zod";
import { PLAIN_ERRORS } from "../formats/plain-errors.ts";
import { type DraftLayer, type DraftWording, nameOfWording, readDraft } from "./lint-draft.ts";
import { OFFICIAL_LANGUAGES } from "./lint-languages.ts";
import { type LintContext, type LintLevel, type Remark, remarksOn, wordsOf } from "./lint-wording.ts";
import { policyLayerSchema } from "./policy-layer.ts";

export interface LintFinding {
  readonly level: LintLevel;
  /** `Wording de-x`, `Method x` or `The layer`. */
  readonly subject: string;
  readonly message: string;
}

const LAYER = "The layer";
const ADDITIONS =
  "It holds a customer's own wordings (additions). The layer that they were added to can be checked.";

/** All findings about `data`, which was read from a layer's file. `today` is YYYY-MM-DD, in UTC. */
export function lintLayer(data: unknown, today: string): LintFinding[] {
  if (hasAdditions(data)) return [{ level: "fault", subject: LAYER, message: ADDITIONS }];
  const layer = readDraft(data);
  const context = { layer, today };
  const found = [
    ...layer.wordings.flatMap((wording, i) => [
      ...remarksOn(wording, context).map((remark) => finding(nameOfWording(wording, i), remark)),
      ...compareWithEarlier(wording, i, layer).map((remark) => finding(nameOfWording(wording, i), remark)),
      ...lackSuccessor(wording, layer).map((remark) => finding(nameOfWording(wording, i), remark)),
    ]),
    ...[...remarksOnLayer(context), ...remarksOnLanguages(layer)].map((remark) => finding(LAYER, remark)),
  ];
  return [...schemaFaults(data, layer, found), ...found];
}

const finding = (subject: string, [level, message]: Remark): LintFinding => ({ level, subject, message });

const hasAdditions = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "additions" in data;

/** The schema's faults. A fault of a whole wording or layer is left out where one was found there before. */
function schemaFaults(data: unknown, layer: DraftLayer, found: readonly LintFinding[]): LintFinding[] {
  const issues = policyLayerSchema.safeParse(data, PLAIN_ERRORS).error?.issues ?? [];
  return issues.flatMap((issue) => {
    const [subject, member] = placeOf(issue.path, layer);
    const isKnown = found.some(
      ({ level, subject: other }) => level === "fault" && (subject === LAYER || subject === other),
    );
    if (issue.code === "custom" && member === "" && isKnown) return [];
    return [finding(subject, ["fault", sentenceOf(issue, member)])];
  });
}

/** The subject of an issue, and the member in it. */
function placeOf(
  path: readonly PropertyKey[],
  layer: DraftLayer,
): readonly [subject: string, member: string] {
  const [list, index, ...rest] = path;
  if (list === "wordings" && typeof index === "number")
    return [nameOfWording(layer.wordings[index] ?? { id: "" }, index), rest.join(".")];
  if (list === "disclosure_methods" && typeof index === "number")
    return [`Method ${layer.disclosure_methods[index]?.id || index + 1}`, rest.join(".")];
  return [LAYER, path.join(".")];
}

function sentenceOf(issue: z.core.$ZodIssue, member: string): string {
  const what = member === "" ? "It" : `“${member}”`;
  if (issue.code === "unrecognized_keys")
    return `${what} has ${issue.keys.map((key) => `“${key}”`).join(", ")}, which no layer has.`;
  if (issue.code === "invalid_type")
    return `${what} is missing, or is of another type than ${issue.expected}.`;
  if (issue.code === "invalid_value") return `${what} must be one of ${issue.values.join(", ")}.`;
  return `${what} can't be accepted: ${issue.message}.`;
}

/** Ids, digests and texts that are there already. */
function compareWithEarlier(wording: DraftWording, index: number, { wordings }: DraftLayer): Remark[] {
  const earlier = wordings.slice(0, index);
  const same = (key: (candidate: DraftWording) => string): number =>
    key(wording) === "" ? -1 : earlier.findIndex((candidate) => key(candidate) === key(wording));
  const nameAt = (at: number): string => nameOfWording(wordings[at] ?? wording, at);
  const remarks: Remark[] = [];
  const [byId, byText] = [same(({ id }) => id), same(({ text }) => text)];
  const byDigest = same(({ digest }) => digest);
  const alike = same(({ text }) => text.toLowerCase().replaceAll(/\s+/g, " "));
  if (byId >= 0) remarks.push(["fault", `Entries ${byId + 1} and ${index + 1} have the same id.`]);
  if (byText >= 0) remarks.push(["fault", `Its text is that of ${nameAt(byText)}. Keep one of the two.`]);
  else if (byDigest >= 0) remarks.push(["fault", `Its digest is that of ${nameAt(byDigest)}.`]);
  else if (alike >= 0)
    remarks.push([
      "warning",
      `Its text differs from that of ${nameAt(alike)} in white space or case alone: the digests differ all the same.`,
    ]);
  return remarks;
}

/** A wording that ends, where no other one takes its place on the day after. */
function lackSuccessor(wording: DraftWording, { wordings, disclosure_methods }: DraftLayer): Remark[] {
  const { retired_on: end, language, modality } = wording;
  if (end === null || end < wording.approved_on) return [];
  // That a text may be reported says nothing of the situation that it is for.
  const reported = disclosure_methods.filter((method) => method.reported).map(({ id }) => id);
  const methods = wording.methods.filter((id) => !reported.includes(id));
  const hasSuccessor = wordings.some(
    (other) =>
      other !== wording &&
      other.language === language &&
      other.modality === modality &&
      other.methods.some((method) => methods.includes(method)) &&
      other.approved_on <= end &&
      (other.retired_on === null || other.retired_on > end),
  );
  if (hasSuccessor) return [];
  return [["warning", `It is retired on ${end}, and no wording of its language and method takes its place.`]];
}

function remarksOnLayer({ layer }: LintContext): Remark[] {
  const { disclosure_methods: methods, status, wordings } = layer;
  const repeated = methods.map(({ id }) => id).filter((id, i, all) => id !== "" && all.indexOf(id) < i);
  const remarks = repeated.map((id): Remark => ["fault", `The method ${id} is listed twice.`]);
  if (status === "active" && wordings.length === 0)
    remarks.push(["fault", "It is active, and has no wording."]);
  if (status === "planned" && wordings.length > 0)
    remarks.push(["warning", "It is planned: nobody can attest its wordings before it is in development."]);
  return remarks;
}

function remarksOnLanguages({ jurisdiction, wordings }: DraftLayer): Remark[] {
  if (wordings.length === 0) return [];
  const used = [...new Set(wordings.map(({ language }) => language).filter((language) => language !== ""))];
  const unjudged = used.filter((language) => wordsOf(language) === undefined);
  const remarks = unjudged.map(
    (language): Remark => ["note", `This program can't judge texts in ${language}: read what they say.`],
  );
  const official = OFFICIAL_LANGUAGES[jurisdiction];
  if (official === undefined)
    return [...remarks, ["note", `This program doesn't know the languages of ${jurisdiction}.`]];
  const primary = new Set(used.map((language) => language.split("-")[0] ?? ""));
  const missing = official.filter((language) => !primary.has(language));
  const foreign = [...primary].filter((language) => !official.includes(language));
  for (const language of missing)
    remarks.push(["warning", `It has no wording in ${language}, a language of ${jurisdiction}.`]);
  for (const language of foreign)
    remarks.push([
      "note",
      `${language} is no official language of ${jurisdiction}: those texts are for conversations in ${language}.`,
    ]);
  return remarks;
}
