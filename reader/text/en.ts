// The page in English. Its shape is the one that every other language must have.
import { checksEn } from "./checks-en.ts";
import type { CheckTexts } from "./text.ts";

export const en = {
  locale: "en-GB",
  wordmark: "Disclosure Receipts",
  title: "Receipt verifier",
  languageLabel: "Language",

  intro: {
    heading: "Check a disclosure receipt",
    lead: "A receipt records the notice that a person is speaking with an AI system: in which words it was given, and when. Here you can check it without an account and without trusting the service.",
    drop: "Drop a receipt here",
    dropMore: "or paste it anywhere on this page",
    choose: "Choose a file",
    another: "Open another file",
    paste: "Paste text instead",
    pasteLabel: "Receipt, report or conversation bundle (JSON)",
    pasteButton: "Check this text",
    accepts:
      "A receipt, a report, or the bundle of a conversation, as JSON. You can add the request behind a receipt, a published root, or a certificate (PEM).",
    pasted: "pasted text",
    checking: "Checking …",
  },

  privacy: {
    summary: "Nothing you open here leaves this device.",
    served: (origin: string) =>
      `The browser itself enforces it: the page may connect to ${origin} and nowhere else. It asks there for published roots and their timestamps, by number, and for the certificate of the timestamp authority. It sends no content, no cookies, and no receipt.`,
    saved:
      "You opened a saved copy of this page: it connects to nothing at all. It cannot compare with the published roots until you add them as files.",
    save: "To be surer still, save this page, go offline, and open the saved file.",
    policy: "The rule that your browser enforces",
  },

  verdict: {
    holds: {
      receipt: "This receipt holds.",
      bundle: "This conversation holds.",
      turns: (first: number, last: number) =>
        first === last
          ? `Turn ${first} of this conversation holds.`
          : `Turns ${first} to ${last} of this conversation hold.`,
      proof: "This proof holds.",
      seal: "This published root holds.",
    },
    partly: {
      receipt: "This receipt holds as far as it can be checked now.",
      bundle: "This conversation holds as far as it can be checked now.",
      turns: (first: number, last: number) =>
        first === last
          ? `Turn ${first} of this conversation holds as far as it can be checked now.`
          : `Turns ${first} to ${last} of this conversation hold as far as they can be checked now.`,
      proof: "This proof holds as far as it can be checked now.",
      seal: "This published root holds as far as it can be checked now.",
    },
    broken: {
      receipt: "This receipt does not hold.",
      bundle: "This conversation does not hold.",
      turns: (first: number, last: number) =>
        first === last
          ? `Turn ${first} of this conversation does not hold.`
          : `Turns ${first} to ${last} of this conversation do not hold.`,
      proof: "This proof does not hold.",
      seal: "This published root does not hold.",
    },
    holdsReason: {
      receipt:
        "It is unchanged since it was recorded, the public list covers it, and a timestamp authority has confirmed that it existed by the time shown below.",
      bundle:
        "Its receipts are unchanged and follow one another without a gap. The public list covers them, and a timestamp authority has confirmed that they existed by the times shown below.",
      proof:
        "It leads to the public list, and a timestamp authority has confirmed that what it stands for existed by the time shown below.",
      seal: "It contains everything that the root before it contained, and a timestamp authority has signed it.",
    },
    partlyReason: "Nothing contradicts it. Still open:",
    brokenReason: (failed: number, made: number) =>
      failed === 1 ? `One of ${made} checks failed:` : `${failed} of ${made} checks failed:`,
    more: (count: number) => `and ${count} more, listed below`,
    proofOnly: "It is a proof without its receipt, so it does not show what was disclosed.",
    remarks: (count: number, all: number) =>
      all === 1
        ? "This does not mean that the disclosure was as the rules ask: it was recorded with remarks, which stand below."
        : `This does not mean that every disclosure was as the rules ask: ${count} of ${all} ${count === 1 ? "was" : "were"} recorded with remarks, which stand below.`,
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
      "The timestamp was checked with the certificate that this service itself names. That is weaker evidence: it shows that the service agrees with itself. For proof that does not depend on the service, get the certificate from the timestamp authority and add it.",
  },

  facts: {
    heading: "What was disclosed",
    claimed: "What the receipt says",
    claimedNote: "The receipt does not hold, so none of this is proven.",
    brokenWhole: "It does not hold as a whole. What can be shown of each turn stands below.",
    limit: "A receipt shows what was recorded. It does not show that anyone heard or read it.",
    conversation: "The conversation",
    when: "Recorded",
    ownClock: "by the service’s own clock",
    proven: "Existed by",
    signed: (authority: string) => `signed by ${authority}`,
    signedOnce: (authority: string, until: string) =>
      `signed by ${authority}, whose certificate ran out on ${until}`,
    language: "Language",
    method: "How",
    place: "Turn",
    turn: (turn: string) => `Turn ${turn} of the conversation`,
    jurisdiction: "Law",
    law: (clause: string, country: string) => `Art. 50(${clause}) of Regulation (EU) 2024/1689, ${country}`,
    assessment: "Wording",
    rules: (jurisdiction: string, version: string) =>
      `by the service’s rules for ${jurisdiction}, version ${version}`,
    unknownWording:
      "The receipt names the wording by its digest only; the text is not among the published ones.",
    interaction: "Conversation",
    receipts: "Receipts",
    period: "Period",
    to: (from: string, until: string) => `${from} to ${until}`,
    erased: "erased",
    agent: "Agent",
  },

  terms: {
    ALLOW: "Approved wording",
    MODIFY: "Recorded, with remarks",
    BLOCK: "Recorded, but this wording was no longer allowed",
    voice: "voice conversation",
    chat: "chat",
    walkthrough: "walkthrough with a synthetic voice",
    spoken_introduction: "Spoken introduction",
    spoken_reminder: "Spoken reminder",
    written_notice: "Written notice",
    visual_label: "Visible label",
    method_unknown: "this way of disclosing is not on the list",
    method_not_for_modality: "this way of disclosing does not fit this kind of conversation",
    wording_unknown: "the wording is not an approved one",
    wording_for_other_modality: "the wording is approved for another kind of conversation",
    wording_for_other_method: "the wording is approved for another way of disclosing",
    wording_not_yet_approved: "the wording was not yet approved that day",
    wording_retired: "the wording had been withdrawn by that day",
  } as Record<string, string>,

  picture: {
    heading: "From the receipt to the published root",
    lead: "Each line is a computation that anyone can repeat.",
    open: "Open a part to see its hashes.",
    label: "Path from the receipt to the published root and its timestamp",
    receipt: "Receipt",
    proof: "Leaf of the chain",
    chain: "Root of the chain",
    root: (index: string) => `Published root no. ${index}`,
    unpublished: "Published root",
    pendingRoot: "not yet in this file",
    stamp: "Timestamp",
    pendingStamp: "still pending",
    of: (place: string, size: string) => `receipt ${place} of ${size}`,
    left: "left",
    right: "right",
  },

  timeline: {
    heading: "The chain of this conversation",
    lead: "A line ties a receipt to the one before it. The bracket names the published root that covers it.",
    label: (count: number) => `Chain of ${count} receipts`,
    bead: (turn: string, state: string) => `Turn ${turn}: ${state}`,
    root: (index: string) => `Root ${index}`,
    pending: "no root yet",
    turns: "Turn by turn",
    roots: "The published roots",
    oneRoot: "The published root",
    rootsLead: "The bundle encloses the roots that its receipts lead to.",
  },

  state: { holds: "holds", open: "open", broken: "does not hold", aside: "not needed here" },

  hashes: {
    event_id: "Receipt number",
    chain_id: "Chain",
    sequence: "Place in the chain (from 0)",
    leaf_hash: "Leaf hash",
    subject_hash: "Digest of the wording",
    input_hash: "Hash of the request",
    output_hash: "Hash of the outcome",
    previous_hash: "Receipt before, in the chain",
    previous_turn_hash: "Receipt before, in the conversation",
    tree_size: "Size of the tree",
    path: "Path",
    chain_root: "Root of the chain",
    root: "Root",
    laterRoot: "Later root, which contains this one",
    sealed_at: "Sealed",
    receipt_count: "Receipts it adds, by the service’s own count",
    seal_index: "Number of the published root",
    compared: "Compared with",
    genTime: "Time",
    authority: "Signed by",
    tsa_url: "Address of the authority",
    none: "none",
    published: (origin: string) => `the list at ${origin}`,
    added: "the file you added",
    enclosed: "the copy in this bundle",
    nothing: "nothing yet",
    unproven: "not checked",
    mac: "The receipt’s authentication code can be checked by the service alone. Nothing here rests on it.",
  },

  checks: {
    heading: "Every check",
    whole: "The conversation as a whole",
    detail: "Technical reason",
    columns: { result: "Result", check: "Check", reason: "Meaning" },
    unconnected:
      "Not compared: this saved page connects to nothing. Open the published root as a file to compare it.",
    enclosedRoot: "Leads to the enclosed root.",
    noCertificate: "No certificate of the timestamp authority is at hand to check it against.",
    insecure:
      "Browsers check signatures only on pages that came over HTTPS or from disk. Open the page so to check the timestamp.",
    expired:
      "It was genuine when it was made, but a certificate behind it has run out since. A newer timestamp would renew it.",
    renewed:
      "Its own timestamp no longer carries it, or is missing. A later root that contains this one was signed by a timestamp authority whose certificate is still valid.",
    otherCertificate:
      "The timestamp does not lead to the certificate used here. It may still lead to another one.",
  },

  again: {
    heading: "Check it again without us",
    timestamp: "The timestamp, with OpenSSL",
    timestampLead: "Put the authority’s certificate into authority.pem, and the receipt into receipt.json.",
    sealLead: "Put the authority’s certificate into authority.pem, and the root into root.json.",
    bundleLead: "Put the authority’s certificate into authority.pem, and the bundle into bundle.json.",
    copy: "Copy",
    copied: "Copied",
    saveToken: "Save the token (DER)",
    address: "The published root",
    addressLead: "Must show this root:",
    unserved: (path: string) => `${path} on the service’s host, or at any mirror of it`,
    pendingRoot:
      "This file was made before its root was published. Some minutes later there is a newer one with the missing proof: ask whoever gave you this one.",
    rest: "Everything else is SHA-256 over canonical JSON (RFC 8785) and RFC 9162 Merkle trees: any verifier written from the description of the format must agree.",
    noTimestamp: "There is no timestamp to check yet.",
  },

  anchor: {
    heading: "Whose timestamp",
    none: "No certificate of a timestamp authority is at hand, so no timestamp could be checked.",
    service: "From this service itself. Weaker evidence: it shows only that the service agrees with itself.",
    known:
      "From this page, which carries the root certificates of known public authorities. Compare the fingerprint with the one that the authority publishes.",
    reader: (name: string) => `From you: ${name}.`,
    choose: "Use another certificate (PEM)",
    add: "Add a certificate (PEM)",
    subject: "Certificate",
    source: "Where it comes from",
    fingerprint: "SHA-256 fingerprint",
    validity: "Valid",
    eidas: "An RFC 3161 timestamp. It is not a qualified timestamp under eIDAS.",
  },

  add: {
    request: "Request added. A single receipt is compared with it.",
    seal: (index: number) => `Published root no. ${index} added.`,
    certificates: "Certificate added. Timestamps are checked with it.",
    page: "The files belong to one conversation and are checked together.",
    later: "It will be used with the next receipt.",
  },

  file: {
    heading: "What was checked",
    name: "File",
    size: (count: string) => `${count} bytes`,
    digest: "SHA-256 of the file",
    checkedAt: "Checked",
    print: "Print evidence sheet",
    where: "in this browser",
  },

  problems: {
    heading: "This could not be read.",
    too_large: "The file is larger than any receipt or bundle. It was not opened.",
    not_json:
      "This is not well-formed JSON, or it is written so that two programs could read it differently.",
    immodest: "A field or list in this file is far longer than any receipt has. It was not examined.",
    unknown: "This is neither a receipt, a report, a bundle nor a published root.",
    malformed: "This looks like evidence, but one of its parts is damaged beyond reading:",
    certificates: "This certificate could not be read.",
    too_slow: "Checking took too long and was stopped.",
    failed: "Something went wrong while checking, so nothing can be said about this file.",
  },

  footer: "The same program that checks here is open for anyone to read.",
  checkTexts: checksEn as CheckTexts,
};
