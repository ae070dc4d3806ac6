// The disclosures that callers attest: most in an approved wording, some in none, and a few that the service refuses.
import type { AttestationRequest } from "../../../evidence/core/formats/attestation-request.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { DISCLOSURE } from "../../disclosure.ts";
import { indexIn, type Random } from "../../throughput/random.ts";

const UNKNOWN_SHARE = 0.05;
const REFUSED_SHARE = 0.005;
const AGENTS = ["agents/reception", "agents/returns", "voice-agent/2.4.1"];
const SUBJECT_HEX = 64;
const HEX = 16;
/** A country without an active layer. */
const NO_LAYER = "IS";

const approved = policyLayers
  .filter(({ jurisdiction }) => jurisdiction === DISCLOSURE.jurisdiction)
  .flatMap(({ wordings, jurisdiction }) =>
    wordings.flatMap(({ digest, modality, methods }) =>
      methods.map((disclosure_method) => ({
        jurisdiction,
        subject_hash: digest,
        modality,
        disclosure_method,
      })),
    ),
  );

export interface MadeDisclosure {
  /** The text of the request's body. */
  readonly body: string;
  /** True where the service must refuse the request with 422. */
  readonly isRefused: boolean;
}

export function disclosureOf(interactionId: string, random: Random): MadeDisclosure {
  const wording = approved[indexIn(random, approved.length)];
  if (wording === undefined) throw new Error("no layer has a wording");
  const isRefused = random() < REFUSED_SHARE;
  const request: AttestationRequest = {
    interaction_id: interactionId,
    article_50_clause: "1",
    agent_identity: AGENTS[indexIn(random, AGENTS.length)] ?? "agents/other",
    ...wording,
    ...(random() < UNKNOWN_SHARE && { subject_hash: unknownDigest(random) }),
    ...(isRefused && { jurisdiction: NO_LAYER }),
  };
  return { body: JSON.stringify(request), isRefused };
}

const unknownDigest = (random: Random): string =>
  `sha256:${Array.from({ length: SUBJECT_HEX }, () => indexIn(random, HEX).toString(HEX)).join("")}`;
