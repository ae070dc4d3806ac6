// Why a check could not be made: a closed list, from which every program makes its own sentence and advice.

export const OPEN_REASONS = [
  /** The file that the check compares with is not at hand: a request, a layer, a published root, a seal, a checkpoint. */
  "not_given",
  /** The reader trusts no certificate of any timestamp authority. */
  "no_anchor",
  /** The reader gave a request, and it is another receipt's. */
  "other_request",
  /** The timestamp leads to none of the certificates that the reader trusts. */
  "other_authority",
  /** It rests on a digest, a key or a signature that is too weak to prove anything any more. */
  "weak",
  /** It has a form, an algorithm, an extension or a size that this program does not judge. */
  "beyond_verifier",
  /** It is of another log than those that the reader's policy names. */
  "other_log",
  /** The history at hand is of other chains, or of no tenant. */
  "other_history",
  /** The evidence was made before its root was published or stamped. */
  "pending",
  /** The log or the history at hand is older than the evidence. */
  "too_new",
  /** The history has a receipt that follows a turn, and it isn't among those at hand. */
  "turn_missing",
  /** A certificate behind the timestamp ran out, and nothing renews it. */
  "expired",
  /** The log signed it, but fewer witnesses than the reader's policy asks for. */
  "no_quorum",
  /** Two files differ about a log that none of them names: of two services, or one is forged. */
  "two_logs",
  /** There is nothing that the check could be about, such as two receipts that follow each other. */
  "nothing_to_check",
] as const;

export type OpenReason = (typeof OPEN_REASONS)[number];
