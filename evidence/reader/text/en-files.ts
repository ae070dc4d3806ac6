// The page's words in English about the files that the reader gave: the list, what does not belong, what can't be read.

import { count } from "../../core/verify/count.ts";
import type { TurnRange } from "../session/summary.ts";

/** "1 file", "4 files". */
const files = (count: number): string => `${count} ${count === 1 ? "file" : "files"}`;

export const filesEn = {
  intro: {
    heading: "Check a receipt of an AI notice",
    lead: "A receipt records the notice that a person is speaking with an AI system: in which words it was given, and when. Here you can check it without an account and without trusting the service.",
    drop: "Drop receipts here",
    dropMore: "or paste one anywhere on this page",
    choose: "Choose files",
    another: "Add files",
    chooseFolder: "Choose a folder",
    anotherFolder: "Add a folder",
    startOver: "Start over",
    paste: "Paste text instead",
    pasteLabel: "Receipt, report or bundle of a conversation (JSON), .tlog-proof, or key of a log",
    pasteButton: "Check this text",
    accepts:
      "Receipts, reports, or all receipts of a conversation in one file, as JSON, and receipts as .tlog-proof; as many as you like. You can add the request behind a receipt, a published root, a certificate (PEM), the key of the log, a list of wordings, or the folder of a chain’s history.",
    pasted: "pasted text",
    checking: "Checking …",
    samples: "No receipt at hand?",
    good: "Open an example",
    forged: "Open a forged one",
    isSample:
      "This is an example. It brings its own published root and certificate, and is compared with nothing else.",
  },

  overview: {
    holds: (_: number, all: number) => `All ${files(all)} hold.`,
    holds_so_far: (_: number, all: number) => `All ${files(all)} hold as far as they can be checked now.`,
    does_not_hold: (count: number, all: number) =>
      `${count} of ${files(all)} ${count === 1 ? "does" : "do"} not hold.`,
    unreadable: (count: number, all: number) => `${count} of ${files(all)} could not be read.`,
    contradiction: "Each file holds by itself, but they contradict each other.",
    list: "The files",
    state: {
      holds: "holds",
      holds_so_far: "holds as far as it can be checked now",
      does_not_hold: "does not hold",
      unreadable: "could not be read",
    },
    kinds: {
      receipt: "receipt",
      report: "report",
      proof: "proof",
      bundle: "receipts of a conversation",
      seal: "published root",
      request: "request",
      certificates: "certificate",
      cose_receipt: "COSE receipt",
      log_policy: "key of the log, or policy",
      policy_layer: "list of wordings",
      history: "history of the chain",
      fork: "proof that a log signed two histories",
    },
    used: "belongs to what was checked",
    stray: {
      request: "belongs to none of the receipts here",
      certificates: "not the one behind these timestamps",
      seal: "no evidence here leads to this root",
      cose_receipt: "of another log, or of another place in it, than the receipts here",
      log_policy: "it names another log than the one behind these receipts",
      policy_layer: "another one than the receipts here name",
      history: "of other chains than the receipts here",
    },
    strayMore: "That says nothing against the evidence.",
    notBelieved:
      "not used, since it came in a folder: whoever made the folder chose it. If you trust it, add the file itself",
    unused: "nothing here to use it with yet",
    together: "Checked together",
    inAll: "In all",
    pages: (id: string, first: number, last: number, names: string) =>
      `Conversation ${id}: turns ${first} to ${last} follow one another without a gap (${names}).`,
  },

  summary: {
    heading: "What is here, and what is not",
    counts: (receipts: number, conversations: number, chains: number, all: number) =>
      `${count(receipts, "receipt")} of ${count(conversations, "conversation")} on ${count(chains, "chain")}, in ${files(all)}.`,
    turns: ({ from, to }: TurnRange) =>
      to === null ? `turns from ${from} on` : from === to ? `turn ${from}` : `turns ${from} to ${to}`,
    /** `name` is the conversation's, or else a file that has a turn of it. */
    missing: (turns: string, last: number, name: string) =>
      `Not among these files: ${turns} of a conversation with ${count(last, "turn")} or more (${name}).`,
    moreMissing: (more: number) =>
      `${count(more, "more conversation")} ${more === 1 ? "is" : "are"} not all here.`,
    chain: (chain: string, receipts: number, first: number, last: number) =>
      `Chain ${chain}: ${count(receipts, "receipt")}, ${first === last ? `number ${first}` : `numbers ${first} to ${last}`}`,
    /** Null for no numbers. */
    gaps: (numbers: string | null) =>
      numbers === null ? "none between them is missing." : `between them, not here: ${numbers}.`,
    notOfHistory: (size: number, numbers: string | null) =>
      `${numbers === null ? "none is missing" : `not here: ${numbers}`}; the history has ${count(size, "receipt")}.`,
    moreChains: (more: number) => `and ${count(more, "more chain")}`,
  },

  fork: {
    signed: (origin: string) => `The log ${origin} signed two histories that contradict each other.`,
    tree: (size: number, root: string) => `${count(size, "entry", "entries")} with the root ${root}`,
    keep: "Both signatures hold under the key that you gave, and no log that only grows has both trees. So this file proves to everybody who has that key that the log is not one and the same for all. Keep it, and hand it on.",
  },

  tenant: {
    label: "Whose history is it? The tenant’s fingerprint",
    hint: "It may be printed in a contract or on a bill. With it, the history must be that of this tenant, and the receipt’s chain one of the tenant’s. Leave it empty to take anyone’s.",
    button: "Check",
    malformed: "A fingerprint is sha256: and 64 lower-case hex digits. Nothing was checked with this one.",
  },

  companions: {
    request: (names: string) => `The request you added (${names}) is not this receipt’s.`,
    requestMore:
      "That says nothing about the receipt: perhaps it is the request of another call. Add the one that was sent for this receipt.",
    certificate:
      "The certificate you added is not the one behind this timestamp; checked with it, the timestamp stays open.",
    log: "The key or the policy that you added names another log than the one behind this receipt.",
    logMore:
      "That says nothing about the receipt: it is of another service, or the log has another name. Add the key of its own log.",
    cose: (names: string) => `The COSE receipt you added (${names}) was not checked.`,
    coseMore:
      "It is of another log, or of another place in it, than this receipt, which says nothing about it. Add the receipt or the report that it belongs to.",
    layer: (names: string) =>
      `The list of wordings that you added (${names}) is not the one that this receipt names.`,
    layerMore:
      "That says nothing about the receipt: it is another version, or another customer’s. Add the one whose digest the receipt names.",
    certificateMore: (authority: string | null) =>
      `That says nothing about the receipt. ${authority === null ? "" : `The timestamp names ${authority}. `}Add the certificate of that authority, or start over without it.`,
  },

  file: {
    heading: "What was checked",
    size: (count: string) => `${count} bytes`,
    digest: "SHA-256",
    checkedAt: "Checked",
    where: "in this browser",
  },

  problems: {
    heading: (name: string) => `“${name}” could not be read.`,
    brokenHeading: (name: string) => `“${name}” does not hold.`,
    empty: "The file is empty.",
    too_large: "The file is larger than any receipt or conversation. It was not opened.",
    too_many: "Together with the others this is more than the page checks at a time. It was not opened.",
    not_json:
      "This is not well-formed JSON, or it is written so that two programs could read it differently.",
    not_text: "This is no text file, but a picture or an archive, for example. Receipts are JSON files.",
    pdf: "This is a PDF. An evidence sheet is a print of what was found; the files that it names can be checked.",
    part_too_large: "A field or list in this file is far longer than any receipt has. It was not examined.",
    refusal: "This is no receipt: the service refused the call, and this is its answer.",
    unknown: "This is neither a receipt, a report, the receipts of a conversation nor a published root.",
    two_kinds: "This could be read as two kinds of evidence, and so as either. It was not examined.",
    fork: "This is no receipt, but the proof that a log signed two histories. Add the key of the log to confirm it.",
    two_policies: "More than one key of a log, or policy, was given. Give the one that you mean.",
    two_roots: "Two different roots were given under this number. Give the one that is published.",
    malformed: "This looks like a receipt or proof, but one of its parts is damaged beyond reading:",
    certificates: "This certificate could not be read.",
    folder_too_large:
      "This folder has more than 10,000 files, or its history more than 64 MiB. The command line takes it.",
    no_evidence:
      "This folder has neither the history of a chain nor a file whose name ends in .json, .tlog-proof, .cose, .pem or .policy.",
    two_histories: "This folder has more than one history. Add the one that you mean.",
    history_broken: "This history contradicts itself, so no receipt was held against it:",
    history_malformed: "This history is damaged or incomplete, so no receipt was held against it:",
    gone: "It could not be had: it was moved or changed since it was chosen, or the host that has it does not answer or has it no longer.",
    too_slow: "Checking took too long and was stopped.",
    failed: "Something went wrong while checking, so nothing can be said about this file.",
  },
};
