// Bundles made to confuse: where a list may be read in two ways, all verifiers read it in one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { EVIDENCE_DAY, evidenceFile, type Row, serviceLayers } from "./rows.ts";

const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OTHER_ROOT = `0x${"5".repeat(64)}`;

interface Bundle {
  interaction_id: unknown;
  receipts: Record<string, unknown>[];
  requests: unknown[];
  proofs: Record<string, unknown>[];
  seals: Record<string, unknown>[];
}

/** A turn stands twice, and the second time another one claims its place in the chain. */
function fork(bundle: Bundle): void {
  bundle.receipts.splice(2, 0, { ...bundle.receipts[1], verdict: "BLOCK" });
  bundle.requests.splice(2, 0, null);
  bundle.proofs.splice(2, 0, bundle.proofs[1] ?? {});
}

const twice = (seal: Record<string, unknown> = {}): Record<string, unknown>[] => [
  seal,
  { ...seal, merkle_root: OTHER_ROOT },
];

/** `fails` is a check that must fail, or null where nothing can be read. */
const CASES: readonly (readonly [name: string, fails: string | null, change: (bundle: Bundle) => void])[] = [
  ["a fork of the chain", "chain_links", fork],
  [
    "a fork, told in the other order",
    "chain_links",
    (bundle) => {
      fork(bundle);
      bundle.receipts.splice(1, 2, ...bundle.receipts.slice(1, 3).reverse());
    },
  ],
  ["a receipt that is none", "turn_links", ({ receipts }) => receipts.splice(1, 1, {})],
  [
    "a chain that is no text",
    "chain_links",
    ({ receipts }) => Object.assign(receipts[1] ?? {}, { chain_id: [] }),
  ],
  [
    "two roots under one number, the right one first",
    null,
    ({ seals }) => {
      seals.splice(0, 1, ...twice(seals[0]));
    },
  ],
  [
    "two roots under one number, the wrong one first",
    null,
    ({ seals }) => {
      seals.splice(0, 1, ...twice(seals[0]).reverse());
    },
  ],
  ["a request that is a number", "interaction", ({ requests }) => requests.splice(1, 1, 5)],
  ["a request that is a list", "receipts/1/input_hash", ({ requests }) => requests.splice(1, 1, [])],
  [
    "a conversation without a name",
    null,
    (bundle) => {
      bundle.interaction_id = "";
    },
  ],
  [
    "a conversation whose name is a script",
    null,
    (bundle) => {
      bundle.interaction_id = "<script>";
    },
  ],
  ["a proof of no event", null, ({ proofs }) => delete proofs[1]?.event_id],
  [
    "a proof of another event",
    "receipts/1/receipt_format",
    ({ proofs }) => Object.assign(proofs[1] ?? {}, { event_id: proofs[0]?.event_id }),
  ],
  ["a proof too few", null, ({ proofs }) => proofs.pop()],
  ["no receipts", null, (bundle) => Object.assign(bundle, { receipts: [], requests: [], proofs: [] })],
];

const NOT_EXPECTED: Row["expected"] = { verdict: "does_not_hold", failing: [], unmade: [] };

export const hostileBundles: readonly (Row & { readonly fails: string | null })[] = CASES.map(
  ([name, fails, change], i) => {
    const bundle = JSON.parse(readFileSync(evidenceFile("bundles/conversation.json"), "utf8")) as Bundle;
    change(bundle);
    const file = join(folder, `${i}.json`);
    writeFileSync(file, JSON.stringify(bundle));
    const anchors = evidenceFile("authorities/service.pem");
    const known = {
      anchors,
      layers: serviceLayers,
      published: {},
      now: EVIDENCE_DAY,
      expected: NOT_EXPECTED,
    };
    return { kind: "bundle", name, reason: "", file, ...known, fails };
  },
);
