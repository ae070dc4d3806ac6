// The short report of a check in English: sentences that a reader without technical knowledge understands.
import { count } from "../../core/verify/count.ts";
import type { TurnRange } from "../conversations.ts";

const rangeOf = ({ from, to }: TurnRange): string => {
  if (to === null) return `turns from ${from} on`;
  return from === to ? `turn ${from}` : `turns ${from} to ${to}`;
};

export const summaryEn = {
  outcome: {
    holds: "holds",
    holds_so_far: "holds as far as it could be checked",
    does_not_hold: "does not hold",
    unreadable: "could not be read",
  },
  kind: {
    receipt: "receipt",
    report: "report",
    proof: "proof",
    bundle: "conversation",
    seal: "published root",
  },
  headline: {
    allHold: (all: number) => `All ${all} files hold.`,
    allHoldSoFar: (all: number) => `All ${all} files hold as far as they could be checked.`,
    doNotHold: (bad: number, all: number) =>
      `${bad} of ${count(all, "file")} ${bad === 1 ? "does" : "do"} not hold.`,
    unreadable: (bad: number, all: number) => `${bad} of ${count(all, "file")} could not be read.`,
    contradiction: (all: number) =>
      `Each of the ${all} files that could be read holds by itself, but together they do not hold.`,
  },
  counts: "In all",
  together: "All together",
  pages: (id: string, first: number, last: number, files: number) =>
    `Conversation ${id}: turns ${first} to ${last}, from ${files} files, follow one another without a gap.`,
  failedRows: (more: number) => `and ${more} more; --verbose lists all of them`,
  metachainUnavailable: (reason: string) =>
    `The metachain could not be read, so the published roots were not compared: ${reason}`,
  restHolds: "Everything that could be checked without it holds.",

  recorded: (turn: string, conversation: string | null, at: string) =>
    `Turn ${turn} of ${conversation === null ? "its conversation" : `conversation ${conversation}`} was recorded on ${at}, by the service’s own clock.`,
  recordedAll: (id: string, receipts: number, from: string, until: string) =>
    receipts === 1
      ? `1 receipt of conversation ${id}, recorded on ${from}, by the service’s own clock.`
      : `${receipts} receipts of conversation ${id}, recorded from ${from} to ${until}, by the service’s own clock.`,
  disclosed: (at: string) => `The notice was given on ${at}, as the caller states.`,
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

  open: {
    heading: "Not checked:",
    request: "the request behind the receipt. If you have it: --request FILE.",
    pendingRoot:
      "the published root, since there was none yet when this file was made. Some minutes later the service has a report with the missing proof: fetch that, or ask whoever gave you this file.",
    notCompared:
      "whether the root is the published one. To compare it: --metachain URL, the address of the service or of a mirror.",
    offline: "whether the root is the published one, since you asked to contact nobody (--offline).",
    pendingTimestamp:
      "the timestamp, since there was none yet when this file was made. A later report has it, or --metachain finds it.",
    noAnchor: "the timestamp, since no certificate was taken to check it with (--tsa-ca none).",
    unknownAuthority:
      "the timestamp. Its authority is not one that this program knows: get its root certificate from the authority, and give it with --tsa-ca FILE.",
    sealBefore:
      "after which time it was recorded, since the earlier root that it names is not in this file. To get it: --metachain URL, or a report of the service.",
    layer: (detail: string) =>
      `whether the classification is the one that the list of wordings gives which the receipt names. The list comes with --layer FILE or --metachain URL (${detail}).`,
    noPolicy:
      "whether the log signed this root and its size. Without that, the size is the service’s word, and that everybody is shown the same roots rests on comparing them. To check it: --log-key KEY, or --policy FILE with the witnesses that you believe.",
    noCheckpoint:
      "whether the log signed this root and its size, since no signed checkpoint of it is at hand. It may have none; to look for it: --metachain URL, or a newer report.",
    noCheckpointPublished:
      "whether the log signed this root and its size: it published no signed checkpoint of it.",
    strayLog:
      "whether the log signed this root: the checkpoint at hand is another log’s than those of your policy.",
    noQuorum:
      "whether as many witnesses as your policy asks for saw this log: the log signed this root and its size, but too few of them cosigned that.",
    strayAnchor: "the timestamp, since none of the certificates that you gave is its authority’s.",
    expired:
      "whether the timestamp is still good: it was when it was made, but a certificate behind it has run out since. A newer timestamp renews it; with --metachain one is looked for.",
  },

  stray: {
    request: (file: string) =>
      `The request ${file} belongs to none of these receipts. That says nothing against them: it is another call’s, or was changed.`,
    certificates: (files: string) =>
      `The certificates that you gave (${files}) are not those behind every timestamp here. That says nothing against the evidence: the timestamp is another authority’s.`,
    coseReceipt: (file: string) =>
      `The COSE receipt ${file} is of another log, or of another place in it, than any of these receipts, and so was not checked. That says nothing against them.`,
    layer: (file: string) =>
      `The list of wordings ${file} is not the one that any of these receipts names. That says nothing against them: it is of an earlier or later day, or another customer’s.`,
    log: "Your log policy names another log than the one behind this evidence. That says nothing against the evidence: it is of another service, or the log has another name.",
  },
  unusedCertificates: (file: string) =>
    `${file} holds certificates. They came in a folder and were not used: if you trust them, give them with --tsa-ca ${file}.`,
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
  notAll: (id: string, ranges: readonly TurnRange[]) =>
    `This is not all of conversation ${id}: not here are ${ranges.map(rangeOf).join(", ")}.`,
  moreNotAll: (more: number) =>
    `${count(more, "more conversation")} ${more === 1 ? "is" : "are"} not all here.`,
  remarks: (count: number, all: number) =>
    all === 1
      ? "The service recorded it with remarks on the wording."
      : `The service recorded ${count} of ${all} receipts with remarks on the wording.`,
};

export type SummaryText = typeof summaryEn;
