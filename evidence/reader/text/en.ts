// The page's words in English. Every other language has the same shape.
import type { OptionalField } from "../../core/formats/attestation-request.ts";
import type { CheckTexts } from "./check-texts.ts";
import { checksEn } from "./checks-en.ts";
import { filesEn } from "./en-files.ts";
import { paperEn } from "./en-paper.ts";
import { proofEn } from "./en-proof.ts";
import { openEn } from "./open-en.ts";

export const en = {
  locale: "en-GB",
  wordmark: "Disclosure Receipts",
  title: "Receipt verifier",
  languageLabel: "Language",

  privacy: {
    summary: "Nothing you open here leaves this device.",
    served: (origin: string) =>
      `The browser itself enforces it: the page may connect to ${origin} and nowhere else. It asks there for published roots with their timestamps and signatures, by number, for the list of wordings that a receipt names, by its digest, and for the certificate of the timestamp authority; opened by a link of the console, also for the report that the link names. It sends no content, no cookies, and no receipt.`,
    saved:
      "You opened a saved copy of this page: it connects to nothing at all. It cannot compare with the published roots until you add them as files.",
    save: "To be surer still, save this page, go offline, and open the saved file.",
    policy: "The rule that your browser enforces",
  },

  verdict: {
    holds: {
      receipt: "This receipt holds.",
      bundle: "The record of this conversation holds.",
      turns: (first: number, last: number) =>
        first === last
          ? `The record of turn ${first} of this conversation holds.`
          : `The records of turns ${first} to ${last} of this conversation hold.`,
      proof: "This proof holds.",
      seal: "This published root holds.",
    },
    holds_so_far: {
      receipt: "This receipt holds as far as it can be checked now.",
      bundle: "The record of this conversation holds as far as it can be checked now.",
      turns: (first: number, last: number) =>
        first === last
          ? `The record of turn ${first} of this conversation holds as far as it can be checked now.`
          : `The records of turns ${first} to ${last} of this conversation hold as far as they can be checked now.`,
      proof: "This proof holds as far as it can be checked now.",
      seal: "This published root holds as far as it can be checked now.",
    },
    does_not_hold: {
      receipt: "This receipt does not hold.",
      bundle: "The record of this conversation does not hold.",
      turns: (first: number, last: number) =>
        first === last
          ? `The record of turn ${first} of this conversation does not hold.`
          : `The records of turns ${first} to ${last} of this conversation do not hold.`,
      proof: "This proof does not hold.",
      seal: "This published root does not hold.",
    },
    reason: {
      receipt:
        "It is unchanged since it was recorded, the public list covers it, and a timestamp authority has confirmed that it existed by the time shown below.",
      bundle:
        "Its receipts are unchanged and follow one another without a gap. The public list covers them, and a timestamp authority has confirmed that they existed by the times shown below.",
      proof:
        "It leads to the public list, and a timestamp authority has confirmed that what it stands for existed by the time shown below.",
      seal: "It contains everything that the root before it contained, if there was one, and a timestamp authority has signed it.",
    },
    /** `endsAt` is the entry of the log up to which the history could be used; null where it is of other chains. */
    notAgainstHistory: (sentence: string, endsAt: number | null) =>
      `${sentence.replace(/\.$/, "")}, but not against the history that you gave: ${endsAt === null ? "it is of other chains" : `what is at hand of it and of the log ends at entry ${endsAt}`}.`,
    openReason: "Nothing contradicts it. Still open:",
    failedReason: (failed: number, made: number) =>
      failed === 1 ? `One of ${made} checks failed:` : `${failed} of ${made} checks failed:`,
    more: (count: number) => `and ${count} more, listed below`,
    proofOnly: "It is a proof without its receipt, so it does not show which notice was recorded.",
    legal: "Whether the notice suffices legally was not checked.",
    remarks: (count: number, all: number) =>
      all === 1
        ? "The service recorded the notice with remarks, which are shown below."
        : `The service recorded ${count} of ${all} notices with remarks:`,
    notAll: "This is not the whole conversation.",
    missing: (before: number | null, from: number | null) => {
      const ranges = [
        ...(before === null ? [] : [before === 1 ? "turn 1" : `turns 1 to ${before}`]),
        ...(from === null ? [] : [`every turn from ${from} on`]),
      ];
      return `Not here: ${ranges.join(", and ")}. Add the missing file and it is checked together with this one.`;
    },
    inTurn: (turn: string) => `Turn ${turn}`,
    inRoot: (index: string) => `Root no. ${index}`,
    weakAnchor:
      "The timestamp was checked with the certificate that this service itself names. That is weaker evidence: it shows that the service agrees with itself. For evidence that does not depend on the service, get the certificate from the timestamp authority and add it.",
    ownFiles: (names: string) =>
      `Believed as you added it: ${names}. The result is worth as much as the place that you have it from. For evidence that does not depend on whoever gave you the receipt, get a certificate from the timestamp authority, and a published root from the service’s host or a mirror.`,
    print: "Print",
  },

  facts: {
    heading: "Which notice is recorded",
    claimed: "What the receipt says",
    claimedNote: "The receipt does not hold, so none of this is proven.",
    claimedRoot: "The root does not hold, so what follows is only what the file says.",
    untimedNote: "Its timestamp does not hold, so no time is proven.",
    brokenWhole: "It does not hold as a whole. What can be shown of each turn is listed below.",
    limit:
      "A receipt shows what was recorded. It does not show that the notice was given, or that anyone heard or read it: that is the word of whoever recorded it. It contains no recording of the conversation.",
    lastTurn: "That no later notice followed in this conversation, the file alone says; no check shows it.",
    conversation: "The conversation",
    when: "Recorded",
    ownClock: "by the service’s own clock",
    lateProof: (delay: string) =>
      `Nothing but the service’s clock says so: the earliest proven time is ${delay} later.`,
    delay: (hours: number) => {
      if (hours < 48) return `${hours} ${hours === 1 ? "hour" : "hours"}`;
      return `${Math.floor(hours / 24)} days`;
    },
    bracket: {
      between: (from: string, by: string, until: string, untilBy: string) =>
        `Recorded between ${from}, signed by ${by}, and ${until}, signed by ${untilBy}.`,
      after: (from: string, by: string) => `Recorded after ${from}, signed by ${by}.`,
      noLower:
        "No time is proven after which it was recorded: only the service’s clock says that it is not older.",
      left: "The time that the service states lies outside of these two.",
      wide: (width: string) =>
        `These two are ${width} apart. Between them, the time is the service’s word alone.`,
    },
    log: {
      signed: (origin: string, size: number) =>
        `The log ${origin} signed this root with its ${size} ${size === 1 ? "entry" : "entries"}.`,
      signedLater: (origin: string, size: number) =>
        `The log ${origin} signed a later root with its ${size} entries, which contains everything that this one does.`,
      cosigned: (witness: string, at: string) => `${witness} on ${at}`,
      cosignatures: (words: string) =>
        `Witnesses confirm by their signatures that they had seen no other version of this log by then: ${words}.`,
      liars: (least: number) =>
        least === 0
          ? "Your policy’s quorum does not exclude a second log: two versions can have it although no witness lies."
          : `For a second version with your policy’s quorum, at least ${least === 1 ? "one witness" : `${least} witnesses`} must have lied.`,
    },
    stated: { disclosed_at: "Notice given" } satisfies Record<OptionalField, string>,
    callersWord: "as the caller states",
    proven: "Existed by",
    provenAll: (at: string, authority: string) =>
      `All of them existed by ${at}; the last confirmation is that of ${authority}.`,
    provenSome: (count: number, all: number) =>
      `A timestamp authority confirms by when ${count} of ${all} existed; for the others no time is proven.`,
    unproven: "No time is proven.",
    wide: (seconds: string) =>
      `the authority states its time only to within ${seconds} s, which is added here`,
    signed: (authority: string) => `confirmed by ${authority}`,
    signedOnce: (authority: string, until: string) =>
      `confirmed by ${authority}, whose certificate ran out on ${until}`,
    language: "Language",
    method: "How",
    place: "Number of the notice",
    turn: (turn: string) => `Notice ${turn} of this conversation (turn ${turn})`,
    jurisdiction: "Reference",
    law: (clause: string, country: string) =>
      `Art. 50(${clause}) of Regulation (EU) 2024/1689 · list of texts for ${country}`,
    assessment: "Classification by the service",
    rules: (jurisdiction: string, version: string) =>
      `by the service’s rules for ${jurisdiction}, version ${version}`,
    recomputed:
      "computed again here from the list of wordings that the receipt names: wording, remarks and classification are the same",
    recomputedAll: (count: number, all: number) =>
      `For ${count} of ${all}, the classification was computed again here: it is the same.`,
    wording: "Wording",
    quote: (text: string) => `“${text}”`,
    wordingName: "Name of the wording",
    ownWording: (approvedBy: string) =>
      `A wording that a customer of the service registered, approved as it says by: ${approvedBy}. The list of wordings has its digest alone.`,
    filled: (id: string) => `As it says, it is the wording ${id} with its gap filled:`,
    unknownWording:
      "The receipt names the wording by its digest only; the text is not among those that this program knows.",
    compare: "Compare with a text",
    compareLabel: "The text of the notice, word for word",
    compareButton: "Compare",
    isText: "This is the text whose digest is recorded.",
    isFilled: (id: string) =>
      `This is the text of the wording ${id} with its gap filled. The receipt names the wording with the gap, as it should: no name is in its digest.`,
    isNotText:
      "This is not the text whose digest is recorded. Every character counts: case, spaces and punctuation too.",
    notCompared: "The text was not compared: there is no receipt here that holds.",
    interaction: "Conversation",
    receipts: "Receipts",
    period: "Period",
    to: (from: string, until: string) => `${from} to ${until}`,
    erased: "erased or removed",
    erasedBy: (at: string, role: string, ground: string) =>
      `The identifiers of this conversation were erased on ${at} by ${role} (${ground}). That is the operator’s word; no check rests on it.`,
    grounds: {
      request: "a person asked for it",
      order: "an authority or a court ordered it",
      mistake: "they should never have been sent",
    },
    agent: "Identifier of the AI system",
  },

  terms: {
    ALLOW: "The wording is on the service’s list",
    MODIFY: "Recorded, with remarks",
    BLOCK: "Recorded, but this wording had been taken off the service’s list",
    voice: "telephone or voice conversation",
    chat: "chat",
    walkthrough: "walkthrough with a synthetic voice",
    spoken_introduction: "Spoken introduction",
    spoken_announcement: "Spoken announcement",
    spoken_reminder: "Spoken reminder",
    spoken_handoff: "Spoken notice when the speaker changed",
    spoken_answer: "Spoken answer",
    written_notice: "Written notice",
    written_reminder: "Written reminder",
    written_handoff: "Written notice when the writer changed",
    written_answer: "Written answer",
    visual_label: "Visible label",
    reported_after_call: "Reported by the voice platform after the call",
    method_unknown: "this way of giving notice is not on the list",
    method_not_for_modality: "this way of giving notice does not fit this kind of conversation",
    method_reported: "that the notice was given was reported only after the conversation",
    layer_in_development: "the list for this country is still in development",
    wording_unknown: "the wording is not on the service’s list",
    wording_for_other_modality: "the wording is listed for another kind of conversation",
    wording_for_other_method: "the wording is listed for another way of giving notice",
    wording_not_yet_approved: "the wording was not on the list yet that day",
    wording_retired: "the wording had been taken off the list by that day",
  } as Record<string, string>,

  ...filesEn,
  ...proofEn,
  ...paperEn,
  open: openEn,

  footer:
    "The checking is done by this page alone, in your browser. It is open source under the Apache License 2.0: ask whoever runs this service for the sources.",
  checkTexts: checksEn as CheckTexts,
};
