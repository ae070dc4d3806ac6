// The page's words in English about proofs: pictures, hashes, checks, certificates, and how to repeat the check.
import { count } from "../../core/verify/count.ts";

export const proofEn = {
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
    timestamp: "Timestamp",
    pendingTimestamp: "still pending",
    unproven: "its time is not proven",
    of: (place: string, size: string) => `receipt ${place} of ${size}`,
    left: "left",
    right: "right",
  },

  timeline: {
    heading: "The chain of this conversation",
    lead: "A line ties a receipt to the one before it. The bracket names the published root that covers it. Times are those of the service’s clock, in UTC.",
    label: (receipts: number) => `Chain of ${count(receipts, "receipt")}`,
    bead: (turn: string, state: string) => `Turn ${turn}: ${state}`,
    root: (index: string) => `Root ${index}`,
    pending: "no root yet",
    turns: "Turn by turn",
    roots: "The published roots",
    oneRoot: "The published root",
    rootsLead: "The file encloses the roots that its receipts lead to.",
    unlinked: "not tied to the turn before it",
    remarked: "recorded with remarks",
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
    sealed_at: "Sealed, by the service’s own clock",
    receipt_count: "Receipts it adds, by the service’s own count",
    seal_index: "Number of the published root",
    compared: "Compared with",
    genTime: "Proven time",
    statedTime: "Time that the token states, which was not checked",
    signedAt: "Timestamp made",
    authority: "Confirmed by",
    tsa_url: "Address of the authority, as stated",
    none: "none",
    published: (origin: string) => `the list at ${origin}`,
    added: "the file you added",
    enclosed: "only the copy in this file",
    nothing: "nothing yet",
    mac: "The receipt’s authentication code can be checked by the service alone. Nothing here rests on it.",
  },

  checks: {
    heading: "Every check",
    whole: "The conversation as a whole",
    detail: "Technical reason",
    columns: { result: "Result", check: "Check", reason: "Meaning" },
    unconnected:
      "Not compared: this saved page connects to nothing. Open the published root as a file to compare it.",
    sample: "Not compared: an example is checked with what it brings along.",
    unavailable: "Not compared: the list of published roots could not be read.",
    enclosedRoot: "Leads to the enclosed root, and so far to that copy alone.",
    noCertificate: "No certificate of the timestamp authority is at hand to check it against.",
    insecure:
      "Browsers check signatures only on pages that came over HTTPS or from disk. Open the page so to check the timestamp.",
    expired:
      "It was genuine when it was made, but a certificate behind it has run out since. A newer timestamp would renew it.",
    renewed:
      "Its own timestamp no longer carries it, or is missing. A later root that contains this one was signed by a timestamp authority whose certificate is still valid.",
    unknownAuthority:
      "It leads to none of the authorities that this page knows. Add the certificate of the authority behind it to check it.",
    otherCertificate: "The certificate you added is not the one behind this timestamp, so it stays open.",
    otherRequest: "The request you added is not this receipt’s.",
    unbounded: "It names no earlier root, so no time is proven after which it was recorded.",
  },

  repeat: {
    heading: "Check it again without us",
    timestamp: "The timestamp, with OpenSSL",
    timestampLead:
      "Save the token here as token.der, and put the certificate of its authority into authority.pem. Then:",
    copy: "Copy",
    copied: "Copied",
    saveToken: "Save the token (token.der)",
    address: "The published root",
    addressLead: "Must show this root:",
    unserved: (path: string) => `${path} on the service’s host, or at any mirror of it`,
    pendingRoot:
      "This file was made before its root was published. Some minutes later the service has a newer report with the missing proof: fetch it, or ask whoever gave you this file.",
    rest: "Everything else is SHA-256 over canonical JSON (RFC 8785) and RFC 9162 Merkle trees: any verifier written from the description of the format must agree.",
    noTimestamp: "There is no timestamp to check yet.",
  },

  log: {
    heading: "Who signed the root",
    noKey:
      "Not checked: which log signed this root, and which witnesses saw it. For that the page needs the key of the log, or a policy (C2SP tlog-policy) that names your witnesses, too.",
    unsigned: "No signed checkpoint of this root could be checked with the key or the policy at hand.",
    unknownSignature:
      "Not checked: this browser verifies no Ed25519 signatures, or the page did not come over HTTPS. A newer browser does, and so does the command line.",
    source:
      "Take the key from somewhere else than the file that is checked: the operator names it, and GET /v1/metachain shows it.",
    label: "Key of the log (vkey)",
    check: "Check with this key",
    malformed:
      "This is no key of a log: it has a name, eight hex digits and Base64, joined by +. Nothing was checked with it. Add a policy as a file.",
    choose: "Add a key or a policy (file)",
  },
  anchor: {
    heading: "What the timestamp rests on",
    none: "No timestamp could be checked with the certificates at hand.",
    service: "From this service itself. Weaker evidence: it shows only that the service agrees with itself.",
    known:
      "From this page, which carries the root certificates of known public authorities. Compare the fingerprint with the one that the authority publishes.",
    reader: (name: string) => `From you: ${name}.`,
    choose: "Use another certificate (PEM)",
    add: "Add a certificate (PEM)",
    authority: "Timestamp authority",
    subject: "Certificate",
    source: "Where it comes from",
    fingerprint: "SHA-256 fingerprint",
    validity: "Valid",
    eidas: "The timestamp follows RFC 3161. It is not a qualified timestamp under eIDAS.",
  },
};
