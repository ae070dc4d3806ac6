// The OpenAPI 3.1 description of the API, generated from the same zod schemas that validate.
import * as z from "zod";
import { IDEMPOTENCY_KEY } from "../../contract/limits.ts";
import { PROBLEM_CONTENT_TYPE, problemDetailsSchema } from "../../contract/problem-details.ts";
import { BINARY_TYPE, type HandlerName, ROUTES, type Route } from "../../contract/routes.ts";
import { attestationRequestSchema, interactionIdSchema } from "../../core/formats/attestation-request.ts";
import { chainListSchema, chainPageSchema } from "../../core/formats/chain-history.ts";
import { complianceReceiptSchema } from "../../core/formats/compliance-receipt.ts";
import { evidenceSchema } from "../../core/formats/evidence.ts";
import { evidenceBundleSchema } from "../../core/formats/evidence-bundle.ts";
import { metachainSchema, sealSchema, tsaTimestampSchema } from "../../core/formats/metachain.ts";
import { chainIdSchema } from "../../core/formats/shapes.ts";
import { inclusionVerdictSchema } from "./inclusion-verdict.ts";

interface ApiOperation {
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly parameters?: readonly Parameter[];
  readonly answer?: z.ZodType;
  readonly answerType?: string;
  readonly problems: readonly number[];
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: z.ZodType;
}

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key and body give the same receipt again, for 24 hours",
  schema: z.string().regex(IDEMPOTENCY_KEY),
};

const pathParameter = (name: string, schema: z.ZodType, description: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description,
  schema,
});

const fromTurn: Parameter = {
  name: "from_turn",
  in: "query",
  required: false,
  description:
    "The first turn of the page; `next_turn` of the page before. A page has at most 500 turns, a hundred seals and less than 4 MiB",
  schema: z.int().positive(),
};

const chainId = pathParameter("chain_id", chainIdSchema, "The chain's id, as in its receipts");

const sealIndex = pathParameter("index", z.int().nonnegative(), "The seal's index, from 0");

const laterToken = pathParameter(
  "n",
  z.int().nonnegative(),
  "Which of its later tokens, from 0; the first 404 is the end",
);

const fromSize: Parameter = {
  name: "from",
  in: "query",
  required: false,
  description: "The size of the chain from which the page goes on; `next` of the page before",
  schema: z.int().nonnegative(),
};

const tilePlace = pathParameter(
  "place",
  z.string().regex(/^(?:x\d{3}\/)*\d{3}(?:\.p\/\d{1,3})?$/),
  "The tile's place as in C2SP tlog-tiles, slashes included: `x001/067`, or `x001/067.p/12` of a partial one",
);

const KEYED = [401, 403, 429, 500, 503];
const OPERATIONS: Record<HandlerName, ApiOperation> = {
  attest: {
    summary: "Record one disclosure and return its compliance receipt",
    parameters: [idempotencyKey],
    body: attestationRequestSchema,
    answer: complianceReceiptSchema,
    problems: [400, 409, 413, 415, 422, ...KEYED],
  },
  report: {
    summary: "The same receipt with its proofs as of now",
    parameters: [pathParameter("event_id", z.uuid(), "The event's id")],
    answer: complianceReceiptSchema,
    problems: [404, ...KEYED],
  },
  interaction: {
    summary: "Every receipt of one conversation in order, as one evidence bundle",
    parameters: [pathParameter("interaction_id", interactionIdSchema, "The conversation's id"), fromTurn],
    answer: evidenceBundleSchema,
    problems: [404, 422, ...KEYED],
  },
  chains: { summary: "The tenant's own chains", answer: chainListSchema, problems: KEYED },
  chain: {
    summary: "The sealed heads of one of the tenant's own chains",
    parameters: [chainId, fromSize],
    answer: chainPageSchema,
    problems: [404, 422, ...KEYED],
  },
  "chain-tile": {
    summary: `Leaf hashes of the chain, 32 bytes each; it never changes. Send \`Accept: ${BINARY_TYPE}\``,
    parameters: [chainId, tilePlace],
    answerType: BINARY_TYPE,
    problems: [404, ...KEYED],
  },
  "verify-inclusion": {
    summary: "Check a receipt's proof against the published root, without a key",
    body: evidenceSchema,
    answer: inclusionVerdictSchema,
    problems: [400, 413, 415, 422, 429, 500, 503],
  },
  metachain: {
    summary: "How many roots are published, and the latest seal",
    answer: metachainSchema,
    problems: [503],
  },
  root: {
    summary: "One published seal; it never changes",
    parameters: [sealIndex],
    answer: sealSchema,
    problems: [404, 503],
  },
  timestamp: {
    summary: "A token over a seal's root that came after the seal was published; it never changes",
    parameters: [sealIndex, laterToken],
    answer: tsaTimestampSchema,
    problems: [404, 503],
  },
  checkpoint: { summary: "The log's newest checkpoint", answerType: "text/plain", problems: [404, 503] },
  "seal-checkpoint": {
    summary: "The signed checkpoint over the tree of one seal; it never changes",
    parameters: [sealIndex],
    answerType: "text/plain",
    problems: [404, 503],
  },
  openapi: { summary: "This document", problems: [500] },
  "problems-page": { summary: "What each problem means", answerType: "text/html", problems: [500] },
};

/** Plain data, ready for JSON.stringify. */
export function buildOpenApi() {
  return {
    openapi: "3.1.1",
    info: {
      title: "Disclosure Receipts",
      version: "1.0.0",
      summary: "Verifiable receipts for AI-interaction disclosures (Art. 50(1), Regulation (EU) 2024/1689)",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    paths: Object.fromEntries(
      // OpenAPI has no parameter that takes the rest of a path; its description says that this one does.
      ROUTES.map((route) => [
        route.path.replace("+}", "}"),
        { [route.method.toLowerCase()]: describe(route) },
      ]),
    ),
    components: {
      schemas: buildSchemas(),
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "dr_live_<key id>_<secret>" },
      },
    },
  };
}

function describe({ handler, access }: Route) {
  const {
    summary,
    parameters = [],
    body,
    answer,
    answerType = "application/json",
    problems,
  } = OPERATIONS[handler];
  return {
    operationId: handler,
    summary,
    security: access === "key" ? [{ apiKey: [] }] : [],
    ...(parameters.length > 0 && {
      parameters: parameters.map((p) => ({ ...p, schema: toSchema(p.schema) })),
    }),
    ...(body !== undefined && {
      requestBody: { required: true, content: content("application/json", body) },
    }),
    responses: {
      200: { description: summary, content: content(answerType, answer) },
      ...Object.fromEntries(problems.map((status) => [status, problemResponse(status)])),
    },
  };
}

const problemResponse = (status: number) => ({
  description: `Problem ${status}`,
  content: content(PROBLEM_CONTENT_TYPE, problemDetailsSchema),
});

const content = (type: string, schema: z.ZodType | undefined) => ({
  [type]: schema === undefined ? {} : { schema: toSchema(schema) },
});

/** A reference for schemas that have a name, and the schema itself for the rest. */
function toSchema(schema: z.ZodType): object {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: schemaUri(id) };
  return withoutDialect(z.toJSONSchema(schema, AS_INPUT));
}

/** The schemas that this document names. As input: members that answers gain later must not break today's clients. */
function buildSchemas(): object {
  // The registry also holds schemas of the reader's programs, which are no part of the API.
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...AS_INPUT, uri: schemaUri });
  return Object.fromEntries(PUBLIC_SCHEMAS.map((id) => [id, withoutDialect(schemas[id] ?? {})]));
}

const PUBLIC_SCHEMAS = [
  "AttestationRequest",
  "ChainList",
  "ChainPage",
  "ComplianceReceipt",
  "Evidence",
  "EvidenceBundle",
  "EvidenceChain",
  "InclusionVerdict",
  "Log",
  "MerkleProof",
  "Metachain",
  "ProblemDetails",
  "Receipt",
  "Renewal",
  "Seal",
  "TsaTimestamp",
];

const AS_INPUT = { io: "input" } as const;
const schemaUri = (id: string): string => `#/components/schemas/${id}`;

function withoutDialect({ $schema: _dialect, $id: _id, ...schema }: z.core.JSONSchema.BaseSchema): object {
  return schema;
}
