import { describe, expect, test } from "vitest";
import { DisclosureClient } from "../../../clients/client/index.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import type { EvidenceBundle } from "../../../evidence/core/formats/evidence-bundle.ts";
import { disclosure } from "../../support/api-client.ts";
import { API_KEY, clientOf, failure, NOBODY, start } from "./clients.ts";
import { lose, problem, respond, type Served, serve, type Trick } from "./service.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const keysOf = ({ calls }: Served): unknown[] => calls.map(({ headers }) => headers["idempotency-key"]);

/** Calls one to `count` end badly; what comes after does not. */
const first =
  (count: number, trick: Trick): Trick =>
  (call, nth) =>
    nth <= count && trick(call, nth);

describe("a disclosure", () => {
  test("is attested in three lines, and its receipt comes back", async () => {
    const { url } = await serve();
    const client = new DisclosureClient({ baseUrl: url, apiKey: API_KEY });
    const receipt = await client.attest(disclosure());
    expect(receipt.receipts[0]?.verdict).toBe("ALLOW");
  });

  test("goes out with the key of the caller, an Idempotency-Key of its own, and nothing but the request", async () => {
    const { served, client } = await start();
    await client.attest(disclosure());
    await client.attest(disclosure({ interaction_id: "another" }));
    const [sent, another] = served.calls;
    expect(sent?.path).toBe("/v1/attestation");
    expect(sent?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      "content-type": "application/json",
      "idempotency-key": expect.stringMatching(UUID),
    });
    expect(JSON.parse(sent?.body ?? "")).toEqual(disclosure());
    expect(another?.headers["idempotency-key"]).not.toBe(sent?.headers["idempotency-key"]);
  });

  test("can bring an Idempotency-Key, with which it is recorded once", async () => {
    const { served, client } = await start();
    const [one, two] = [
      await client.attest(disclosure(), { idempotencyKey: "call-1/greeting" }),
      await client.attest(disclosure(), { idempotencyKey: "call-1/greeting" }),
    ];
    expect(two).toEqual(one);
    expect(served.service.recorded).toHaveLength(1);
  });

  test.each([
    ["a field that is missing", { subject_hash: undefined }, "subject_hash: "],
    ["a wrong value", { jurisdiction: "de" }, "jurisdiction: must be two upper-case letters"],
    ["a field too many", { transcript: "Guten Tag, Herr Maier" }, "the request: "],
  ])("with %s is refused before it is sent", async (_, change, message) => {
    const { served, client } = await start();
    const error = await failure(client.attest({ ...disclosure(), ...change } as never), "invalid_request");
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("Maier");
    expect(served.calls).toEqual([]);
  });

  test.each(["", "two words", "ü", "x".repeat(256)])(
    "with the Idempotency-Key %j is not sent",
    async (key) => {
      const { served, client } = await start();
      await failure(client.attest(disclosure(), { idempotencyKey: key }), "invalid_request");
      expect(served.calls).toEqual([]);
    },
  );
});

describe("a call that fails", () => {
  test.each([408, 429, 500, 502, 503, 504])("with %i is sent again under the same key", async (status) => {
    const { served, client } = await start(first(1, ({ response }) => respond(response, status, {})));
    await client.attest(disclosure());
    expect(served.calls).toHaveLength(2);
    expect(new Set(keysOf(served)).size).toBe(1);
  });

  test("by a lost answer is sent again, and the receipt that was recorded comes back", async () => {
    const { served, client } = await start(first(1, lose));
    const { event_id } = await client.attest(disclosure());
    expect(served.service.recorded.map(({ core }) => core.event_id)).toEqual([event_id]);
    expect(new Set(keysOf(served)).size).toBe(1);
  });

  test.each([
    ["a silence", () => true],
    ["half an answer", ({ response }) => response.writeHead(200).write('{"event_id":') || true],
  ] as [string, Trick][])("by %s beyond timeoutMs is sent again", async (_, trick) => {
    const { served, client } = await start(first(1, trick), { timeoutMs: 1_000, attempts: 20 });
    await client.attest(disclosure());
    // On a busy machine an honest answer may be late, too.
    expect(served.calls.length).toBeGreaterThan(1);
    expect(new Set(keysOf(served)).size).toBe(1);
  });

  test.each([
    ["a page of somebody on the way", "<html>Welcome to our network</html>"],
    ["JSON with a member twice", '{"event_id":"a","event_id":"b"}'],
    ["an answer without end", `"${"x".repeat(9 * 1024 * 1024)}"`],
  ])("by %s in place of a receipt is sent again", async (_, body) => {
    const { served, client } = await start(first(1, ({ response }) => respond(response, 200, body)));
    await client.attest(disclosure());
    expect(served.calls).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 301])(
    "with %i is not sent again, and says what the service said",
    async (status) => {
      const said = problem(status, "The request can't be read");
      const headers = { location: "http://127.0.0.1:1/elsewhere" };
      const { served, client } = await start(({ response }) => respond(response, status, said, headers));
      const error = await failure(client.attest(disclosure()), "refused");
      expect(error.message).toBe(`the service refused: ${status}, The request can't be read`);
      expect({ status: error.status, evidence: error.evidence }).toEqual({ status, evidence: said });
      expect(served.calls).toHaveLength(1);
    },
  );

  test("says in no message what a terminal would obey, and keeps in the evidence what came", async () => {
    const said = problem(403, "\u001b[2J\u001b]0;pwn\u0007\u009b\u202egood");
    const { client } = await start(({ response }) => respond(response, 403, said));
    const { message, evidence } = await failure(client.attest(disclosure()), "refused");
    expect(message).toBe("the service refused: 403, \\u{1b}[2J\\u{1b}]0;pwn\\u{7}\\u{9b}\\u{202e}good");
    expect(evidence).toEqual(said);
  });

  test("for ever is given up after as many attempts as were allowed", async () => {
    const { served, client } = await start(({ response }) => respond(response, 503, problem(503, "Later")), {
      attempts: 3,
    });
    const error = await failure(client.attest(disclosure()), "undeliverable");
    expect(error).toMatchObject({ status: 503, retryAfterMs: 0 });
    expect(served.calls).toHaveLength(3);
  });

  test("for ever leaves its key to the caller, who gets the receipt with it later", async () => {
    const { served, client } = await start(first(2, lose), { attempts: 2 });
    const { idempotencyKey } = await failure(client.attest(disclosure()), "undeliverable");
    expect(keysOf(served)).toEqual([idempotencyKey, idempotencyKey]);
    const receipt = await client.attest(disclosure(), { idempotencyKey: idempotencyKey ?? undefined });
    expect(served.service.recorded.map(({ core }) => core.event_id)).toEqual([receipt.event_id]);
  });

  test("in a silent network is given up at the deadline, whatever the attempts", async () => {
    const { client } = await start(() => true, { deadlineMs: 150, timeoutMs: 60_000, attempts: 1_000 });
    const error = await failure(client.attest(disclosure()), "undeliverable");
    expect(error).toMatchObject({ status: null, message: "the service gave no answer" });
  });

  test("where nobody listens is undeliverable, with the cause", async () => {
    const client = clientOf(NOBODY, { attempts: 2 });
    const error = await failure(client.attest(disclosure()), "undeliverable");
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  test("with a Retry-After beyond the deadline is not waited for, and says how long that is", async () => {
    const headers = { "retry-after": "120" };
    const { served, client } = await start(({ response }) => respond(response, 429, {}, headers));
    const error = await failure(client.attest(disclosure()), "undeliverable");
    expect(error).toMatchObject({ status: 429, retryAfterMs: 120_000 });
    expect(served.calls).toHaveLength(1);
  });
});

describe("the caller's signal", () => {
  const reason = new Error("the call has ended");

  test("ends a call under way with its own reason", async () => {
    const caller = new AbortController();
    const { served, client } = await start(() => {
      caller.abort(reason);
      return true;
    });
    await expect(client.attest(disclosure(), { signal: caller.signal })).rejects.toBe(reason);
    expect(served.calls).toHaveLength(1);
  });

  test("is the reason of the last attempt too", async () => {
    const caller = new AbortController();
    const trick: Trick = () => {
      caller.abort(reason);
      return true;
    };
    const { client } = await start(trick, { attempts: 1 });
    await expect(client.attest(disclosure(), { signal: caller.signal })).rejects.toBe(reason);
  });

  test("ends the pause between two attempts", async () => {
    const caller = new AbortController();
    const { served, client } = await start(({ response }) => {
      response.once("finish", () => setTimeout(() => caller.abort(reason), 50));
      return respond(response, 503, {}, { "retry-after": "20" });
    });
    await expect(client.attest(disclosure(), { signal: caller.signal })).rejects.toBe(reason);
    expect(served.calls).toHaveLength(1);
  });

  test("sends nothing where it was given before", async () => {
    const { served, client } = await start();
    await expect(client.attest(disclosure(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(served.calls).toEqual([]);
  });
});

describe("an answer", () => {
  const CHANGES: [string, (answer: ComplianceReceipt) => unknown][] = [
    [
      "of another request",
      (a) => ({ ...a, receipts: a.receipts.map((r) => ({ ...r, input_hash: r.output_hash })) }),
    ],
    [
      "whose verdict was changed",
      (a) => ({ ...a, receipts: a.receipts.map((r) => ({ ...r, verdict: "BLOCK" })) }),
    ],
    [
      "with another root",
      (a) => ({ ...a, merkle_proof: { ...a.merkle_proof, merkle_root: `0x${"1".repeat(64)}` } }),
    ],
    ["without its receipt", (a) => ({ ...a, receipts: [] })],
    ["with a proof alone", ({ merkle_proof }) => ({ merkle_proof })],
    ["that is no object", () => "recorded"],
  ];

  test.each(CHANGES)("%s is not believed", async (_, change) => {
    const { served, client } = await start(({ answer, response }) =>
      respond(response, 200, JSON.stringify(change(answer() as ComplianceReceipt))),
    );
    const error = await failure(client.attest(disclosure()), "receipt_invalid");
    expect(error.evidence).toMatchObject({ answer: expect.anything() });
    expect(served.calls).toHaveLength(1);
  });

  test("that holds, but is for another request, is not believed", async () => {
    const { served, client } = await start(({ response }) =>
      respond(response, 200, served.service.attest(disclosure({ interaction_id: "of another" }), "another")),
    );
    const error = await failure(client.attest(disclosure()), "receipt_invalid");
    expect(error.message).toBe(
      "the answer does not hold: input_hash: the request that was given is not the one behind this receipt",
    );
  });

  const BUNDLES: [string, (bundle: EvidenceBundle) => object, reason: string][] = [
    [
      "whose verdict was changed",
      (b) => ({ ...b, receipts: b.receipts.map((r) => ({ ...r, verdict: "BLOCK" })) }),
      "does not hold: receipts/0/output_hash",
    ],
    ["with a request too many", (b) => ({ ...b, requests: [...b.requests, null] }), "can't be read"],
    ["without its code", ({ signature: _s, ...b }) => b, "is not an evidence bundle"],
  ];

  test.each(BUNDLES)("about a conversation %s is not believed", async (_, change, reason) => {
    const { served, client } = await start();
    await client.attest(disclosure({ interaction_id: "asked-for" }));
    served.trick = ({ response }) => respond(response, 200, change(served.service.bundle("asked-for")));
    const error = await failure(client.interaction("asked-for"), "receipt_invalid");
    expect(error.message).toContain(reason);
  });

  test("about another conversation than the bundle's is not believed", async () => {
    const { served, client } = await start();
    await client.attest(disclosure({ interaction_id: "asked-for" }));
    await client.attest(disclosure({ interaction_id: "of-another" }));
    expect((await client.interaction("asked-for")).receipts).toHaveLength(1);
    served.trick = ({ response }) => respond(response, 200, served.service.bundle("of-another"));
    const error = await failure(client.interaction("asked-for"), "receipt_invalid");
    expect(error.message).toContain("another conversation");
  });

  test("about another event than the report's is not believed", async () => {
    const { served, client } = await start();
    const [one, two] = [await client.attest(disclosure()), await client.attest(disclosure())];
    served.trick = ({ response }) => respond(response, 200, two);
    expect((await failure(client.report(one.event_id), "receipt_invalid")).message).toContain(
      "another event",
    );
  });

  test("is believed without the service's own code, which it lacks while the key service is away", async () => {
    const { served, client } = await start();
    const { event_id } = await client.attest(disclosure({ interaction_id: "asked-for" }));
    const lacking = { auth_mechanism: null, key_id: null, signature: null };
    served.trick = ({ answer, response }) =>
      respond(response, 200, JSON.stringify({ ...(answer() as object), ...lacking }));
    expect(await client.report(event_id)).toMatchObject(lacking);
    expect((await client.interaction("asked-for")).receipts).toHaveLength(1);
  });

  test("is asked for by an event id in either case", async () => {
    const { served, client } = await start();
    const receipt = await client.attest(disclosure());
    served.trick = ({ response }) => respond(response, 200, receipt);
    expect(await client.report(receipt.event_id.toUpperCase())).toEqual(receipt);
  });

  test("keeps members that this version does not know", async () => {
    const { client } = await start(({ answer, response }) =>
      respond(response, 200, { ...(answer() as object), later: "addition" }),
    );
    expect(await client.attest(disclosure())).toHaveProperty("later", "addition");
  });
});
