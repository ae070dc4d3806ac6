// The events that a deployment puts on an EventBridge bus: the names that its rights, its code and its subscribers share.

export const EVENT_SOURCE = "disclosure-receipts";

/** The values of an event's `detail-type`; evidence/core/formats/events.ts has the shape of each. */
export const EVENT_TYPES = ["SealPublished", "Fault", "LimitReached"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The kinds of faults, each of which raises an alarm, too. */
export const FAULT_KINDS = [
  "publication_conflict",
  "unclaimed_entry",
  "damaged_chains",
  "policy_failure",
  "checkpoint_failure",
  "larger_tree",
  "webhook_dead_letter",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];
