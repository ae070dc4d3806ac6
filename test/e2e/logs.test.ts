// What is logged, at the level that says most: never a key, an interaction id, an agent identity or a body.
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startDynamoDb } from "../../host/local/dynamodb.ts";
import { ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { newFolder, startLocalStack } from "../support/local-stack.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { replyWith, TestAuthority } from "../support/test-authority.ts";

const INTRODUCTION_END = "drop report.json there.\n";

/** What no log line may hold; each is told to the service in one way or another. */
const SECRETS = {
  interactionId: "call.secret-interaction",
  agentIdentity: "agents/secret-agent",
  idempotencyKey: "secret-idempotency-key",
  wrongKey: `dr_live_${"a".repeat(20)}_${"5ec3e7".repeat(10)}5ec3`,
  body: "Guten Tag, secret-body",
} as const;
/** The line of a call: nothing in it comes from the caller but the method. */
const CALL_LINE =
  /^\d{2}:\d{2}:\d{2} \d{3}(?: (?:(?:ALLOW|MODIFY|BLOCK) turn \d+|[a-z-]+))? (?:GET|POST|DELETE) (?:\(no route\)|\/v1\/[a-z0-9/{}_+.-]+)(?: [0-9a-f-]{36})?$/;

const secret = disclosure({ interaction_id: SECRETS.interactionId, agent_identity: SECRETS.agentIdentity });

async function makeGoodCalls(api: ApiClient): Promise<void> {
  const { event_id } = await api.attest(secret, { "idempotency-key": SECRETS.idempotencyKey });
  await api.attest(secret, { "idempotency-key": SECRETS.idempotencyKey });
  await api.verifyInclusion(await api.report(event_id));
  await api.interaction(SECRETS.interactionId);
}

/** Calls that are refused, each for another reason and with something secret in it. Answers the request ids. */
async function makeBadCalls(api: ApiClient): Promise<string[]> {
  const attest = (body: unknown) => api.post("/v1/attestation", JSON.stringify(body));
  const headers = { "idempotency-key": SECRETS.idempotencyKey };
  const answers = await Promise.all([
    api.post("/v1/attestation", SECRETS.body),
    attest({ ...secret, transcript: SECRETS.body }),
    attest({ ...secret, [SECRETS.body]: "" }),
    attest({ ...secret, subject_hash: SECRETS.body }),
    attest({ ...secret, interaction_id: SECRETS.body }),
    attest({ ...secret, jurisdiction: "NL" }),
    api.post("/v1/attestation", JSON.stringify({ ...secret, modality: "chat" }), { headers }),
    api.post("/v1/attestation", JSON.stringify(secret), {
      headers: { "idempotency-key": `${SECRETS.body} ` },
    }),
    api.post("/v1/attestation", JSON.stringify(secret), { headers: { "content-type": "text/secret-body" } }),
    api.post("/v1/verify-inclusion", JSON.stringify({ merkle_proof: SECRETS.body })),
    api.call(
      "GET",
      `/v1/interactions/${SECRETS.interactionId}?from_turn=${encodeURIComponent(SECRETS.body)}`,
    ),
    api.call("GET", `/v1/attestation/${SECRETS.interactionId}`),
    api.call("DELETE", `/v1/interactions/${SECRETS.interactionId}`),
    api.call("GET", `/${SECRETS.interactionId}`),
  ]);
  const refused = [
    await api.call("GET", `/v1/interactions/${SECRETS.interactionId}`, { key: SECRETS.wrongKey }),
    await api.call("GET", `/v1/interactions/${SECRETS.interactionId}`, { key: null }),
  ];
  for (const answer of refused) expect(await readProblem(answer)).toMatchObject({ status: 401 });
  const problems = await Promise.all(answers.map(readProblem));
  for (const { status } of problems) expect(status).toBeLessThan(500);
  return problems.map(({ instance }) => instance);
}

test("logs every call, the authority's faults and its own failures, and none of the secrets", async () => {
  const engine = await startDynamoDb({ file: join(newFolder(), "ledger.sqlite") });
  onTestFinished(engine.close);
  const authority = await TestAuthority.start();
  const stack = await startLocalStack({
    environment: {
      LOG_LEVEL: "DEBUG",
      SEAL_INTERVAL_SECONDS: "1",
      DYNAMODB_ENDPOINT: engine.endpoint,
      TSA_URLS: authority.url,
      TSA_CA_FILE: authority.caFile,
    },
  });
  const api = new ApiClient(stack);
  await makeGoodCalls(api);
  // The whole run of the sealer, which goes on for a while after its root is published.
  await vi.waitFor(() => expect(stack.output).toMatch(/"message": ?"sealed"/), PATIENCE_MS);
  const requestIds = await makeBadCalls(api);
  authority.behave(() => replyWith(SECRETS.body));
  await api.attest(secret);
  await engine.close();
  const failed = await api.post("/v1/attestation", JSON.stringify(secret));
  const { instance, ...problem } = await readProblem(failed);
  expect(problem).toEqual({
    type: "/v1/problems#unavailable",
    title: "The service can't answer now",
    status: 503,
    detail:
      "Repeat the call with the same Idempotency-Key after Retry-After seconds: if the disclosure was recorded, that finds it.",
  });
  expect(failed.headers.get("retry-after")).toMatch(/^\d+$/);

  await vi.waitFor(() => expect(stack.output).toContain(instance), PATIENCE_MS);
  // The key is shown to the user at the start, and in the calls that are proposed: nowhere after that.
  const log = stack.output.slice(stack.output.indexOf(INTRODUCTION_END) + INTRODUCTION_END.length);
  const printed = log.trim().split("\n");
  const calls = printed.filter((line) => !line.startsWith("{"));
  for (const line of calls) expect(line).toMatch(CALL_LINE);
  expect(calls.length).toBeGreaterThan(requestIds.length);
  const lines = printed
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const id of [...requestIds, instance]) {
    expect(lines).toContainEqual(expect.objectContaining({ message: "answered", request_id: id }));
  }
  const expected = ["answered", "refused", "sealed", "no timestamp from this authority", "failed"];
  expect(lines.map(({ message }) => message)).toEqual(expect.arrayContaining(expected));
  for (const [name, value] of Object.entries({ ...SECRETS, apiKey: stack.apiKey.slice(-64) })) {
    expect(log.includes(value), name).toBe(false);
  }
  // Nor the words of them, in whatever spelling.
  expect(log).not.toMatch(/secret|Guten/i);
});

test("prints a line for each call, and says nothing else of what goes well", async () => {
  const stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
  const api = new ApiClient(stack);
  const { event_id } = await api.attest(disclosure());
  await api.report(event_id);
  await api.call("GET", "/v1/attestation/x", { key: "dr_live_no" });
  await stack.stop();
  const log = stack.output.slice(stack.output.indexOf(INTRODUCTION_END) + INTRODUCTION_END.length);
  const lines = log.trim().split("\n");
  expect(lines.map((line) => line.replace(/^\d{2}:\d{2}:\d{2} /, ""))).toEqual([
    `200 ALLOW turn 1 POST /v1/attestation ${event_id}`,
    `200 ALLOW turn 1 GET /v1/attestation/{event_id} ${event_id}`,
    "401 unauthorized GET /v1/attestation/{event_id}",
  ]);
});

test("says nothing of what goes well where it is to print no calls", async () => {
  const stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1", CALL_LINES: "false" } });
  const api = new ApiClient(stack);
  await api.attest(disclosure());
  await vi.waitFor(async () => expect((await api.metachain()).size).toBeGreaterThan(0), PATIENCE_MS);
  await stack.stop();
  expect(stack.output.slice(stack.output.indexOf(INTRODUCTION_END) + INTRODUCTION_END.length).trim()).toBe(
    "",
  );
});
