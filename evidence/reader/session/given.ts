// The files and options of a session: evidence, and what a reader has next to it. A file that came in a folder says
// nothing of the reader's own: whoever made the folder chose it.
import type { JsonObject } from "../../core/canonical-json.ts";
import type { Seal } from "../../core/formats/metachain.ts";
import type { CoseReceipt } from "../../core/log/cose-receipt.ts";
import type { TlogPolicy } from "../../core/log/tlog-policy.ts";

export interface GivenFile {
  /** What the reader calls it; no two files of a session have one name. */
  readonly name: string;
  /** False for a file that came in a folder. */
  readonly isNamed: boolean;
  /** The bytes, asked for twice: many large files would not fit into memory. Throws `DisclosureError`. */
  readonly read: () => Promise<Uint8Array>;
}

export interface GivenRequest {
  readonly file: string;
  readonly request: JsonObject;
  /** The hash that the receipt of this request has. */
  readonly inputHash: string;
}

/** A wording policy layer is believed by its digest, so one that came in a folder counts like any other. */
export interface GivenLayer {
  readonly file: string;
  readonly isNamed: boolean;
  readonly layer: JsonObject;
  readonly digest: string;
}

export interface GivenPolicy {
  readonly file: string;
  readonly isNamed: boolean;
  readonly policy: TlogPolicy;
}

export interface GivenCoseReceipt {
  readonly file: string;
  readonly coseReceipt: CoseReceipt;
}

/** A root that the reader got from the service or a mirror, and names as the published one. */
export interface GivenSeal {
  readonly file: string;
  readonly seal: Seal;
}

/** The origin of a certificate: the reader's file, the program's own list, or the service's word about itself. */
export type AnchorSource =
  | { readonly kind: "service" | "known" }
  | { readonly kind: "reader"; readonly file: string };

/** DER certificates of timestamp authorities. */
export interface Anchors {
  readonly source: AnchorSource;
  readonly der: readonly Uint8Array[];
}

export interface GivenCertificates {
  readonly file: string;
  readonly isNamed: boolean;
  readonly der: readonly Uint8Array[];
}

/** The files that a reader has next to evidence. Published roots come by an option alone. */
export interface Companions {
  readonly requests: readonly GivenRequest[];
  readonly layers: readonly GivenLayer[];
  readonly policies: readonly GivenPolicy[];
  readonly coseReceipts: readonly GivenCoseReceipt[];
  readonly certificates: readonly GivenCertificates[];
  readonly seals: readonly GivenSeal[];
}

export const NO_COMPANIONS: Companions = {
  requests: [],
  layers: [],
  policies: [],
  coseReceipts: [],
  certificates: [],
  seals: [],
};

export const joinCompanions = (all: readonly Companions[]): Companions => ({
  requests: all.flatMap(({ requests }) => requests),
  layers: all.flatMap(({ layers }) => layers),
  policies: all.flatMap(({ policies }) => policies),
  coseReceipts: all.flatMap(({ coseReceipts }) => coseReceipts),
  certificates: all.flatMap(({ certificates }) => certificates),
  seals: all.flatMap(({ seals }) => seals),
});
