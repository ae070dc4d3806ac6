// Reads the files of a session: each is evidence, something that belongs to evidence, or can't be read.
import { isDisclosureError } from "../core/errors.ts";
import { hashInput } from "../core/formats/attestation-request.ts";
import type { Seal } from "../core/formats/metachain.ts";
import type { CoseReceipt } from "../core/log/cose-receipt.ts";
import type { TlogPolicy } from "../core/log/tlog-policy.ts";
import { joinPages, turnsOf } from "../reader/conversation-pages.ts";
import {
  type Document,
  type Evidence,
  isEvidence,
  parseDocument,
  type RequestFile,
} from "../reader/evidence.ts";
import { type UnreadableReason, unreadableReasonOf } from "../reader/unreadable.ts";
import type { Anchors } from "./anchors.ts";
import type { FileFacts, UnreadableEntry } from "./checked.ts";
import type { GivenFile, ProblemReason } from "./given-file.ts";

/** Evidence with its files: several where they are pages of one conversation. */
export interface Piece {
  readonly evidence: Evidence;
  readonly files: readonly FileFacts[];
}

export interface AddedRequest extends FileFacts {
  readonly value: unknown;
  /** The hash that the receipt of this request has. */
  readonly inputHash: string;
}
export type GivenAnchors = Anchors & { readonly file: FileFacts };

export interface AddedCoseReceipt {
  readonly coseReceipt: CoseReceipt;
  readonly file: FileFacts;
}

export interface AddedPolicy {
  readonly policy: TlogPolicy;
  readonly file: FileFacts;
}

export interface AddedLayer {
  readonly layer: unknown;
  /** Receipts name the layer by this digest. */
  readonly layerDigest: string;
  readonly file: FileFacts;
}

export interface ReadFiles {
  readonly pieces: readonly Piece[];
  readonly requests: readonly AddedRequest[];
  readonly anchors: readonly GivenAnchors[];
  readonly coseReceipts: readonly AddedCoseReceipt[];
  readonly policies: readonly AddedPolicy[];
  readonly layers: readonly AddedLayer[];
  readonly unreadable: readonly UnreadableEntry[];
}

/** For these, the technical reason says more than the plain one. */
const EXPLAINED: ReadonlySet<ProblemReason> = new Set<UnreadableReason>([
  "not_json",
  "refusal",
  "two_kinds",
  "malformed",
  "certificates",
]);

/** `stopped` are files that were given up on in an earlier attempt, by digest. Never throws. */
export function readFiles(
  given: readonly GivenFile[],
  stopped: ReadonlyMap<string, ProblemReason>,
): ReadFiles {
  const documents: { readonly document: Document; readonly file: FileFacts }[] = [];
  const unreadable: UnreadableEntry[] = [];
  for (const { content, ...file } of given) {
    const refused = stopped.get(file.digest) ?? (content instanceof Uint8Array ? null : content);
    const document = refused === null ? readDocument(content as Uint8Array, file) : entryFor(file, refused);
    if (document.kind === "unreadable") unreadable.push(document);
    else documents.push({ document, file });
  }
  return {
    pieces: joinPieces(
      documents.flatMap(({ document, file }) =>
        isEvidence(document) ? [{ evidence: document, files: [file] }] : [],
      ),
    ),
    requests: documents.flatMap(({ document, file }) =>
      document.kind === "request" ? [requestIn(document, file)] : [],
    ),
    anchors: documents.flatMap(({ document, file }) =>
      document.kind === "certificates"
        ? [{ source: { kind: "reader", name: file.name }, der: document.anchors, file } as const]
        : [],
    ),
    coseReceipts: documents.flatMap(({ document, file }) =>
      document.kind === "cose_receipt" ? [{ coseReceipt: document.coseReceipt, file }] : [],
    ),
    policies: documents.flatMap(({ document, file }) =>
      document.kind === "log_policy" ? [{ policy: document.policy, file }] : [],
    ),
    layers: documents.flatMap(({ document, file }) =>
      document.kind === "policy_layer"
        ? [{ layer: document.layer, layerDigest: document.rules.digest, file }]
        : [],
    ),
    unreadable,
  };
}

export const entryFor = (file: FileFacts, reason: ProblemReason, detail = ""): UnreadableEntry => ({
  kind: "unreadable",
  files: [file],
  reason,
  detail,
});

function readDocument(bytes: Uint8Array, file: FileFacts): Document | UnreadableEntry {
  try {
    return parseDocument(bytes);
  } catch (error) {
    const reason = unreadableReasonOf(error);
    return entryFor(file, reason, isDisclosureError(error) && EXPLAINED.has(reason) ? error.message : "");
  }
}

const requestIn = ({ request: value }: RequestFile, file: FileFacts): AddedRequest => ({
  ...file,
  value,
  inputHash: hashInput(value),
});

/** Pages of one conversation may be given in any order; each joins the piece that it continues. */
function joinPieces(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces.toSorted((a, b) => firstTurn(a) - firstTurn(b))) {
    const whole = joined
      .map((known) => [known, joinTwo(known, piece)] as const)
      .find(([, both]) => both !== null);
    if (whole?.[1] == null) joined.push(piece);
    else joined.splice(joined.indexOf(whole[0]), 1, whole[1]);
  }
  return joined;
}

const firstTurn = ({ evidence }: Piece): number =>
  evidence.kind === "bundle" ? (turnsOf(evidence)?.[0] ?? 0) : 0;

function joinTwo(a: Piece, b: Piece): Piece | null {
  if (a.evidence.kind !== "bundle" || b.evidence.kind !== "bundle") return null;
  const evidence = joinPages(a.evidence, b.evidence);
  return evidence && { evidence, files: [...a.files, ...b.files] };
}

/** The published roots among the files, by index; of two that differ, the first is compared with. */
export const givenSeals = (pieces: readonly Piece[]): ReadonlyMap<number, Seal> =>
  new Map(
    pieces
      .flatMap(({ evidence }) =>
        evidence.kind === "seal" ? [[evidence.seal.index, evidence.seal] as const] : [],
      )
      .toReversed(),
  );

/** True if the request was hashed into a receipt of this evidence. */
export const belongsTo = ({ inputHash }: AddedRequest, evidence: Evidence): boolean =>
  receiptsOf(evidence).some(({ input_hash }) => input_hash === inputHash);

const receiptsOf = (evidence: Evidence): readonly Readonly<Record<string, unknown>>[] => {
  if (evidence.kind === "seal") return [];
  return evidence.kind === "bundle" ? evidence.bundle.receipts : (evidence.receipt.receipts ?? []);
};
