// The disclosure that benchmarks attest: a voice agent's greeting in an approved wording.
import { policyLayers } from "../evidence/policy/index.ts";

export const DISCLOSURE = {
  modality: "voice",
  article_50_clause: "1",
  disclosure_method: "spoken_introduction",
  agent_identity: "voice-agent/2.4.1",
  jurisdiction: "DE",
  subject_hash: policyLayers
    .flatMap(({ wordings }) => wordings)
    .find(({ modality, methods }) => modality === "voice" && methods.includes("spoken_introduction"))?.digest,
};
