// Files that a reader added to evidence, as the page lists them: each belongs to some of it, or is a stray.

import { isOfPlace } from "../core/verify/verify-cose-receipt.ts";
import { placesOf } from "../reader/cose-receipts.ts";
import type { Examination } from "../reader/examination.ts";
import { namesLayer, strayCompanions } from "../reader/verdict.ts";
import { usedAnchors } from "./anchors.ts";
import type { CompanionEntry } from "./checked.ts";
import {
  type AddedCoseReceipt,
  type AddedLayer,
  type AddedPolicy,
  type AddedRequest,
  belongsTo,
  type GivenAnchors,
  type Piece,
  type ReadFiles,
} from "./read-files.ts";

export const companionEntries = (read: ReadFiles, examinations: readonly Examination[]): CompanionEntry[] => [
  ...read.requests.map((request) => requestEntry(request, read.pieces)),
  ...read.anchors.map((given) => anchorsEntry(given, examinations)),
  ...read.coseReceipts.map((given) => coseEntry(given, examinations)),
  ...read.policies.map((given) => policyEntry(given, read, examinations)),
  ...read.layers.map((given) => layerEntry(given, examinations)),
];

/** The policy that counts: one that came later takes the place of those before. */
export const policyIn = ({ policies }: Pick<ReadFiles, "policies">): AddedPolicy | null =>
  policies.at(-1) ?? null;

export const isStray = (request: AddedRequest, pieces: readonly Piece[]): boolean =>
  pieces.every(({ evidence }) => !belongsTo(request, evidence));

const requestEntry = (request: AddedRequest, pieces: readonly Piece[]): CompanionEntry => {
  const { value: _, inputHash: _hash, ...file } = request;
  return { kind: "request", files: [file], isStray: pieces.length > 0 && isStray(request, pieces) };
};

/** A certificate is a stray where a timestamp lacks its own, and none leads to this one. */
const anchorsEntry = (given: GivenAnchors, examinations: readonly Examination[]): CompanionEntry => ({
  kind: "certificates",
  files: [given.file],
  isStray:
    examinations.some((examination) => strayCompanions(examination).has("trust_anchor")) &&
    usedAnchors([given], examinations).length === 0,
});

function coseEntry(
  { coseReceipt, file }: AddedCoseReceipt,
  examinations: readonly Examination[],
): CompanionEntry {
  const places = examinations.flatMap(placesOf);
  const isOfNone = !places.some((place) => isOfPlace(coseReceipt, place));
  return { kind: "cose_receipt", files: [file], isStray: examinations.length > 0 && isOfNone };
}

/** A policy is a stray where another came later, and where it names the log of no evidence here. */
function policyEntry(
  given: AddedPolicy,
  read: ReadFiles,
  examinations: readonly Examination[],
): CompanionEntry {
  const isOtherLogs =
    examinations.some((examination) => strayCompanions(examination).has("log")) &&
    examinations.every(({ turns, seals }) =>
      [...turns, ...seals].every(({ checkpoint }) => checkpoint === null),
    );
  return { kind: "log_policy", files: [given.file], isStray: isOtherLogs || given !== policyIn(read) };
}

/** A layer is a stray where no receipt names it: the page must not say that it was used. */
const layerEntry = (
  { layerDigest, file }: AddedLayer,
  examinations: readonly Examination[],
): CompanionEntry => ({
  kind: "policy_layer",
  files: [file],
  isStray: examinations.length > 0 && !examinations.some((each) => namesLayer(each, layerDigest)),
});
