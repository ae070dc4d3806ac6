// The words of the console in English. Every other language has the same shape.

export const consoleEn = {
  locale: "en-GB",
  wordmark: "Disclosure Receipts",
  title: "Console",
  languageLabel: "Language",
  skip: "Skip to the receipts",
  reading: "Reading …",
  saved:
    "This is a saved copy, and it has no console to ask. Start one with: disclosure-receipts admin console",

  heading: (name: string) => `Console of ${name}`,
  parts: "Parts of this page",
  readAt: "As read at",

  gone: "The console’s program does not answer. It may have been stopped: start it again, and this page goes on by itself.",
  unreachable: (problem: string) =>
    `The deployment can’t be read at the moment (${problem}). The console’s terminal has the reason. What you see is from before; it is tried again.`,

  figures: {
    label: "Figures",
    month: "Receipts this month",
    ofTenants: (tenants: string) => `of ${tenants} tenants alone`,
    seal: "Newest seal",
    none: "none yet",
    justNow: "just now",
    waiting: "Waiting to be sealed",
    tenants: "Tenants",
    chains: (chains: string) => `chains: ${chains}`,
    since: (age: string) => `the oldest came ${age}`,
  },

  findings: {
    heading: "Findings",
    well: "All is well.",
    wellSoFar: "Nothing needs attention, as far as it was checked.",
    attention: (count: string) =>
      count === "1" ? "One thing needs attention." : `${count} things need attention.`,
    concerns: {
      receipts_wait: "Receipts have waited to be sealed for too long.",
      seal_unpublished: "A seal has waited to be published for too long.",
      roots_gone: "Published seals are gone from the public roots.",
      roots_without_token: "Published roots lack a timestamp token.",
      token_does_not_hold: "A timestamp token does not hold.",
      chains_unreadable: "Chains can’t be read. “admin verify” says where.",
      chains_unsealable: "Chains can’t be sealed. “admin verify” says why.",
      entry_unclaimed:
        "No chain claims an entry of the log, so nothing is published. “admin status” names it.",
      checkpoint_does_not_hold: "The published checkpoint of the log does not hold.",
      checkpoint_late: "A seal has waited for its checkpoint for too long.",
      quorum_missing: "The newest checkpoint lacks the quorum of its witnesses.",
      quorum_old: "The newest quorum of witnesses is older than 3 hours.",
      retention_overdue:
        "Receipts may be older than their tenant’s retention. “admin retention” has not run to its end for 40 days.",
    } as Record<string, string>,
    chains: "Chains concerned",
    tokens: "Tokens of the newest seal",
    holds: "holds",
    broken: "does not hold",
    unchecked: "not checked",
    until: (day: string) => `certificate until ${day}`,
    alarms: "Alarms in CloudWatch",
  },

  receipts: {
    heading: "Receipts",
    tenant: "Tenant",
    allTenants: "All tenants",
    verdict: "Verdict",
    allVerdicts: "All verdicts",
    verdicts: {
      ALLOW: "the wording is on the list",
      MODIFY: "recorded, with remarks",
      BLOCK: "the wording was taken off the list",
    } as Record<string, string>,
    pause: "Pause",
    resume: "Go on",
    live: "New receipts appear by themselves.",
    paused: "Paused. No new receipts are shown.",
    older: "Older",
    newer: "Newer",
    newest: "Newest",
    pages: "Pages of receipts",
    away: "These are older receipts. New ones appear on the newest page.",
    arrived: (count: string) => (count === "1" ? "One new receipt." : `${count} new receipts.`),
    none: "No receipt yet. The first one appears here as soon as it is recorded.",
    noneFound: "No receipt here matches this choice.",
    removed: (count: string) => `Removed under retention, and so not shown: ${count}.`,
    damaged: (count: string) => `Can’t be read, and so not shown: ${count}. “admin verify” says where.`,
    leftOut: (count: string) =>
      `Chains that this list leaves out, as there are too many: ${count}. Choose a tenant.`,
    time: "Time (UTC)",
    turn: "Turn",
    place: "Chain · no.",
    placeOf: (shard: string, sequence: string) => `${shard} · ${sequence}`,
    wording: "Wording",
    unknownWording: "no listed wording",
    evidence: "Receipt",
    open: "Check",
    openLabel: (sequence: string, tenant: string) =>
      `Check receipt ${sequence} of ${tenant} on the verifier page`,
  },

  seals: {
    heading: "Seals",
    lead: "The newest seals, the newest on the right. Each publishes a root over the receipts since the one before. Times are in UTC.",
    none: "No seal yet. The first one follows the first receipt.",
    receipts: "Receipts",
    tokens: "Tokens",
    cosigned: "Cosigned",
    delay: "Delay",
    picture: (count: string, newest: string) =>
      `The newest ${count} seals as a picture, up to seal ${newest}. The table below has the same figures.`,
    asTable: "The seals as a table",
    index: "Seal",
    time: "Sealed at (UTC)",
    delayHead: "First token after",
    seconds: (seconds: string) => `${seconds} s`,
    unpublished: "not published yet",
    lacking: "lacks tokens",
    noCheckpoint: "no checkpoint yet",
    notAsked: "no witness is asked",
    legend: "A hollow mark is something that is still missing.",
  },

  tenants: {
    less: (percent: string) => `less than ${percent}`,
    heading: "Tenants and their use",
    lead: (month: string) => `Receipts in ${month}, as the quota counts them.`,
    none: "No tenant yet. Create one with: disclosure-receipts admin tenant create",
    tenant: "Tenant",
    plan: "Plan",
    use: "Use of the quota",
    of: (receipts: string, quota: string, percent: string) => `${receipts} of ${quota} (${percent})`,
    unlimited: (receipts: string) => `${receipts}, no limit`,
    suspended: "suspended",
    nearly: "nearly used up",
    usedUp: "used up",
    show: (tenant: string) => `Show ${tenant}`,
    leftOut: (count: string) => `Tenants that are not shown: ${count}.`,
  },

  days: {
    heading: (tenant: string) => `${tenant} by day`,
    picture: (days: string, most: string) =>
      `Receipts of ${days} days as a line; ${most} at most. The table below has the same figures.`,
    tooMany: "This tenant has too many chains to be counted by day.",
    asTable: "The days as a table",
    day: "Day",
    receipts: "Receipts",
  },

  chains: {
    heading: (tenant: string) => `Chains of ${tenant}`,
    chain: "Chain",
    size: "Receipts",
    sealed: "Of them sealed",
    newest: "Newest receipt (UTC)",
    leftOut: (count: string) => `Chains that are not shown: ${count}.`,
  },

  footer:
    "This page is served by a program on this machine, with your own credentials. It only reads, and asks no other host.",
};

export type ConsoleText = typeof consoleEn;
