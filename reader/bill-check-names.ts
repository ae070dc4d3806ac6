// The names that core gives the checks of a bill, in the order in which a reader follows them. A test holds this list to core.

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
  "newest_head",
  "chain_history",
] as const;

export type BillCheckName = (typeof BILL_CHECK_NAMES)[number];
