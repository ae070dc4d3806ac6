// The console's paths, and its answers to its own page: what an operator sees of a deployment. The server of the console
// and its page share them, and nobody else does.
import * as z from "zod";

export const CONSOLE_PAGE_PATH = "/";
/** With the id of the event as the last segment. */
export const CONSOLE_REPORTS_PATH = "/console/reports";
export const CONSOLE_PATHS = {
  overview: "/console/overview",
  receipts: "/console/receipts",
  seals: "/console/seals",
  tenants: "/console/tenants",
  days: "/console/days",
  chains: "/console/chains",
} as const;

/** Receipts of one page of the list. */
export const CONSOLE_PAGE_RECEIPTS = 25;

const count = z.int().nonnegative();
const text = z.string();
/** RFC 3339. */
const instant = z.string();

const tokenHealthSchema = z.object({
  authority: text.nullable(),
  /** Null where it can't be checked. */
  holds: z.boolean().nullable(),
  detail: text,
  valid_until: instant.nullable(),
});

export const consoleOverviewSchema = z.object({
  name: text,
  url: text,
  /** The deployment's alarms in CloudWatch; null where there is no CloudWatch. */
  alarms_url: text.nullable(),
  read_at: instant,
  /** The codes of what needs attention, of service/audit/concerns.ts. */
  concerns: z.array(text),
  tenants: count,
  chains: count,
  waiting: z.object({ receipts: count, chains: count, oldest: instant.nullable() }),
  seal: z.object({ index: count, sealed_at: instant, is_published: z.boolean() }).nullable(),
  /** Chains that can't be read or sealed. */
  troubled_chains: z.array(text),
  tokens: z.array(tokenHealthSchema),
});
export type ConsoleOverview = z.infer<typeof consoleOverviewSchema>;

const consoleReceiptSchema = z.object({
  event_id: text,
  /** Where a page that continues behind it begins, as `next` of a page. */
  place: text,
  tenant: text,
  /** The chain's number among those of its tenant, from 0. */
  shard: count,
  sequence: count,
  turn: count,
  verdict: text,
  issued_at: instant,
  modality: text,
  wording_id: text.nullable(),
  findings: z.array(text),
});
export type ConsoleReceipt = z.infer<typeof consoleReceiptSchema>;

export const consoleReceiptPageSchema = z.object({
  /** Newest first. */
  receipts: z.array(consoleReceiptSchema),
  /** Where the next page begins; null where nothing is older. */
  next: text.nullable(),
  /** Receipts that were passed over, since retention removed them or since they can't be read. */
  removed: count,
  damaged: count,
  /** Chains beyond those that one answer reads. */
  chains_left_out: count,
});
export type ConsoleReceiptPage = z.infer<typeof consoleReceiptPageSchema>;

const consoleSealSchema = z.object({
  index: count,
  sealed_at: instant,
  receipts: count,
  is_published: z.boolean(),
  /** The time is the token's own statement, and null where it can't be read. */
  tokens: z.array(z.object({ authority: text.nullable(), time: instant.nullable() })),
  lacks_tokens: z.boolean(),
  has_checkpoint: z.boolean(),
  cosigners: z.array(text),
});
export type ConsoleSeal = z.infer<typeof consoleSealSchema>;

export const consoleSealsSchema = z.object({
  /** Oldest first. */
  seals: z.array(consoleSealSchema),
  asks_witnesses: z.boolean(),
});
export type ConsoleSeals = z.infer<typeof consoleSealsSchema>;

const consoleTenantSchema = z.object({
  id: text,
  plan: text,
  is_suspended: z.boolean(),
  chains: count,
  /** Receipts of the month. */
  receipts: count,
  /** Null where the tenant's plan has no limit. */
  quota: count.nullable(),
});
export type ConsoleTenant = z.infer<typeof consoleTenantSchema>;

export const consoleTenantsSchema = z.object({
  /** "2026-11", UTC. */
  month: text,
  tenants: z.array(consoleTenantSchema),
  left_out: count,
});
export type ConsoleTenants = z.infer<typeof consoleTenantsSchema>;

export const consoleDaysSchema = z.object({
  tenant: text,
  /** From the month's first day to today; null for a tenant of more chains than are counted by day. */
  days: z.array(z.object({ day: text, receipts: count })).nullable(),
});
export type ConsoleDays = z.infer<typeof consoleDaysSchema>;

const consoleChainSchema = z.object({
  shard: count,
  chain_id: text,
  size: count,
  sealed_size: count,
  /** Null for an empty chain. */
  newest: instant.nullable(),
});

export const consoleChainsSchema = z.object({
  tenant: text,
  chains: z.array(consoleChainSchema),
  left_out: count,
});
export type ConsoleChains = z.infer<typeof consoleChainsSchema>;
