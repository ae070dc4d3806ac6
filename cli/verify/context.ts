// The reader's language, clock and inputs, from which the sentences about a file are made.
import { hashInput } from "../../core/formats/attestation-request.ts";
import { type AnchorDescription, describeAnchors } from "../../reader/anchors.ts";
import type { Given, GivenRequest } from "./given.ts";
import type { Words } from "./words.ts";

export interface NamedAnchor extends AnchorDescription {
  /** Null for a certificate that comes with this program. */
  readonly file: string | null;
}

/** How far the reader let this program look. */
export type Reach = "metachain" | "offline" | "files";

export interface ReportContext {
  readonly words: Words;
  /** RFC 3339. */
  readonly now: string;
  readonly reach: Reach;
  /** True where the reader brought a policy for the log's signatures. */
  readonly hasPolicy: boolean;
  readonly anchors: readonly NamedAnchor[];
  readonly hasOwnAnchors: boolean;
  /** By input hash. */
  readonly requests: ReadonlyMap<string, GivenRequest>;
  readonly text: string | null;
}

export function contextOf(
  given: Given,
  known: Pick<ReportContext, "words" | "now" | "reach" | "hasPolicy">,
): ReportContext {
  const described = describeAnchors(given.anchors.map(({ certificate }) => certificate));
  return {
    ...known,
    anchors: described.map((anchor, i) => ({ ...anchor, file: given.anchors[i]?.file ?? null })),
    hasOwnAnchors: given.anchorFiles.length > 0,
    requests: new Map(given.requests.map((request) => [hashInput(request.request), request])),
    text: given.text,
  };
}
