// Finds what the reader gave that belongs to none of the evidence: requests, certificates, the text of a wording.
import { hashInput } from "../../core/formats/attestation-request.ts";
import { isOfPlace } from "../../core/verify/verify-cose-receipt.ts";
import { namedLayer } from "../../core/verify/verify-policy.ts";
import { placesOf } from "../../reader/cose-receipts.ts";
import { type Examination, placedChecks } from "../../reader/examination.ts";
import { strayCompanions } from "../../reader/verdict.ts";
import { isFilledFrom, isTextOf } from "../../reader/wording.ts";
import type { Given } from "./given.ts";
import { type AttestedDigests, type Comparison, type FileResult, type Stray, soundFiles } from "./results.ts";

/** The part of a result with which the reader's inputs are compared. */
export type Compared = Pick<FileResult, "checks" | "digests" | "places" | "hasStrayAnchor" | "hasStrayLog">;

export function comparedOf(examination: Examination, hasOwnAnchors: boolean): Compared {
  const strays = strayCompanions(examination);
  return {
    checks: placedChecks(examination),
    digests: digestsOf(examination),
    places: placesOf(examination),
    hasStrayAnchor: hasOwnAnchors && strays.has("trust_anchor"),
    hasStrayLog: strays.has("log"),
  };
}

const digestsOf = ({ turns }: Examination): AttestedDigests[] =>
  turns.flatMap(({ evidence, wording }) =>
    (evidence.receipts ?? []).map((receipt) => ({
      turn: receipt.turn,
      inputHash: receipt.input_hash,
      wordingDigest: (receipt.disclosure as { subject_hash?: unknown } | null | undefined)?.subject_hash,
      layerDigest: namedLayer(receipt),
      wording,
    })),
  );

export function findStrays(
  { requests, coseReceipts, layers, anchorFiles }: Given,
  files: readonly Compared[],
  comparison: Comparison | null,
): Stray[] {
  const inputHashes = new Set(files.flatMap(({ digests }) => digests.map(({ inputHash }) => inputHash)));
  const strayRequests = requests.filter(({ request }) => !inputHashes.has(hashInput(request)));
  const places = files.flatMap((file) => file.places);
  const strayCose = coseReceipts.filter(
    ({ coseReceipt }) => !places.some((place) => isOfPlace(coseReceipt, place)),
  );
  const named = new Set(files.flatMap(({ digests }) => digests.map(({ layerDigest }) => layerDigest)));
  const isLayerLacking = files.some(lacksLayer);
  const strayLayers = layers.filter(
    ({ digest, isNamed }) => !named.has(digest) && (isNamed || isLayerLacking),
  );
  const isAnchorStray = files.some(({ hasStrayAnchor }) => hasStrayAnchor);
  const isLogStray = files.some(({ hasStrayLog }) => hasStrayLog);
  const isTextStray = comparison !== null && comparison.compared > 0 && !hasMatch(comparison);
  return [
    ...strayRequests.map(({ file }) => ({ kind: "request", file }) as const),
    ...strayCose.map(({ file }) => ({ kind: "cose_receipt", file }) as const),
    ...strayLayers.map(({ file }) => ({ kind: "layer", file }) as const),
    ...(isAnchorStray ? ([{ kind: "trust_anchor", file: anchorFiles.join(", ") }] as const) : []),
    ...(isLogStray ? ([{ kind: "log" }] as const) : []),
    ...(isTextStray ? ([{ kind: "wording" }] as const) : []),
  ];
}

const lacksLayer = ({ checks }: Compared): boolean =>
  checks.some(({ name, ok }) => name === "policy" && ok === null);

const hasMatch = ({ matching, filled }: Comparison): boolean => matching.length > 0 || filled.length > 0;

/** A receipt that does not hold shows no digest that was attested, so it is not compared. */
export function compareText(text: string, files: readonly FileResult[]): Comparison {
  const digests = soundFiles(files).flatMap((result) =>
    result.digests.map((digest) => ({ ...digest, file: result.file })),
  );
  // The text is hashed once for each digest: many receipts share few wordings.
  const distinct = [...new Set(digests.map(({ wordingDigest }) => wordingDigest))];
  const attested = new Set(distinct.filter((digest) => typeof digest === "string" && isTextOf(text, digest)));
  const matching = digests.filter(({ wordingDigest }) => attested.has(wordingDigest));
  const filled = digests.flatMap(({ file, turn, wording }) =>
    wording?.text != null && isFilledFrom(text, wording.text)
      ? [{ file, turn: String(turn), wording: wording.id }]
      : [],
  );
  return {
    matching: matching.map(({ file, turn }) => ({ file, turn: String(turn) })),
    filled,
    compared: digests.length,
  };
}
