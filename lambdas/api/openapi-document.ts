// The OpenAPI 3.1 description of the API, generated from the same zod schemas that validate.
import * as z from "zod";
import { CROSS_ORIGIN_HEADERS } from "../../contract/cross-origin.ts";
import { ROUTES, type Route } from "../../contract/routes.ts";
import type { ApiOperation, Content, Tag } from "./api-operation.ts";
import { describeProblems, PROBLEM_HEADERS } from "./openapi-problems.ts";
import { OPERATIONS } from "./operations.ts";
import type { Parameter } from "./parameters.ts";

const TAGS: Record<Tag, string> = {
  Attestation: "Records disclosures. It needs a key with the scope `attest`.",
  Reports:
    "Receipts with their proofs, conversations, and the tenant's own chains, for a key with the scope `report`.",
  Verification: "Checks proofs without a key.",
  Metachain:
    "The published Merkle roots, their timestamps and the log's checkpoints. Files that anyone may copy.",
  "Wording policy":
    "The approved wordings of each jurisdiction. Layers are immutable, under the hash of their bytes.",
  Service:
    "What the service says of itself: its status, its description, its problems, and what a key may do.",
};

const DESCRIPTION = `Providers must design AI systems that talk with people so that these people are told that it is an AI, unless that is obvious (Art. 50(1) of Regulation (EU) 2024/1689). One call records one disclosure and returns a receipt. The receipt shows that this record is unchanged and by when it existed: which wording it names, by digest, and at which turn of the conversation. That the words were said is the word of whoever attested it.

Requests carry digests and identifiers only. Errors are problem details (RFC 9457). Answers may gain members within \`/v1\`; none is renamed or removed. Every GET without a key answers HEAD, too, and what needs no key may be called from the pages of any origin.`;

/** Plain data, ready for JSON.stringify. */
export function buildOpenApi() {
  return {
    openapi: "3.1.1",
    info: {
      title: "Disclosure Receipts",
      version: "1.0.0",
      summary: "Verifiable receipts for AI-interaction disclosures (Art. 50(1), Regulation (EU) 2024/1689)",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The host that served this document" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: buildPaths(),
    components: {
      schemas: buildSchemas(),
      headers: HEADERS,
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "dr_live_<key id>_<secret>",
          description: "A key that the operator gives out. It belongs on a server, never into a page.",
        },
      },
    },
  };
}

const HEADERS = {
  ...PROBLEM_HEADERS,
  "Cache-Control": {
    description: "How long caches may keep the answer",
    schema: { type: "string" },
    example: "no-store",
  },
  "Access-Control-Allow-Origin": {
    description: "Pages of every origin may read the answer",
    schema: { type: "string", const: CROSS_ORIGIN_HEADERS["access-control-allow-origin"] },
    example: "*",
  },
};

const refersTo = (header: keyof typeof HEADERS): object => ({ $ref: `#/components/headers/${header}` });

function buildPaths(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of ROUTES) {
    // OpenAPI has no parameter that takes the rest of a path; its description says that this one does.
    const path = route.path.replace("+}", "}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route) };
  }
  return paths;
}

function describe({ handler, access }: Route) {
  const operation = OPERATIONS[handler];
  const { id, tag, summary, description, parameters = [], body } = operation;
  const common = access === "public" ? ["Access-Control-Allow-Origin" as const] : [];
  const headers = Object.fromEntries(common.map((name) => [name, refersTo(name)]));
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: access === "key" ? [{ apiKey: [] }] : [],
    ...(parameters.length > 0 && { parameters: parameters.map(describeParameter) }),
    ...(body !== undefined && { requestBody: { required: true, content: describeContent(body) } }),
    responses: {
      200: describeAnswer(operation, headers),
      ...describeProblems(operation.problems, headers, toSchema),
    },
  };
}

const describeParameter = (parameter: Parameter): object => ({
  ...parameter,
  schema: toSchema(parameter.schema),
});

const describeAnswer = ({ summary, answer, headers: own = {} }: ApiOperation, headers: object) => ({
  description: summary,
  headers: {
    ...headers,
    "Cache-Control": refersTo("Cache-Control"),
    ...Object.fromEntries(
      Object.entries(own).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
    ),
  },
  content: describeContent(answer),
});

const describeContent = ({ type, schema, example }: Content) => ({
  [type]: {
    ...(schema !== undefined && { schema: toSchema(schema) }),
    ...(example !== undefined && { example }),
  },
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
  "Bill",
  "ChainList",
  "ChainPage",
  "ComplianceReceipt",
  "Erasure",
  "Evidence",
  "EvidenceBundle",
  "EvidenceChain",
  "Health",
  "InclusionVerdict",
  "JurisdictionPolicy",
  "Key",
  "Log",
  "MerkleProof",
  "Metachain",
  "PolicyIndex",
  "ProblemDetails",
  "Receipt",
  "ReceiptList",
  "Renewal",
  "Seal",
  "ServiceStatus",
  "TsaTimestamp",
];

const AS_INPUT = { io: "input" } as const;
const schemaUri = (id: string): string => `#/components/schemas/${id}`;

function withoutDialect({ $schema: _dialect, $id: _id, ...schema }: z.core.JSONSchema.BaseSchema): object {
  return schema;
}
