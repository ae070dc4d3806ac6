// The calls that answer with published files, for the OpenAPI description: the metachain and the wording policy.
import * as z from "zod";
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import type { HandlerName } from "../../contract/routes.ts";
import { metachainSchema, sealSchema, tsaTimestampSchema } from "../../evidence/core/formats/metachain.ts";
import { jurisdictionPolicySchema, policyIndexSchema } from "../../evidence/core/formats/policy-index.ts";
import { type ApiOperation, json, PUBLIC, text } from "./api-operation.ts";
import examples from "./examples.json" with { type: "json" };
import * as parameters from "./parameters.ts";

const { notFound } = PROBLEMS;

/** A layer may have more members than any reader knows: it is judged by the digest of all of them. */
const layerAnswerSchema = z.looseObject({});

export const PUBLISHED_OPERATIONS = {
  metachain: {
    id: "getMetachain",
    tag: "Metachain",
    summary: "How many roots are published, and the latest seal",
    description: "The head of the published Merkle roots against which inclusion proofs are checked.",
    answer: json(metachainSchema, examples.metachain),
    problems: PUBLIC,
  },
  root: {
    id: "getSeal",
    tag: "Metachain",
    summary: "One published seal",
    description: "A published root with its timestamps. It never changes.",
    parameters: [parameters.sealIndex],
    answer: json(sealSchema, examples.seal),
    problems: [notFound, ...PUBLIC],
  },
  timestamp: {
    id: "getLaterTimestamp",
    tag: "Metachain",
    summary: "A later token over a seal's root",
    description:
      "A timestamp token over the root that came after the seal was published. It never changes. The first that is not found is the end of the list.",
    parameters: [parameters.sealIndex, parameters.laterToken],
    answer: json(tsaTimestampSchema, examples.timestamp),
    problems: [notFound, ...PUBLIC],
  },
  checkpoint: {
    id: "getCheckpoint",
    tag: "Metachain",
    summary: "The log's newest checkpoint",
    description:
      "The newest signed checkpoint (C2SP tlog-checkpoint), with the cosignatures of witnesses where there are any.",
    answer: text("text/plain", examples.checkpoint),
    problems: [notFound, ...PUBLIC],
  },
  "seal-checkpoint": {
    id: "getSealCheckpoint",
    tag: "Metachain",
    summary: "The signed checkpoint of one seal",
    description: "The signed checkpoint over the tree of one seal. It never changes.",
    parameters: [parameters.sealIndex],
    answer: text("text/plain", examples.checkpoint),
    problems: [notFound, ...PUBLIC],
  },
  policy: {
    id: "getPolicy",
    tag: "Wording policy",
    summary: "Each jurisdiction with its status and its current layer",
    description:
      "The index of the wording policy. A layer of a tenant's own wordings is never in it: such a layer travels with the tenant's evidence.",
    answer: json(policyIndexSchema, examples.policy),
    problems: [notFound, ...PUBLIC],
  },
  "policy-jurisdiction": {
    id: "getJurisdictionPolicy",
    tag: "Wording policy",
    summary: "The layers of one jurisdiction",
    description:
      "The current layer of the jurisdiction and all former ones, in the order of their publication.",
    parameters: [parameters.jurisdiction],
    answer: json(jurisdictionPolicySchema, examples.jurisdiction),
    problems: [notFound, ...PUBLIC],
  },
  "policy-layer": {
    id: "getPolicyLayer",
    tag: "Wording policy",
    summary: "One layer in its canonical form (RFC 8785)",
    description:
      "The layer whose SHA-256 over exactly these bytes is its name; it never changes. Receipts name their layer by this digest.",
    parameters: [parameters.layerDigest],
    answer: json(layerAnswerSchema, examples.layer),
    problems: [notFound, ...PUBLIC],
  },
} as const satisfies Partial<Record<HandlerName, ApiOperation>>;
