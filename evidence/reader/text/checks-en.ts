// The checks in plain English: what each is called, and what it means that it held, failed, or could not be made.
import type { CheckTexts } from "./check-texts.ts";

export const checksEn: CheckTexts = {
  receipt_format: {
    name: "Form of the receipt",
    holds: "Complete and in the published format.",
    broken:
      "A field is missing, has been altered into something the format does not allow, or names another event.",
    open: "The receipt itself was not given.",
  },
  event_id: {
    name: "Receipt number",
    holds: "The number names exactly this place in this chain.",
    broken: "The number belongs to another place or another chain.",
    open: "The receipt itself was not given.",
  },
  input_hash: {
    name: "Request",
    holds: "The request at hand is the very one that the receipt was given for.",
    broken: "The request is not the one that the receipt was given for, or the receipt shows it differently.",
    open: "The request is not enclosed. Add it to check it too.",
  },
  output_hash: {
    name: "Outcome",
    holds: "Turn, classification and wording are as they were recorded.",
    broken: "Turn, classification or wording were changed afterwards.",
    open: "The receipt itself was not given.",
  },
  policy: {
    name: "Classification",
    holds: "Computed again from the list of wordings that the receipt names, the classification is the same.",
    broken: "The list of wordings that the receipt names gives another classification.",
    open: "The list of wordings that the receipt names is not at hand. Add it to compute the classification again.",
  },
  leaf_hash: {
    name: "Content",
    holds: "Not one character has changed since the receipt was recorded.",
    broken: "The receipt was changed afterwards, or the proof belongs to another receipt.",
    open: "The receipt itself was not given.",
  },
  links: {
    name: "Link to the receipt before",
    holds: "The receipt is tied to the one recorded before it, or is the first of its chain.",
    broken: "The receipt is not tied to the one recorded before it.",
    open: "Shown only together with the receipt before it, which is not enclosed.",
  },
  event_inclusion: {
    name: "Place in the chain",
    holds:
      "The path leads from the receipt, at its stated place, to the root of its chain. That the place is true, only the chain’s history shows.",
    broken: "The path from the receipt does not lead to the root of its chain.",
    open: "No path was given.",
  },
  evidence_chain: {
    name: "Newest receipt of the chain",
    holds: "This is the newest receipt that the proof covers.",
    broken: "The stated newest receipt contradicts the proof.",
    open: "Names a newer receipt, which is not enclosed. Not needed for this one.",
  },
  merkle_root: {
    name: "Path to the root",
    holds: "The path leads without a gap to the stated root.",
    broken: "The path does not lead to the stated root.",
    open: "No path was given.",
  },
  published_root: {
    name: "Published root",
    holds: "The root is the one on the list.",
    broken:
      "Another root, or none, is on the list at this place: this one is not genuine, or of another service than the list.",
    open: "Not yet compared with the list of published roots.",
  },
  timestamp: {
    name: "Timestamp",
    holds: "A timestamp authority confirmed this very root, at the time shown.",
    broken: "The timestamp is not genuine, covers another root, or states an impossible time.",
    open: "Could not be checked: none is enclosed yet, or no certificate of the authority is at hand.",
  },
  recorded_after: {
    name: "Not before",
    holds:
      "The receipt commits to an earlier published root and its timestamp, where it names one, and so is younger than it.",
    broken:
      "The receipt names another root than this one, one that is not before its own, or was issued long before the timestamp that it commits to.",
    open: "Could not be checked: the root that the receipt names is not at hand, or no certificate of the authority is.",
  },
  checkpoint: {
    name: "Signed by the log",
    holds:
      "The log signed this root together with its size, and as many witnesses as your policy asks for cosigned that.",
    broken: "The checkpoint is of another root or size than this, or a signature on it is not genuine.",
    open: "Could not be checked in full: no signed checkpoint of this root is at hand, it is another log’s than those of your policy, or not all the witnesses that your policy asks for have cosigned it.",
  },
  cose_receipt: {
    name: "COSE receipt",
    holds: "The COSE receipt leads from this receipt to its root, and the log signed that root.",
    broken:
      "The COSE receipt leads to another root than this receipt does, or the log’s signature on it is not genuine.",
    open: "Could not be checked in full: the key of the log is missing, or the COSE receipt is another log’s than those of your policy.",
  },
  one_history: {
    name: "One history",
    holds: "No two of the files state different things about one place.",
    broken:
      "One place of the list has two different entries: the service gave out different histories, or a file is forged.",
    open: "Different roots under one number: they are of two services, or one of them is forged.",
  },
  chain_history: {
    name: "History of the chain",
    holds:
      "The receipt is consistent with this history of its chain: the place, the size and the head are those that it says.",
    broken: "The history that was handed over has something else at this place: one of the two is not true.",
    open: "The history at hand is of other chains, or ends before this receipt.",
  },
  public_heads: {
    name: "Heads in the public log",
    holds:
      "The public log has the receipt’s head under this number of the chain, and every earlier head of the history.",
    broken:
      "The public log has another head of this chain under this number, or none, or has not the heads of the history.",
    open: "The head was not looked for in the public log.",
  },
  other_chains: {
    name: "No other chain",
    holds: "Up to this receipt, the public log has no other chain of this tenant.",
    broken: "The public log has a chain of this tenant that the history leaves out.",
    open: "The public log was not read up to this receipt.",
  },
  whole: {
    name: "Whole conversation",
    holds: "No turn of the conversation is missing here, as far as the history reaches.",
    broken: "A receipt is not as the format says, so that nothing can be said of the turns after it.",
    open: "Whether turns are missing was not checked: that takes the tenant’s history and the public log, both as new as the last turn.",
  },
  tenant: {
    name: "Tenant",
    holds: "The chain is one of the tenant with this fingerprint.",
    broken: "The chain or its history belongs to another tenant.",
    open: "The history does not say to which anchor its chains belong.",
  },
  chain_links: {
    name: "Links of the chain",
    holds: "Every receipt that follows another here is tied to it.",
    broken: "A receipt is not tied to the one before it: something was changed, removed or reordered.",
    open: "The receipts could not be compared.",
  },
  turn_links: {
    name: "Order of the conversation",
    holds: "The turns follow one another without a gap.",
    broken: "A turn is missing, out of order, or not tied to the one before it.",
    open: "The turns could not be compared.",
  },
  chain_consistency: {
    name: "Growth of the chain",
    holds: "Each sealed head of the chain extends the one before: nothing in between was changed.",
    broken: "A sealed head of the chain does not extend the one before: there are two versions of its past.",
    open: "The way from one sealed head of the chain to the next is not enclosed. Ask for the bundle anew.",
  },
  interaction: {
    name: "One conversation",
    holds: "Every request at hand is of this conversation.",
    broken: "A request is of another conversation.",
    open: "The requests are not here (erased or removed). Their hashes remain, and everything else can still be checked.",
  },
  published_seals: {
    name: "Published roots",
    holds: "The enclosed roots are the ones that are published.",
    broken:
      "An enclosed root is not the one that is published: it is not genuine, or of another service than the list.",
    open: "Not yet compared with the list of published roots.",
  },
  previous_seal: {
    name: "Root before",
    holds: "Follows the published root before it, or is the first.",
    broken: "Does not follow the published root before it.",
    open: "The root before it is not enclosed. Not needed here.",
  },
  consistency: {
    name: "Nothing removed",
    holds:
      "This root contains everything that the root contained which it names as the one before. The first root names none.",
    broken: "Something that the root before it contained is missing or was changed.",
    open: "The roots could not be compared.",
  },
  additional_timestamps: {
    name: "Further timestamps",
    holds: "All further timestamps hold, if there are any.",
    broken: "A further timestamp does not hold.",
    open: "Further timestamps could not be checked.",
  },
};
