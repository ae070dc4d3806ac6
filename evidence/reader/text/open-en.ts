// English: why a check could not be made, and what helps.
export const openEn = {
  heading: "Not checked:",
  pendingRoot:
    "This file was made before its root was published. Some minutes later the service has a newer report with the missing proof: fetch it, or ask whoever gave you this file.",
  pendingTimestamp: "There was no timestamp yet when this file was made. A newer report has it.",
  noAnchor: "No certificate of a timestamp authority is at hand to check it against.",
  insecure:
    "Browsers check signatures only on pages that came over HTTPS or from disk. Open the page so to check the timestamp.",
  unknownAuthority:
    "It leads to none of the timestamp authorities that this program knows. Get the root certificate from the authority behind it, and add that.",
  otherCertificate: "The certificate you added is not the one behind this timestamp, so it stays open.",
  expired:
    "It was genuine when it was made, but a certificate behind it has run out since. A newer timestamp would renew it.",
  weak: "It rests on a digest, a key or a signature that is so weak that it proves nothing any more. Nothing is shown to be false.",
  beyondVerifier:
    "It has a form, an algorithm, an extension or a size that this program does not judge. Nothing is shown to be false: another program may be able to check it.",
  otherRequest: "The request you added is not this receipt’s.",
  otherLog: "It is of another log than those that your key or your policy names.",
  otherHistory: "The history at hand is of other chains, or does not say of which tenant.",
  tooNew: "The log or the history at hand is older than this. A newer copy of it would show it.",
  turnMissing:
    "The history has a turn of this conversation that is not here. Ask for all of its turns; those that are here stay proven.",
  noQuorum:
    "The log signed this root and its size, but fewer witnesses cosigned that than your policy asks for.",
  noCheckpointPublished: "The log published no signed checkpoint of this root.",
  noPolicy:
    "Whether the log signed this root with its size, and which witnesses saw it, was not checked. Without that, the size is the service’s word, and that everybody is shown the same roots rests on comparing them. It takes the key of the log, or a policy (C2SP tlog-policy) that names your witnesses, too.",
  saved: "Not compared: this saved page connects to nothing. Add the published root to compare it.",
  offline: "Not compared, since you asked to contact nobody.",
  sample: "Not compared: an example is checked with what it brings along.",
  unavailable: "Not compared: the list of published roots could not be read.",
  enclosedRoot: "Leads to the enclosed root, and so far to that copy alone.",
};

export type OpenText = typeof openEn;
