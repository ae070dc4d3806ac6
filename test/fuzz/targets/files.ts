// The files of a reader: what each of them is, whoever wrote it. A file is read, or refused with a reason, and the page
// never throws.
import { canonicalize, parseJson } from "../../../evidence/core/canonical-json.ts";
import { digestOfLayer, parsePolicyLayer } from "../../../evidence/core/policy/policy-layer.ts";
import { readRules } from "../../../evidence/core/policy/policy-rules.ts";
import { verifyBill } from "../../../evidence/core/verify/verify-bill.ts";
import { parseBill } from "../../../evidence/reader/bill.ts";
import { parseDocument } from "../../../evidence/reader/evidence.ts";
import { unreadableReasonOf } from "../../../evidence/reader/unreadable.ts";
import { checkFiles } from "../../../tools/web/check-files.ts";
import { type TakenFile, takeFile } from "../../../tools/web/given-file.ts";
import { anyBytes, type Mutant, mutantsOf } from "../mutations.ts";
import { refusedOr, target } from "../target.ts";
import { BILLS, COMPANIONS, EVIDENCE, LAYERS, LOG_FILES, REQUESTS } from "./vectors.ts";

const sizeOf = ({ bytes }: Mutant): number => bytes.length;
const EVERYTHING = [...EVIDENCE, ...REQUESTS, ...LAYERS, ...COMPANIONS, ...LOG_FILES];

export const documentTarget = target({
  name: "document",
  runs: 2_000,
  inputs: anyBytes(EVERYTHING),
  sizeOf,
  holds: ({ bytes }) => {
    try {
      return parseDocument(bytes).kind !== undefined;
    } catch (error) {
      if (unreadableReasonOf(error) === "failed") throw error;
      return true;
    }
  },
});

const given = ({ sample, bytes }: Mutant): Promise<TakenFile> =>
  takeFile({ name: sample.name, size: bytes.length, read: async () => bytes }, bytes.length);

const NOBODY = { metachain: null, fetchAnchors: async () => [], isSecure: true };

export const pageTarget = target({
  name: "page",
  runs: 300,
  inputs: anyBytes(EVERYTHING),
  sizeOf,
  holds: async (mutant) => {
    const file = await given(mutant);
    const question = { files: [file], history: null, origin: null, fingerprint: null, isSample: false };
    const checkedAt = new Date("2026-11-27T00:00:00.000Z");
    const { entries } = await checkFiles({ ...question, checkedAt, stopped: new Map() }, NOBODY, () => {});
    // An entry that "failed" is one for which the program threw.
    return entries.length === 1 && !JSON.stringify(entries).includes('"reason":"failed"');
  },
});

export const layerTarget = target({
  name: "policy-layer",
  runs: 1_500,
  inputs: mutantsOf(LAYERS),
  sizeOf,
  holds: ({ sample, bytes }) => {
    const value = refusedOr(() => parseJson(bytes), "not_json");
    const rules = refusedOr(() => readRules(value), "malformed");
    const layer = refusedOr(() => parsePolicyLayer(value), "misconfigured");
    if (rules === null) return layer === null;
    const isSame = canonicalize(value) === canonicalize(parseJson(sample.bytes));
    // Whoever changes a layer changes its digest, and a layer of the service is one for every reader.
    return (
      (layer === null || digestOfLayer(layer) === rules.digest) &&
      isSame === (rules.digest === digestOf(sample.bytes))
    );
  },
});

const digestOf = (bytes: Uint8Array): string => readRules(parseJson(bytes)).digest;

export const billTarget = target({
  name: "bill",
  runs: 500,
  inputs: mutantsOf(BILLS),
  sizeOf,
  holds: async ({ sample, bytes }) => {
    const bill = refusedOr(() => parseBill(bytes), "not_json", "malformed", "payload_too_large");
    if (bill === null) return true;
    const { valid } = await verifyBill(bill);
    const honest = parseBill(sample.bytes);
    // The proofs are of the receipts and of their number; names of tenant and plan are the operator's word.
    return !valid || canonicalize(linesOf(bill)) === canonicalize(linesOf(honest));
  },
});

const linesOf = ({ month, count, lines }: ReturnType<typeof parseBill>): unknown => [
  month,
  count,
  lines.map(({ chain_id, from, to, count: own, before, first, last, after }) => [
    ...[chain_id, from, to, own],
    ...[before, first, last, after].map((end) => end?.receipt ?? null),
  ]),
];
