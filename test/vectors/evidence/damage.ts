// Makes the damaged vectors from the good ones, one change each, and index.json. What must fail is written down here
// by hand, from docs/receipt-format.md, and not taken from any verifier.
import { bundleEntries } from "./damage-bundle.ts";
import { forgedEntries } from "./damage-forged.ts";
import { laterEntries } from "./damage-later.ts";
import { policyEntries } from "./policy-cases.ts";
import { proofEntries } from "./damage-proof.ts";
import { receiptEntries } from "./damage-receipt.ts";
import { sealEntries } from "./damage-seal.ts";
import { timestampEntries } from "./damage-timestamp.ts";
import { mixedEntries, unreadableEntries } from "./damage-unreadable.ts";
import { print, type Vectors, withVerdict } from "./edit.ts";

export function damagedVectors(): Vectors {
  const entries = [
    ...receiptEntries(),
    ...policyEntries(),
    ...proofEntries(),
    ...timestampEntries(),
    ...unreadableEntries(),
    ...sealEntries(),
    ...bundleEntries(),
    ...laterEntries(),
    ...forgedEntries(),
    ...mixedEntries(),
  ];
  const files = Object.assign({}, ...entries.map(({ made }) => made)) as Vectors;
  return { ...files, "index.json": print(entries.map(withVerdict) as never) };
}
