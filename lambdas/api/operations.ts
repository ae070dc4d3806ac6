// The parameters, bodies and answers of each call of the API, for its OpenAPI description.
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import { BINARY_TYPE, type HandlerName } from "../../contract/routes.ts";
import { WARNING_HEADER } from "../../contract/warning-header.ts";
import { attestationRequestSchema } from "../../evidence/core/formats/attestation-request.ts";
import { billSchema } from "../../evidence/core/formats/bill.ts";
import { chainListSchema, chainPageSchema } from "../../evidence/core/formats/chain-history.ts";
import { complianceReceiptSchema } from "../../evidence/core/formats/compliance-receipt.ts";
import { evidenceSchema } from "../../evidence/core/formats/evidence.ts";
import { evidenceBundleSchema } from "../../evidence/core/formats/evidence-bundle.ts";
import { MAX_PAGE_RECEIPTS, receiptListSchema } from "../../evidence/core/formats/receipt-list.ts";
import { MAX_EXAMINED_LEAVES } from "../../service/reports/receipt-list.ts";
import { type ApiOperation, BODY, json, KEYED, PUBLIC } from "./api-operation.ts";
import examples from "./examples.json" with { type: "json" };
import { inclusionVerdictSchema } from "./inclusion-verdict.ts";
import { keyDescriptionSchema } from "./key-description.ts";
import * as parameters from "./parameters.ts";
import { PUBLISHED_OPERATIONS } from "./published-operations.ts";
import { healthSchema, serviceStatusSchema } from "./service-status.ts";

const { notFound, receiptRemoved, invalidRequest } = PROBLEMS;

export const OPERATIONS: Record<HandlerName, ApiOperation> = {
  ...PUBLISHED_OPERATIONS,
  attest: {
    id: "attest",
    tag: "Attestation",
    summary: "Record one disclosure and return its compliance receipt",
    description:
      "Records that a person was told that they speak to an AI system: with which wording, how, where, and at which turn of the conversation. The request carries digests and identifiers only; an unknown field is refused. Needs the scope `attest`. The answer holds the Merkle path and the link to the receipt before, and as a rule a timestamp token over the chain's root; the published root comes with the report.",
    parameters: [parameters.idempotencyKey],
    body: json(attestationRequestSchema, examples.request),
    answer: json(complianceReceiptSchema, examples.receipt),
    headers: {
      [WARNING_HEADER]:
        "One sentence where `interaction_id` looks like a telephone number, an e-mail address or a SIP address: the disclosure is recorded all the same, and the receipt says nothing of it",
    },
    problems: [...BODY, PROBLEMS.jurisdictionNotActive, PROBLEMS.idempotencyConflict, ...KEYED],
  },
  report: {
    id: "getReport",
    tag: "Reports",
    summary: "The same receipt with its proofs as of now",
    description:
      "The receipt of one event with the proofs that exist by now. Once its root is published both statuses are `included`, and the report is all that a reader needs beside the published root. Needs the scope `report`.",
    parameters: [parameters.eventId, parameters.asOf],
    answer: json(complianceReceiptSchema, examples.report),
    headers: {
      "Retry-After": "While the root is not published: after how many seconds it is worth asking again",
    },
    problems: [notFound, receiptRemoved, invalidRequest, ...KEYED],
  },
  interaction: {
    id: "getInteraction",
    tag: "Reports",
    summary: "Every receipt of one conversation in order, as one evidence bundle",
    description:
      "All receipts of a conversation with their requests, proofs and seals, page by page. A page has at most 500 turns, a hundred seals and less than 4 MiB; `next_turn` says where the next begins. Behind the last turn a page is empty. Needs the scope `report`.",
    parameters: [parameters.interactionId, parameters.fromTurn],
    answer: json(evidenceBundleSchema, examples.bundle),
    problems: [notFound, invalidRequest, ...KEYED],
  },
  receipts: {
    id: "listReceipts",
    tag: "Reports",
    summary: "The tenant's receipts of a range of time",
    description: `The receipts whose \`issued_at\` is in the range, chain by chain in the order of \`sequence\`: within a chain by time. A page has at most ${MAX_PAGE_RECEIPTS} receipts and looks at ${MAX_EXAMINED_LEAVES} at most, so one with a filter can be empty and have a \`next\`. A row is no evidence; its report is. Needs the scope \`report\`.`,
    parameters: parameters.receiptList,
    answer: json(receiptListSchema, examples.receipts),
    problems: [invalidRequest, ...KEYED],
  },
  chains: {
    id: "listChains",
    tag: "Reports",
    summary: "The tenant's own chains",
    description:
      "The chains that the tenant's conversations are spread over, used or not. Needs the scope `report`.",
    answer: json(chainListSchema, examples.chains),
    problems: KEYED,
  },
  "chain-heads": {
    id: "getChain",
    tag: "Reports",
    summary: "The sealed heads of one of the tenant's own chains",
    description:
      "Each head of the chain that a seal publishes, in order, a hundred a page. Needs the scope `report`.",
    parameters: [parameters.chainId, parameters.fromSize],
    answer: json(chainPageSchema, examples.chain),
    problems: [notFound, invalidRequest, ...KEYED],
  },
  "chain-entries": {
    id: "getChainEntries",
    tag: "Reports",
    summary: "Leaves of one of the tenant's own chains",
    description: `The leaves of the chain, 64 bytes each, 256 a full bundle; it never changes. The leaf hash is SHA-256 of a zero byte and the leaf. Send \`Accept: ${BINARY_TYPE}\`, or a gateway may answer with base64. Needs the scope \`report\`.`,
    parameters: [parameters.chainId, parameters.bundlePlace],
    answer: { type: BINARY_TYPE },
    problems: [notFound, ...KEYED],
  },
  key: {
    id: "getKey",
    tag: "Service",
    summary: "What the caller's key may do",
    description:
      "The key's tenant, scopes and end, the limits of the plan, and the receipts of the month so far, counted as the quota counts them. Any key may ask. No secret is in the answer.",
    answer: json(keyDescriptionSchema, examples.key),
    problems: KEYED,
  },
  usage: {
    id: "getUsage",
    tag: "Reports",
    summary: "The bill of one of the tenant's months",
    description:
      "The receipts of a calendar month (UTC), by their `issued_at`, chain by chain, with proofs that anybody can check: the receipts at both ends of the month, under published heads. A bill is `final` an hour after the month's end, once every receipt of the month is published; until then it is `open`, and counts what is published. A page has at most 128 chains, and the `count` of all. A month that has not begun, or ended before the tenant was created, is a 422. Needs the scope `report`.",
    parameters: [parameters.month, parameters.fromShard],
    answer: json(billSchema, examples.bill),
    problems: [PROBLEMS.receiptRemoved, invalidRequest, ...KEYED],
  },
  "verify-inclusion": {
    id: "verifyInclusion",
    tag: "Verification",
    summary: "Check a receipt's proof against the published root, without a key",
    description:
      "Takes a compliance receipt as it was received, or any part of it that holds `merkle_proof`. A proof that does not hold is an answer (`valid: false`), not an error. Checks that could not be made are left out. What it verifies anybody can verify without it: see `receipts verify`.",
    body: json(evidenceSchema, examples.proof),
    answer: json(inclusionVerdictSchema, examples.verdict),
    problems: [...BODY, ...PUBLIC],
  },
  status: {
    id: "getStatus",
    tag: "Service",
    summary: "The status of the interface",
    description:
      "The status of each endpoint, capability and jurisdiction, and the day on which it was last checked; the log's newest published root, and how old the newest quorum of its witnesses is.",
    answer: json(serviceStatusSchema, examples.status),
    problems: PUBLIC,
  },
  health: {
    id: "getHealth",
    tag: "Service",
    summary: "Whether the service answers",
    description: "For load balancers and monitors. It asks neither the ledger nor anything else.",
    answer: json(healthSchema, examples.health),
    problems: PUBLIC,
  },
  openapi: {
    id: "getOpenApi",
    tag: "Service",
    summary: "This document",
    description: "The OpenAPI 3.1 description of this API, made of the schemas that validate its requests.",
    answer: { type: "application/json" },
    problems: PUBLIC,
  },
  "problems-page": {
    id: "getProblems",
    tag: "Service",
    summary: "What each problem means",
    description: "The page that the `type` of every problem leads to.",
    answer: { type: "text/html" },
    problems: PUBLIC,
  },
};
