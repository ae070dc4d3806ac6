// The wordings of the layers that ship, as programs look them up: by id or digest, and ready to be attested.
import { DisclosureError } from "../core/errors.ts";
import { formatDigest } from "../core/merkle/hash.ts";
import { hashWording, type Modality, type PolicyLayer, type Wording } from "../core/policy/policy-layer.ts";
import { policyLayers } from "./index.ts";

export interface FoundWording {
  readonly wording: Wording;
  readonly layer: PolicyLayer;
}

/** The part of an attestation request that is about the disclosure. */
export interface WordingDisclosure {
  readonly modality: Modality;
  readonly article_50_clause: "1";
  readonly disclosure_method: string;
  readonly jurisdiction: string;
  readonly subject_hash: string;
}

/** Null for what no layer has: a wording of one's own, or one that was published later. */
export function findWording(digestOrId: string): FoundWording | null {
  for (const layer of policyLayers) {
    const wording = layer.wordings.find(({ digest, id }) => digest === digestOrId || id === digestOrId);
    if (wording !== undefined) return { wording, layer };
  }
  return null;
}

/** The wordings of a jurisdiction (ISO 3166-1 alpha-2), retired ones among them; none where it has no layer. */
export const wordingsOf = (jurisdiction: string): readonly Wording[] =>
  policyLayers.find((layer) => layer.jurisdiction === jurisdiction)?.wordings ?? [];

/**
 * `sha256:` and the hex digest of the text's Unicode NFC form. Hash the registered text, never the spoken one. Throws
 * `malformed` for a lone surrogate, which no text has.
 */
export const hashWordingText = (text: string): string => formatDigest(hashWording(text));

/** How a wording is said or shown: its methods without those by which it is only reported. */
const directMethods = ({ wording, layer }: FoundWording): readonly string[] =>
  wording.methods.filter(
    (id) => !layer.disclosure_methods.some((method) => method.id === id && method.reported),
  );

/**
 * The part of the request for a wording that was said or shown; `method` is needed where it can be so by several. The
 * digest is that of the text as the layer has it, any gap unfilled. Throws `invalid_request` for an id of no wording, or another method.
 */
export function disclosureOf(wordingId: string, method?: string): WordingDisclosure {
  const found = findWording(wordingId);
  if (found === null) throw new DisclosureError("invalid_request", `there is no wording ${wordingId}`);
  const { modality, methods, digest } = found.wording;
  const direct = directMethods(found);
  const disclosure_method = method ?? direct[0] ?? "";
  if (!methods.includes(disclosure_method) || (method === undefined && direct.length > 1))
    throw new DisclosureError("invalid_request", `name a method of ${wordingId}: ${methods.join(", ")}`);
  const { jurisdiction } = found.layer;
  return { modality, article_50_clause: "1", disclosure_method, jurisdiction, subject_hash: digest };
}
