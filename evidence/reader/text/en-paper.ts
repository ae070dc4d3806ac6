// The words of what is printed in English: the evidence sheet and a bill.
import type { BillCheckName } from "../../core/verify/check-names.ts";
import type { StatedPoint } from "../bill-stated.ts";

const stated: Readonly<Record<StatedPoint, string>> = {
  price:
    "The price: that these are the prices that were agreed on. That the amount follows from them was recomputed.",
  names:
    "The names of the customer and of the plan. The fingerprint is what ties the chains to the customer.",
  receipts:
    "That each receipt counted was recorded for a call of this customer, and that those between the first and the last of a month are dated in it. Whoever keeps the receipts of its calls can compare: the bill says which numbers it counts.",
  made_at: "When the bill was made, between the two seals of the public log that lie before and after it.",
  unsealed: "That no receipt of the month still waited for a seal when the bill became final.",
  before:
    "That a chain’s receipts of earlier months end where its bill begins: the receipt before it is not shown, as it was removed after its time.",
  published: "That the roots are those which everybody is shown: they were not compared with the public log.",
  newest:
    "That the bill counts up to the newest published receipts: the public log was not searched for newer ones.",
  sizes:
    "The sizes: that a chain has as many receipts before each end as the bill says. With the history of the chains (--history) and the public log they are counted.",
  chains:
    "That there is no other chain of this customer: with a history that was fetched with the anchor, the public log shows it.",
};

const checks: Readonly<Record<BillCheckName, readonly [name: string, meaning: string]>> = {
  lines: ["Sum", "The bill is whole, has each chain once, and its count is that of its chains."],
  status: ["Open or final", "A final bill was made after its month was closed."],
  amount: ["Amount", "The amount is what the receipts cost by the prices in the bill."],
  as_of: ["Newest root", "The bill was made as of the newest published root of its time."],
  all_chains: ["All chains", "Each chain of the history that has receipts is billed."],
  tenant: ["Customer", "The chains are those of the customer with this fingerprint."],
  other_chains: ["No other chain", "The public log has no other chain of this customer."],
  span: ["Count", "From, to and count agree, and the receipts at both ends are there."],
  billed_receipts: ["Receipts at the ends", "Each is unchanged and stands at its place of the chain."],
  month_ends: ["Month", "The first and the last receipt are of the month, and those next to them are not."],
  chain_heads: [
    "Heads of the chain",
    "Both heads lead to their roots, and the later one extends the earlier one.",
  ],
  published_heads: ["Published roots", "The roots are those of the public log."],
  public_heads: [
    "Heads in the public log",
    "Both heads are those of the chain, and no published receipt of the month comes after the last one.",
  ],
  chain_history: [
    "History of the chain",
    "The heads are those of the history, with as many leaves as the bill says.",
  ],
};

export const paperEn = {
  sheet: {
    heading: "Evidence sheet",
    lead: "This sheet records a check of disclosure receipts by a program. Anyone who has the files named below can repeat it.",
    receiptTitle: (number: string) => `Receipt ${number}`,
    conversationTitle: (name: string) => `Conversation ${name}`,
    subject: "Subject",
    fromRequest: "from the request, whose hash is in the receipt",
    unknown: "not known: no matching request was given",
    erasure: "Erasure",
    service: "Published roots read from",
    noService: "nowhere: nothing was compared with the published roots",
    program: "Program",
    layer: "List of wordings",
    limits: "What this sheet does not show",
  },

  bill: {
    heading: "Bill of recorded disclosures",
    lead: "This page is made of a bill that proves itself: receipts at both ends of the month show how far each chain grew in it. Whoever has the bill’s file can repeat the check.",
    title: (month: string, tenant: string) => `Bill ${month}, ${tenant}`,
    tenant: "Customer",
    fingerprint: "Fingerprint",
    month: "Month (UTC)",
    status: "Status",
    statuses: { open: "open: it may still grow", final: "final" },
    madeAt: "Made",
    asOf: "As of published root",
    noSeal: "none: nothing was published yet",
    plan: "Plan",
    file: "File",
    outcomes: {
      holds: "The bill holds",
      holds_so_far: "The bill holds as far as it could be checked",
      does_not_hold: "The bill does not hold",
      unreadable: "The bill could not be checked: the public log could not be read",
    },
    lines: "Receipts by chain",
    lineColumns: ["Chain", "From", "Up to", "Receipts"],
    total: "Total",
    amount: "Amount",
    amountColumns: ["Item", "Receipts", "Price of 1,000", "Amount"],
    base: "Base price of the month",
    tier: (number: number) => `Tier ${number}`,
    sum: "Sum, without tax, rounded once",
    noPrice: "The plan has no price: the bill counts and asks for nothing.",
    checks: "What was checked",
    chain: (shard: number) => `chain ${shard}`,
    stated: "Stated, not proven",
    statedPoints: stated,
    checkTexts: checks,
  },
};
