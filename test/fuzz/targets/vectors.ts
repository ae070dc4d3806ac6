// The files under test/vectors/evidence as samples: what readers take, byte by byte.
import {
  type ReceiptCore,
  receiptCoreSchema,
  withoutAuthentication,
} from "../../../evidence/core/formats/receipt.ts";
import { evidenceVectors } from "../../support/evidence.ts";
import { readBytes, readEvidence } from "../../support/vector-files.ts";
import { type Sample, sampleOf } from "../mutations.ts";
import { PROOFS } from "./signed-log.ts";

const MOST_BYTES = 60_000;
const good = evidenceVectors.filter(
  ({ expected, kind }) => expected.startsWith("holds") && kind !== "bundle",
);

const filesOf = (names: Iterable<string>): Sample[] =>
  [...new Set(names)]
    .map((name) => sampleOf(name, readBytes(name)))
    .filter(({ bytes }) => bytes.length < MOST_BYTES);

/** Good evidence of every kind. */
export const EVIDENCE = filesOf([
  ...good.map(({ file }) => file),
  "bundles/conversation.json",
  "seals/1.json",
]);
export const REQUESTS = filesOf(good.flatMap(({ request }) => (request === undefined ? [] : [request])));
export const LAYERS = filesOf(["layers/service.json"]);
export const BILLS = filesOf([
  "bills/final.json",
  "bills/open.json",
  "bills/no-price.json",
  "bills/no-receipts.json",
]);
/** What a reader may have next to evidence. */
export const COMPANIONS = filesOf([
  ...[
    "authorities/service.pem",
    "checkpoints/two-of-three.policy",
    "checkpoints/key.policy",
    "checkpoints/good.json",
  ],
]);
/** What `convert` writes. */
export const LOG_FILES = PROOFS.flatMap(({ index, tlogProof, coseReceipt }) => [
  sampleOf(`${index}.tlog-proof`, tlogProof),
  sampleOf(`${index}.cose`, coseReceipt),
]);
export const TEXTS = [...EVIDENCE, ...REQUESTS, ...LAYERS, ...BILLS];

/** The cores of the receipts, as the service stores them. */
export const CORES: readonly ReceiptCore[] = EVIDENCE.flatMap(({ name }) => {
  const { receipts = [] } = readEvidence(name) as { readonly receipts?: readonly Record<string, unknown>[] };
  return receipts.map((receipt) => receiptCoreSchema.parse(withoutAuthentication(receipt)));
});
