// The short report of a check in English: sentences that a reader without technical knowledge understands.
import { count } from "../../core/verify/count.ts";

export const summaryEn = {
  counts: "In all",
  failedRows: (more: number) => `and ${more} more; --verbose lists all of them`,
  metachainUnavailable: (reason: string) =>
    `The metachain could not be read, so the published roots were not compared: ${reason}`,

  recorded: (turn: string, conversation: string | null, at: string) =>
    `Turn ${turn} of ${conversation === null ? "its conversation" : `conversation ${conversation}`} was recorded on ${at}, by the service’s own clock.`,
  recordedAll: (id: string, receipts: number, from: string, until: string) =>
    receipts === 1
      ? `1 receipt of conversation ${id}, recorded on ${from}, by the service’s own clock.`
      : `${receipts} receipts of conversation ${id}, recorded from ${from} to ${until}, by the service’s own clock.`,
  existed: (at: string, authority: string) => `It existed by ${at}, as ${authority} confirms.`,
  existedOnce: (at: string, authority: string, until: string) =>
    `It existed by ${at}, as ${authority} confirmed; the certificate behind that ran out on ${until}.`,
  existedAll: (at: string, authority: string) =>
    `All of them existed by ${at}; the last confirmation is that of ${authority}.`,
  existedSome: (count: number, all: number) =>
    `A timestamp authority confirms by when ${count} of ${all} existed; for the others no time is proven.`,
  timeUnproven: "No timestamp authority’s word was checked, so no time is proven.",
  sealed: (index: number, entries: number, at: string) =>
    `Published root no. ${index} covers ${count(entries, "entry", "entries")}. It was sealed on ${at}, by the service’s own clock.`,
  how: (method: string, modality: string) => `How: ${method}, ${modality}.`,
  wording: (assessment: string, jurisdiction: string, version: string) =>
    `Classification by the service: ${assessment} (rules for ${jurisdiction}, version ${version}).`,
  recomputed:
    "Computed again from the list of wordings that the receipt names: wording, remarks and classification are the same.",
  recomputedAll: (count: number, all: number) =>
    `For ${count} of ${all}, the classification was computed again from the list of wordings that the receipt names: it is the same.`,
  text: (id: string, text: string) => `Wording ${id}: “${text}”`,
  ownText: (id: string, approvedBy: string, digest: string) =>
    `Wording ${id}: one that a customer of the service registered, approved as it says by: ${approvedBy}. The list has its digest alone, ${digest}.`,
  filled: (id: string, text: string) => `As it says, it is the wording ${id} with its gap filled: “${text}”`,
  unknownText: (digest: string) =>
    `The receipt names the wording by its digest only: ${digest}. If you have the text, --wording TEXT compares it.`,
  wordings: (approved: number, all: number) => `${approved} of ${all} used a wording on the service’s list.`,
  anchor: (subject: string, fingerprint: string, file: string | null) =>
    `The timestamp rests on the certificate ${subject}, ${file === null ? "which comes with this program" : `from ${file}`}; fingerprint ${fingerprint}.`,
  limit:
    "A receipt shows what was recorded. It does not show that anyone heard or read the notice, nor that the notice satisfies the law.",

  compared: {
    isAttested: "The text is the one that was attested.",
    isAttestedIn: (places: string) => `The text is the one that was attested in: ${places}.`,
    isNotAttested:
      "The text is not the one that was attested. Every character counts: case, spaces and punctuation too.",
    isFilled: (places: string) =>
      `The text is an attested wording with its gap filled: ${places}. The receipts name the wording with the gap, as they should: no name is in its digest.`,
    nothing: "The text was not compared: there is no receipt here that holds.",
  },
  turn: (turn: string) => `turn ${turn}`,
};

export type SummaryText = typeof summaryEn;
