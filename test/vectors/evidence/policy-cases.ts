// The receipts of the policy check: what was said, by which layer it is judged, what the receipt lies, and which checks
// must fail. Their verdicts are written by hand from docs/policy-layer.md.
import type { Draft, Json } from "./edit.ts";

export const GREETING = "Guten Tag, Sie sprechen mit einer künstlichen Intelligenz.";
export const TEMPLATE = "Guten Tag, hier ist die künstliche Intelligenz von {operator}.";
export const NOTICE = "Sie schreiben mit einer künstlichen Intelligenz.";
export const RETIRED = "Hier ist Ihr digitaler Assistent.";
export const FUTURE = "Guten Tag, hier spricht eine KI.";
export const OWN = "Guten Tag, hier ist die künstliche Intelligenz von Example Ltd.";
export const OWN_RETIRED = "Guten Tag, hier ist der Automat von Example Ltd.";

export interface PolicyCase {
  readonly name: string;
  readonly reason: string;
  readonly said: string;
  /** The layer by which it is judged; the example where it has none. */
  readonly layer?: string;
  readonly disclosure?: { [name: string]: Json };
  /** Lies, which the receipt's own hashes agree with; `digest` is the name of a layer. */
  readonly verdict?: string;
  readonly policy?: { [name: string]: Json };
  /** The layers of the reader; the one that the receipt names where it has none. */
  readonly layers?: readonly string[];
  readonly fails?: true;
  readonly open?: true;
}

const chat = { modality: "chat", disclosure_method: "written_notice" };
const reported = { disclosure_method: "reported_after_call" };
const dutch = { jurisdiction: "NL" };

export const POLICY_CASES: readonly PolicyCase[] = [
  { name: "allow", said: GREETING, reason: "ALLOW: an approved wording" },
  { name: "allow-template", said: TEMPLATE, reason: "ALLOW: a wording whose gap is unfilled" },
  { name: "allow-chat", said: NOTICE, disclosure: chat, reason: "ALLOW: an approved wording of another modality" },
  { name: "allow-own", said: OWN, layer: "effective", reason: "ALLOW: a tenant's own wording, in its effective layer" },
  { name: "modify-wording_unknown", said: OWN, reason: "MODIFY: no wording has the digest" },
  {
    name: "modify-method_unknown",
    said: NOTICE,
    disclosure: { ...chat, disclosure_method: "banner" },
    reason: "MODIFY: the layer has no such method, and the wording none but its own",
  },
  {
    name: "modify-method_not_for_modality",
    said: GREETING,
    disclosure: { disclosure_method: "written_notice" },
    reason: "MODIFY: a method of chats on the phone",
  },
  {
    name: "modify-wording_for_other_modality",
    said: GREETING,
    disclosure: chat,
    reason: "MODIFY: a wording of calls in a chat",
  },
  {
    name: "modify-wording_for_other_method",
    said: GREETING,
    disclosure: { disclosure_method: "spoken_reminder" },
    reason: "MODIFY: an introduction as a reminder",
  },
  {
    name: "modify-method_reported",
    said: GREETING,
    disclosure: reported,
    reason: "MODIFY: an approved wording of which the platform told after the call",
  },
  {
    name: "modify-method_reported-own",
    said: OWN,
    layer: "effective",
    disclosure: reported,
    reason: "MODIFY: reported after the call, and the tenant's wording does not list that method",
  },
  { name: "modify-wording_not_yet_approved", said: FUTURE, reason: "MODIFY: a day before its approval" },
  {
    name: "modify-layer_in_development",
    said: GREETING,
    layer: "preview",
    disclosure: dutch,
    reason: "MODIFY: a layer in development",
  },
  { name: "block", said: RETIRED, reason: "BLOCK: a day after its retirement" },
  { name: "block-own", said: OWN_RETIRED, layer: "effective", reason: "BLOCK: a tenant's own wording, retired" },
  { name: "forged-verdict", said: RETIRED, verdict: "ALLOW", fails: true, reason: "says ALLOW of a retired wording" },
  {
    name: "forged-verdict-stricter",
    said: GREETING,
    verdict: "BLOCK",
    fails: true,
    reason: "says BLOCK of an approved wording",
  },
  {
    name: "forged-wording_id",
    said: GREETING,
    policy: { wording_id: "de-template" },
    fails: true,
    reason: "names another wording than its digest does",
  },
  {
    name: "forged-findings",
    said: OWN,
    verdict: "ALLOW",
    policy: { findings: [] },
    fails: true,
    reason: "leaves out a finding, and so says ALLOW",
  },
  {
    name: "forged-findings-reported",
    said: GREETING,
    disclosure: reported,
    verdict: "ALLOW",
    policy: { findings: [] },
    fails: true,
    reason: "leaves out that it was only reported, and so says ALLOW",
  },
  {
    name: "forged-findings-order",
    said: NOTICE,
    disclosure: { disclosure_method: "banner" },
    policy: { findings: ["wording_for_other_modality", "method_unknown"] },
    fails: true,
    reason: "has its findings in another order",
  },
  {
    name: "forged-version",
    said: GREETING,
    policy: { version: "2026-11-02.1" },
    fails: true,
    reason: "states another version than its layer has",
  },
  {
    name: "forged-jurisdiction",
    said: GREETING,
    policy: { jurisdiction: "AT" },
    fails: true,
    reason: "states another jurisdiction than its layer has",
  },
  {
    name: "forged-jurisdiction-of-the-disclosure",
    said: GREETING,
    disclosure: { jurisdiction: "AT" },
    fails: true,
    reason: "is of another country than its layer",
  },
  {
    name: "forged-digest",
    said: OWN,
    layer: "effective",
    policy: { digest: "example" },
    layers: ["example", "effective"],
    fails: true,
    reason: "names another layer than the one that was applied",
  },
  {
    name: "forged-planned",
    said: GREETING,
    layer: "planned",
    disclosure: { jurisdiction: "BE" },
    fails: true,
    reason: "is judged by a layer that accepts no attestation",
  },
  {
    name: "layer-changed",
    said: RETIRED,
    layers: ["changed"],
    open: true,
    reason: "nothing is wrong: one byte of the reader's layer is another, so it is not the one that the receipt names",
  },
  {
    name: "layer-missing",
    said: OWN,
    layer: "effective",
    layers: ["example"],
    open: true,
    reason: "nothing is wrong: the reader has only the layer that the effective one was made from",
  },
  {
    name: "no-layer",
    said: GREETING,
    policy: { digest: "no-layer" },
    layers: [],
    open: true,
    reason: "names something else by its digest, which the reader does not have",
  },
];

const ANCHORS = "policy/authority.pem";
const file = (name: string): string => `layers/${name}.json`;

export const policyEntries = (): Draft[] => [...POLICY_CASES.map(receiptRow), ...bundleRows()];

function receiptRow(one: PolicyCase, place: number): Draft {
  const { name, reason, layer = "example", layers = [layer], fails, open } = one;
  const isLast = place === POLICY_CASES.length - 1;
  return {
    file: `policy/${name}.json`,
    kind: "receipt",
    failing: fails ? ["policy"] : [],
    unmade: [
      "input_hash",
      ...(open ? ["policy"] : []),
      ...(place > 0 && place % 2 === 0 ? ["links"] : []),
      ...(isLast ? [] : ["evidence_chain"]),
    ],
    reason,
    anchors: ANCHORS,
    seal: "policy/seal.json",
    layers: layers.map(file),
  };
}

/** Bundles of the first two turns. The reader has no layer of its own, and the one published seal. */
function bundleRows(): Draft[] {
  const heads = ["receipts/0/evidence_chain", "receipts/1/evidence_chain"];
  const open = ["receipts/0/policy", "receipts/0/evidence_chain", "receipts/1/policy", "receipts/1/evidence_chain"];
  const row = (name: string, unmade: string[], reason: string): Draft => ({
    file: `policy/bundle-${name}.json`,
    kind: "bundle",
    failing: [],
    unmade,
    reason,
    anchors: ANCHORS,
    published: ["policy/seal.json"],
    layers: [],
  });
  return [
    row("carried", heads, "the bundle has the layer that its receipts name"),
    row("carried-changed", open, "one byte of the bundle's layer is another, so it is not the one that they name"),
    { ...row("carried-too-many", [], "17 layers"), expected: "unreadable" },
    { ...row("carried-no-object", [], "a layer that is a text"), expected: "unreadable" },
  ];
}
