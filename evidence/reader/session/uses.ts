// Which of the reader's companions belong to the evidence: collected from each examination, and told at the end.
import { isOfPlace, type LogPlace } from "../../core/verify/verify-cose-receipt.ts";
import { namedLayer } from "../../core/verify/verify-policy.ts";
import { namedSealIndex } from "../../core/verify/verify-recorded-after.ts";
import { describeAnchors } from "../anchors.ts";
import { placesOf } from "../cose-receipts.ts";
import { type Evidence, receiptsOf } from "../evidence.ts";
import type { Examination } from "../examination.ts";
import { placedChecks } from "../examination.ts";
import { hasReason, lacksLayer } from "../verdict.ts";
import type { CompanionFinding, CompanionKind, UsedAnchor } from "./findings.ts";
import type { Anchors, GivenCertificates } from "./given.ts";
import type { OpenedSession } from "./opened-session.ts";

export class Uses {
  #pieces = 0;
  readonly #inputHashes = new Set<unknown>();
  readonly #layers = new Set<string | null>();
  readonly #seals = new Set<number>();
  readonly #places: LogPlace[] = [];
  readonly #anchors = new Set<string>();
  #lacksLayer = false;
  #lacksAnchor = false;
  #isOfOtherLog = false;
  #hasCheckpoint = false;
  readonly #histories = { held: 0, ofOthers: 0 };

  add(evidence: Evidence, examination: Examination): void {
    this.#pieces++;
    for (const receipt of receiptsOf(evidence)) {
      this.#inputHashes.add(receipt.input_hash);
      this.#layers.add(namedLayer(receipt));
    }
    for (const index of sealsOf(evidence)) this.#seals.add(index);
    this.#places.push(...placesOf(examination));
    for (const anchor of anchorsOf(examination)) this.#anchors.add(anchor);
    this.#lacksLayer ||= lacksLayer(examination);
    this.#lacksAnchor ||= hasReason(examination, "other_authority");
    this.#isOfOtherLog ||= hasReason(examination, "other_log");
    const { turns, seals } = examination;
    this.#hasCheckpoint ||= [...turns, ...seals].some(({ checkpoint }) => checkpoint !== null);
    for (const { name, reason } of placedChecks(examination))
      if (name === "chain_history") this.#histories[reason === "other_history" ? "ofOthers" : "held"]++;
  }

  companions({
    companions,
    policy,
    history,
  }: Pick<OpenedSession, "companions" | "policy" | "history">): CompanionFinding[] {
    const { requests, certificates, seals, coseReceipts, policies, layers } = companions;
    const find = (kind: CompanionKind, file: string, isStray: boolean): CompanionFinding => ({
      kind,
      file,
      use: this.#pieces === 0 ? "unused" : isStray ? "stray" : "used",
    });
    return [
      ...requests.map(({ file, inputHash }) => find("request", file, !this.#inputHashes.has(inputHash))),
      ...certificates.map((one) =>
        one.isNamed
          ? find("certificates", one.file, this.#isStrayAnchor(one))
          : notBelieved("certificates", one),
      ),
      ...seals.map(({ file, seal }) => find("seal", file, !this.#seals.has(seal.index))),
      ...coseReceipts.map(({ file, coseReceipt }) =>
        find("cose_receipt", file, !this.#places.some((place) => isOfPlace(coseReceipt, place))),
      ),
      ...policies.flatMap((one) => {
        if (one === policy) return [find("log_policy", one.file, this.#isOfOtherLog && !this.#hasCheckpoint)];
        return one.isNamed ? [] : [notBelieved("log_policy", one)];
      }),
      ...layers.map(({ file, digest, isNamed }) =>
        find("policy_layer", file, !this.#layers.has(digest) && (isNamed || this.#lacksLayer)),
      ),
      ...(history === null ? [] : [find("history", history, this.#isStrayHistory())]),
    ];
  }

  /** The certificates that a timestamp leads to. One that two sources have counts for the first of them. */
  usedAnchors(anchors: readonly Anchors[]): UsedAnchor[] {
    const found = anchors.flatMap(({ source, der }) =>
      describeAnchors(der)
        .filter(({ fingerprint }) => this.#anchors.has(fingerprint))
        .map((description) => [description.fingerprint, { ...description, source }] as const),
    );
    return [...new Map(found.toReversed()).values()].toReversed();
  }

  /** A certificate is a stray where a timestamp lacks its own, and none leads to this one. */
  #isStrayAnchor({ der }: GivenCertificates): boolean {
    const isUsed = describeAnchors(der).some(({ fingerprint }) => this.#anchors.has(fingerprint));
    return this.#lacksAnchor && !isUsed;
  }

  /** A history is a stray where there are receipts, and it tells of the chain of none of them. */
  #isStrayHistory(): boolean {
    const { held, ofOthers } = this.#histories;
    return held === 0 && ofOthers > 0;
  }
}

const notBelieved = (kind: CompanionKind, { file }: { readonly file: string }): CompanionFinding => ({
  kind,
  file,
  use: "not_believed",
});

/** The fingerprints of the anchors that the timestamps of this evidence lead to. */
export function anchorsOf({ turns, seals }: Examination): ReadonlySet<string> {
  const ofTokens = [...turns, ...seals].map(({ tokenTime }) => tokenTime?.trustAnchor ?? null);
  const ofTimes = turns.flatMap(({ times }) => times.map(({ trustAnchor }) => trustAnchor));
  return new Set([...ofTokens, ...ofTimes].filter((fingerprint) => fingerprint !== null));
}

/** The published roots that evidence is compared with: those that it leads to, names, or is. */
function sealsOf(evidence: Evidence): number[] {
  const named = receiptsOf(evidence).flatMap((receipt) => namedSealIndex(receipt) ?? []);
  if (evidence.kind === "seal") return [evidence.seal.index, evidence.seal.index - 1];
  if (evidence.kind === "bundle") return [...named, ...evidence.bundle.seals.map(({ index }) => index)];
  const cross = evidence.receipt.merkle_proof.cross_tenant_proof;
  return cross === null ? named : [...named, cross.seal_index];
}
