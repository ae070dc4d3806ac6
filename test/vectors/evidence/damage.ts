// Makes the damaged vectors from the good ones, one change each, and index.json. What must fail is written down here
// by hand, from docs/receipt-format.md, and not taken from any verifier. Run by hand in this folder, after make.ts.
import { bundleEntries } from "./damage-bundle.ts";
import { forgedEntries } from "./damage-forged.ts";
import { laterEntries } from "./damage-later.ts";
import { policyEntries } from "./policy-cases.ts";
import { proofEntries } from "./damage-proof.ts";
import { receiptEntries } from "./damage-receipt.ts";
import { sealEntries } from "./damage-seal.ts";
import { timestampEntries } from "./damage-timestamp.ts";
import { mixedEntries, unreadableEntries } from "./damage-unreadable.ts";
import { emptyFolder, print, withVerdict, write } from "./edit.ts";

emptyFolder("damaged");
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
write("index.json", print(entries.map(withVerdict) as never));
