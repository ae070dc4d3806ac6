// The table that every verifier is held to: each row of the vectors' indexes as files on disk, so that a program in any
// language can be given it. What must come out is the index's word; nothing here is typed in by hand.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { checkpointVectors, type EvidenceVector, evidenceVectors } from "../support/evidence.ts";
import { readEvidence } from "../support/vector-files.ts";
import { type Expected, SERVICE_LAYER, verdictOn } from "../vectors/evidence/edit.ts";

/** What a verifier finds: the names of the checks that fail and of those that it can't make, in order. */
export interface Verdict {
  readonly verdict: Expected;
  readonly failing: readonly string[];
  readonly unmade: readonly string[];
}

export const UNREADABLE: Verdict = { verdict: "unreadable", failing: [], unmade: [] };

/** The verdict follows from the checks, every outcome kept apart. */
export const verdictOf = (failing: readonly string[], unmade: readonly string[]): Verdict => ({
  verdict: verdictOn({ failing, unmade }),
  failing,
  unmade,
});

/** Paths of files. What is undefined, or no key of `published`, the reader hasn't got. */
export interface Row {
  readonly kind: EvidenceVector["kind"];
  readonly name: string;
  readonly reason: string;
  readonly file: string;
  readonly anchors?: string;
  readonly request?: string;
  /** The wording policy layers of the reader. */
  readonly layers?: readonly string[];
  /** The reader's policy for the log's signatures. */
  readonly policy?: string;
  /** By index; null where nothing is published. */
  readonly published: Readonly<Record<number, string | null>>;
  /** The reader's clock, in milliseconds since 1970. */
  readonly now: number;
  readonly expected: Verdict;
}

const EVIDENCE = fileURLToPath(new URL("../vectors/evidence/", import.meta.url));
const TIMESTAMPS = fileURLToPath(new URL("../vectors/timestamps/", import.meta.url));
/** When the evidence was made, all of it valid. The reader asks on the day: certificates run out. */
export const EVIDENCE_DAY = Date.parse("2026-11-27T00:00:00Z");
/** A file elsewhere keeps its own path. */
export const evidenceFile = (name: string): string => resolve(EVIDENCE, name);
/** The head of a list of so many roots. */
export const listHead = (size: number): string =>
  JSON.stringify({ size, latest: null, roots: "/v1/metachain/roots/{index}", log: null });
/** That of a list which is known to lack some, and so does not end before them. Nothing newer is looked for in it. */
export const listLacking = (published: Readonly<Record<number, string | null>>): string =>
  listHead(
    Math.max(
      0,
      ...Object.keys(published).map((index) => (published[Number(index)] === null ? Number(index) + 1 : 0)),
    ),
  );
export const caFile = (name: string): string => join(TIMESTAMPS, name);

/** The layer of the vectors' receipts. */
export const serviceLayers: readonly string[] = [evidenceFile(SERVICE_LAYER)];

export const evidenceRows: readonly Row[] = evidenceVectors.map(rowOf);

/** Reports with signed checkpoints, each with the policy of a reader. */
export const checkpointRows: readonly Row[] = checkpointVectors.map((vector) => ({
  ...rowOf(vector),
  policy: evidenceFile(vector.policy),
}));

function rowOf(vector: EvidenceVector): Row {
  return {
    kind: vector.kind,
    name: vector.file,
    reason: vector.reason,
    file: evidenceFile(vector.file),
    ...(vector.anchors !== undefined && { anchors: evidenceFile(vector.anchors) }),
    ...(vector.request !== undefined && { request: evidenceFile(vector.request) }),
    ...(vector.layers !== undefined && { layers: vector.layers.map(evidenceFile) }),
    published: publishedFor(vector),
    now: EVIDENCE_DAY,
    expected: { verdict: vector.expected, failing: vector.failing, unmade: vector.unmade },
  };
}

/** `seal` and `before` are published under the indices that the receipt names, `previous` under the one below the seal's own. */
function publishedFor({ kind, file, seal, before, previous, published }: EvidenceVector): Row["published"] {
  const value = readLoosely(file);
  const pathOf = (name: string | null) => (name === null ? null : evidenceFile(name));
  if (kind === "bundle") return published === undefined ? {} : publishedBeside(value.seals, published);
  if (kind === "seal")
    return previous === undefined || value.index === 0 ? {} : { [value.index - 1]: evidenceFile(previous) };
  const index = value.merkle_proof?.cross_tenant_proof?.seal_index;
  const named = value.receipts?.[0]?.recorded_after?.seal_index;
  return {
    ...(before !== undefined && named !== undefined && { [named]: pathOf(before) }),
    ...(seal !== undefined && index !== undefined && { [index]: pathOf(seal) }),
  };
}

/** The reader looked for every seal of the bundle. */
function publishedBeside(
  seals: readonly { index: number }[],
  published: readonly string[],
): Row["published"] {
  const unpublished = seals.map(({ index }) => [index, null] as const);
  const found = published.map((name, index) => [index, evidenceFile(name)] as const);
  return Object.fromEntries([...unpublished, ...found]);
}

interface Loose {
  readonly index: number;
  readonly seals: readonly { index: number }[];
  readonly receipts?: readonly { readonly recorded_after?: { readonly seal_index: number } | null }[];
  readonly merkle_proof?: { readonly cross_tenant_proof?: { readonly seal_index: number } | null };
}

function readLoosely(file: string): Partial<Loose> & Pick<Loose, "index" | "seals"> {
  try {
    return readEvidence(file) as unknown as Loose;
  } catch (error) {
    if (isDisclosureError(error, "not_json")) return { index: 0, seals: [] };
    throw error;
  }
}

export const bytesOf = ({ file }: Pick<Row, "file">): Uint8Array => new Uint8Array(readFileSync(file));

/** Of a root's own. */
export const indexIn = (file: string): number =>
  (JSON.parse(readFileSync(file, "utf8")) as { index: number }).index;

/** Whether another root lies where a root should be. A program that looks roots up can't judge such a row. */
export const isMisplaced = ({ published }: Row): boolean =>
  Object.entries(published).some(([index, file]) => file !== null && indexIn(file) !== Number(index));
