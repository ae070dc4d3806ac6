// The receipt that the damaged ones are made from, and how one is made and listed.
import { at, type Edit, type Draft, print, read } from "./edit.ts";

export const ANCHORS = "authorities/service.pem";
export const OTHER_UUID = "00000000-0003-8000-8000-000000000000";
export const OTHER_DIGEST = `sha256:${"5".repeat(64)}`;
export const OTHER_NODE = `0x${"5".repeat(64)}`;
export const MAX_PATH_LENGTH = 54;

/** An included receipt at an odd place of its chain, with findings, several turns in, between other tenants' chains. */
export const BASE = "hand-off";
export const EVENT = "/merkle_proof/event_inclusion_proof";
export const CROSS = "/merkle_proof/cross_tenant_proof";
export const TOKEN = "/tsa_timestamp/timestamp_token";
/** The check of the seal after which a receipt was recorded. */
export const BOUND = "recorded_after";
/** All that need a receipt in the right format. */
export const FORMAT = ["receipt_format", "event_id", "input_hash", "output_hash", "policy", "links", BOUND];
export const FORMAT_AND_LEAF = [
  "receipt_format",
  "event_id",
  "input_hash",
  "output_hash",
  "policy",
  "leaf_hash",
  "links",
  BOUND,
];
/** The head of the chain is a receipt that the reader doesn't have. */
export const HEAD = "evidence_chain";
export const UNPUBLISHED = "published_root";

export type Context = Pick<Draft, "anchors" | "request" | "seal" | "before">;

export const contextOf = (name: string, seal?: number): Context => ({
  anchors: ANCHORS,
  request: `requests/${name}.json`,
  ...(seal !== undefined && { seal: `seals/${seal}.json`, ...sealBefore(name) }),
});

/** Where the reader has published seals, it has the one that the receipt names too. */
function sealBefore(name: string): Pick<Draft, "before"> {
  const named = at(read(`receipts/${name}.json`), "/receipts/0/recorded_after/seal_index");
  return named === undefined ? {} : { before: `seals/${named}.json` };
}

/** A changed copy, and what must come of it. Without failing checks it must hold. */
export function changed(
  name: string,
  failing: string[],
  reason: string,
  edit: Edit,
  overrides: Partial<Draft> & { base?: string } = {},
): Draft {
  const { base = BASE, ...rest } = overrides;
  const value = read(`receipts/${base}.json`);
  edit(value);
  return damagedText(name, failing, reason, print(value), rest);
}

export function damagedText(
  name: string,
  failing: string[],
  reason: string,
  text: string,
  overrides: Partial<Draft> = {},
): Draft {
  const file = `damaged/receipt-${name}.json`;
  const unmade = failing.includes(HEAD) ? [] : [HEAD];
  const made = { [file]: text };
  return { file, kind: "receipt", failing, unmade, reason, ...contextOf(BASE, 2), made, ...overrides };
}
