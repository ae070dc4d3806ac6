// The names of the checks, in the order in which a reader follows them. docs/receipt-format.md and docs/bill.md say what each
// is about. Lists that give each check something are `Record<CheckName, …>`, so that the compiler names them all.

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
  "other_chains",
  "whole",
  "tenant",
] as const;

export type CheckName = (typeof CHECK_NAMES)[number];

export const BILL_CHECK_NAMES = [
  "lines",
  "status",
  "amount",
  "as_of",
  "all_chains",
  "tenant",
  "other_chains",
  "span",
  "billed_receipts",
  "month_ends",
  "chain_heads",
  "published_heads",
  "public_heads",
  "chain_history",
] as const;

export type BillCheckName = (typeof BILL_CHECK_NAMES)[number];
