// The names that core gives its checks, in the order in which a reader follows them. A test holds this list to core.

export const CHECK_NAMES = [
  "receipt_format",
  "event_id",
  "input_hash",
  "output_hash",
  "policy",
  "leaf_hash",
  "links",
  "event_inclusion",
  "evidence_chain",
  "merkle_root",
  "published_root",
  "timestamp",
  "recorded_after",
  "checkpoint",
  "cose_receipt",
  "chain_links",
  "turn_links",
  "chain_consistency",
  "interaction",
  "published_seals",
  "previous_seal",
  "consistency",
  "additional_timestamps",
  "one_history",
  "chain_history",
  "public_heads",
  "tenant",
] as const;

export type CheckName = (typeof CHECK_NAMES)[number];

export const isCheckName = (name: string): name is CheckName =>
  (CHECK_NAMES as readonly string[]).includes(name);
