// The processor time that the worst evidence that we can think of takes a reader to read and verify.
import { MAX_PROOF_BODY_BYTES, MAX_PROOF_VALUES } from "../../../contract/limits.ts";
import { parseJson } from "../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { bundleEvidenceSchema, evidenceSchema } from "../../../evidence/core/formats/evidence.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { verifyBundle } from "../../../evidence/core/verify/verify-bundle.ts";
import { verifyReceipt } from "../../../evidence/core/verify/verify-receipt.ts";
import { requireFewValues } from "../../../lambdas/middleware/request.ts";
import { read } from "../../worst/documents.ts";
import { BUNDLES, RECEIPTS } from "../../worst/evidence.ts";
import { ANCHOR } from "../../worst/tokens.ts";
import { type Cell, columnsOf, type Figure, figureOf, type Measure } from "../result.ts";
import { timeOf } from "../timed.ts";

const FILE_BYTES = 2_000_000;
const BODY_BYTES = MAX_PROOF_BODY_BYTES;
const MAX_FILE_MS = 2_000;
const MAX_BODY_MS = 20;
const RUNS = 3;
const BYTES_PER_KB = 1_000;
const NOW = "2026-11-22T00:00:00.000Z";
const trustAnchors = [...parseCertificatesPem(read("authorities/service.pem")), ANCHOR.certificate];

interface WorstCase {
  readonly kind: "receipt" | "bundle";
  readonly maxValues: number;
}

async function examine(text: string, { kind, maxValues }: WorstCase): Promise<string> {
  try {
    requireFewValues(Buffer.from(text), maxValues);
    const value = parseJson(text);
    const knowledge = { trustAnchors, now: NOW };
    if (kind === "receipt")
      return (await verifyReceipt(evidenceSchema.parse(value), knowledge)).valid ? "holds" : "fails";
    return (await verifyBundle(bundleEvidenceSchema.parse(value), knowledge)).valid ? "holds" : "fails";
  } catch (error) {
    if (isDisclosureError(error) || (error as Error).name === "ZodError") return "unreadable";
    throw error;
  }
}

/** The row of one kind of evidence. */
async function measureOne(name: string, text: string, examined: WorstCase): Promise<Cell[]> {
  let found = "";
  const examineIt = async (): Promise<void> => {
    found = await examine(text, examined);
  };
  const { least } = await timeOf(examineIt, { runs: RUNS });
  return [name, text.length / BYTES_PER_KB, least, found];
}

export const measure: Measure = async ({ isQuick, progress }) => {
  const rows: Cell[][] = [];
  for (const [what, bytes, maxValues] of isQuick ? SIZES.slice(0, 1) : SIZES) {
    for (const [kind, makers] of [
      ["receipt", RECEIPTS],
      ["bundle", bytes === FILE_BYTES ? BUNDLES : {}],
    ] as const) {
      for (const [name, make] of Object.entries(makers)) {
        progress(`${what}: ${name}`);
        rows.push([what, ...(await measureOne(name, JSON.stringify(make(bytes)), { kind, maxValues }))]);
      }
    }
  }
  return { columns: COLUMNS, rows, figures: figuresOf(rows) };
};

const SIZES = [
  ["body", BODY_BYTES, MAX_PROOF_VALUES],
  ["file", FILE_BYTES, Number.POSITIVE_INFINITY],
] as const;

const COLUMNS = columnsOf("as a: text", "evidence: text", "size: KB", "examined in: ms", "found: text");

function figuresOf(rows: readonly Cell[][]): Figure[] {
  const most = (kind: string): number | null => {
    const found = rows.filter(([what]) => what === kind).map((row) => Number(row[3]));
    return found.length === 0 ? null : Math.max(...found);
  };
  return [
    figureOf("the worst body", most("body"), "ms", { atMost: MAX_BODY_MS }),
    figureOf("the worst file", most("file"), "ms", { atMost: MAX_FILE_MS }),
  ];
}
