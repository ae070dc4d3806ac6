// A caller in TypeScript whose types were generated from the API's description. It is compiled, and run against a stack.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

const [baseUrl = "", apiKey = "", requestText = "{}"] = process.argv.slice(2);
const request = JSON.parse(requestText) as components["schemas"]["AttestationRequest"];
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });

function whole<T>({ data, error }: { data?: T; error?: components["schemas"]["ProblemDetails"] }): T {
  if (data === undefined) throw new Error(`${error?.status} ${error?.detail}`);
  return data;
}

const receipt = whole(await client.POST("/v1/attestation", { body: request }));
const path = { event_id: receipt.event_id };
const report = whole(await client.GET("/v1/attestation/{event_id}", { params: { path } }));
const conversation = whole(
  await client.GET("/v1/interactions/{interaction_id}", {
    params: { path: { interaction_id: request.interaction_id }, query: { from_turn: 1 } },
  }),
);
const verdict = whole(
  await client.POST("/v1/verify-inclusion", { body: { merkle_proof: report.merkle_proof } }),
);
const policy = whole(await client.GET("/v1/policy"));
const { error: problem } = await client.POST("/v1/attestation", { body: { ...request, jurisdiction: "BE" } });

console.log(
  JSON.stringify({
    verdict: receipt.receipts[0]?.verdict,
    report: report.event_id === receipt.event_id,
    turns: conversation.receipts.map(({ turn }) => turn),
    valid: verdict.valid,
    active: policy.jurisdictions.filter(({ status }) => status === "active").map((one) => one.jurisdiction),
    problem: [problem?.status, problem?.errors?.[0]?.pointer],
  }),
);
