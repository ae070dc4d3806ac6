import { afterEach, describe, expect, test, vi } from "vitest";
import { MAX_PROOF_BODY_BYTES } from "../../../contract/limits.ts";
import { parseBase64 } from "../../../evidence/core/bytes.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { verifyTimestampToken } from "../../../evidence/core/timestamps/timestamp-token.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { createIdentity, parseIdentity } from "../../../host/local/timestamp-identity.ts";
import { answerTimeStampReq } from "../../../host/local/timestamp-response.ts";
import { type HttpHandler, type Listening, listen, readBody } from "../../../host/server/http-server.ts";
import { MAX_REPLY_BYTES } from "../../../service/timestamps/timestamp-authority.ts";
import { Timestamps } from "../../../service/timestamps/timestamps.ts";

const NOW = new Date("2026-11-21T10:20:30Z");
const HOUR_MS = 60 * 60 * 1000;
const ROOT = new Uint8Array(32).fill(0x17);
const SUBJECT = { root: ROOT, notBefore: NOW.toISOString() };
const BUDGET_MS = 5_000;
/** 54 nodes of a path, each with its quotation marks and comma. */
const MAX_PATH_JSON_BYTES = 54 * 69;
const REPLY = { status: 200, headers: { "content-type": "application/timestamp-reply" } };

const identity = parseIdentity(createIdentity(NOW));
const stranger = parseIdentity(createIdentity(NOW));
const trustAnchors = parseCertificatesPem(identity.caCertificatePem);

const servers: Listening[] = [];
const serve = async (handler: HttpHandler): Promise<string> => {
  const server = await listen(handler);
  servers.push(server);
  return server.url;
};

/** An authority that answers with `spoil(request)`; by default, as it should. */
const answering =
  (
    spoil: (request: Uint8Array) => Uint8Array = (request) => answerTimeStampReq(request, identity, NOW),
  ): HttpHandler =>
  async (request) => ({ ...REPLY, body: spoil(await readBody(request, 1024)) });

type Failure = { readonly url: string; readonly error: unknown };

const stampsOf = (...authorities: string[]): { timestamps: Timestamps; failures: Failure[] } => {
  const failures: Failure[] = [];
  const onFailure = (url: string, error: unknown) => void failures.push({ url, error });
  return { timestamps: new Timestamps({ authorities, trustAnchors, clock: () => NOW, onFailure }), failures };
};

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe("Timestamps", () => {
  test("gives a token over the root itself, from the authority it names", async () => {
    const url = await serve(answering());
    const { timestamps, failures } = stampsOf(url);
    const timestamp = await timestamps.stamp(SUBJECT, BUDGET_MS);
    expect(timestamp).toMatchObject({ tsa_url: url, genTime: "2026-11-21T10:20:30Z" });
    const token = parseBase64(timestamp?.timestamp_token ?? "");
    await expect(verifyTimestampToken(token, ROOT, trustAnchors)).resolves.toMatchObject({
      genTime: timestamp?.genTime,
    });
    expect(failures).toEqual([]);
  });

  test("asks once for calls that come together, and never again for a root it has", async () => {
    let requests = 0;
    const url = await serve((request) => {
      requests += 1;
      return answering()(request);
    });
    const { timestamps } = stampsOf(url);
    const together = await Promise.all([1, 2, 3].map(() => timestamps.stamp(SUBJECT, BUDGET_MS)));
    const later = await timestamps.stamp({ ...SUBJECT, root: ROOT.slice() }, BUDGET_MS);
    expect(new Set([...together, later]).size).toBe(1);
    expect(requests).toBe(1);
    await timestamps.stamp({ ...SUBJECT, root: ROOT.with(0, 1) }, BUDGET_MS);
    expect(requests).toBe(2);
  });

  test("sends a fresh nonce with every request", async () => {
    const requests: string[] = [];
    const url = await serve(
      answering((request) => {
        requests.push(request.join());
        return answerTimeStampReq(request, stranger, NOW);
      }),
    );
    await stampsOf(url).timestamps.stamp(SUBJECT, BUDGET_MS);
    await stampsOf(url).timestamps.stamp(SUBJECT, BUDGET_MS);
    expect(new Set(requests).size).toBe(2);
  });
});

/** The answer to an earlier request for the same root. */
const replay = (request: Uint8Array): Uint8Array =>
  answerTimeStampReq(request.with(60, (request[60] ?? 0) ^ 1), identity, NOW);
const shifted = (byMs: number) => (request: Uint8Array) =>
  answerTimeStampReq(request, identity, new Date(NOW.getTime() + byMs));
const otherRoot = (request: Uint8Array): Uint8Array => answerTimeStampReq(request.with(30, 0), identity, NOW);
/** The outermost length is indefinite. */
const inBer = (answer: Uint8Array): Uint8Array => Uint8Array.of(0x30, 0x80, ...answer.subarray(4), 0, 0);
const rejecting = (request: Uint8Array): Uint8Array => answerTimeStampReq(request.with(4, 2), identity, NOW);

const faults: readonly (readonly [string, HttpHandler, string, object])[] = [
  [
    "answers with a server error",
    () => ({ status: 503 }),
    "authority_failed",
    { actual: { status: 503, type: "" } },
  ],
  [
    "redirects",
    () => ({ status: 302, headers: { location: "http://127.0.0.1:9/" } }),
    "authority_failed",
    {},
  ],
  [
    "answers with a web page",
    () => ({ status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: "<p>Log in</p>" }),
    "authority_failed",
    { actual: { status: 200, type: "text/html" } },
  ],
  [
    "answers with nonsense",
    answering(() => Uint8Array.of(1, 2, 3)),
    "authority_failed",
    { start: "010203", length: 3 },
  ],
  ["answers with nothing", answering(() => new Uint8Array()), "authority_failed", { length: 0 }],
  [
    "answers without end",
    answering(() => new Uint8Array(80_000)),
    "authority_failed",
    { expected: MAX_REPLY_BYTES },
  ],
  ["rejects the request", answering(rejecting), "authority_failed", { status: 2, failInfo: [2] }],
  [
    "signs with a certificate of another CA",
    answering((request) => answerTimeStampReq(request, stranger, NOW)),
    "token_open",
    { check: "trust_anchor" },
  ],
  [
    "answers in BER",
    answering((request) => inBer(answerTimeStampReq(request, identity, NOW))),
    "token_open",
    { reason: "beyond_verifier", check: "encoding" },
  ],
  ["replays an old answer", answering(replay), "token_invalid", { check: "nonce" }],
  ["stamps another root", answering(otherRoot), "token_invalid", { check: "imprint" }],
  ["is an hour behind", answering(shifted(-HOUR_MS)), "token_invalid", { check: "gen_time_plausible" }],
  ["is an hour ahead", answering(shifted(HOUR_MS)), "token_invalid", { check: "gen_time_plausible" }],
];

describe("an authority that", () => {
  test.for(faults)(
    "%s is reported with the reason, and the next one is asked",
    async ([, handler, code, evidence]) => {
      const bad = await serve(handler);
      const good = await serve(answering());
      const { timestamps, failures } = stampsOf(bad, good);
      expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).toMatchObject({ tsa_url: good });
      expect(failures).toEqual([{ url: bad, error: expect.any(DisclosureError) }]);
      expect(failures[0]?.error).toMatchObject({ code, evidence });
    },
  );

  test.for(faults)("%s leaves the root without a timestamp where it is the only one", async ([, handler]) => {
    const { timestamps, failures } = stampsOf(await serve(handler));
    expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).toBeNull();
    expect(failures).toHaveLength(1);
  });

  test("is down is reported, and the next one is asked", async () => {
    const down = await listen(answering());
    await down.close();
    const good = await serve(answering());
    const { timestamps, failures } = stampsOf(down.url, good);
    expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).toMatchObject({ tsa_url: good });
    expect(failures).toEqual([
      { url: down.url, error: expect.objectContaining({ code: "authority_failed" }) },
    ]);
  });

  test("is a few minutes off, as clocks are, is believed", async () => {
    const { timestamps } = stampsOf(await serve(answering(shifted(4 * 60 * 1000))));
    expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).toMatchObject({ genTime: "2026-11-21T10:24:30Z" });
  });

  test("never answers takes its share of the budget and leaves the rest to the next", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow = await serve(() => released.then(() => ({ status: 204 })));
    const good = await serve(answering());
    const { timestamps, failures } = stampsOf(slow, good);
    const begun = performance.now();
    expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).toMatchObject({ tsa_url: good });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(BUDGET_MS / 2 - 10);
    expect(failures[0]?.error).toMatchObject({ message: "the authority did not answer in time" });
    release();
  });

  test("failed is left alone for a while, and asked again after it", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    let requests = 0;
    const flaky = await serve((request) => {
      requests += 1;
      return requests === 1 ? { status: 500 } : answering()(request);
    });
    const { timestamps, failures } = stampsOf(flaky);
    expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).toBeNull();
    vi.advanceTimersByTime(4_999);
    expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).toBeNull();
    expect([requests, failures.length]).toEqual([1, 1]);
    vi.advanceTimersByTime(1);
    expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).toMatchObject({ tsa_url: flaky });
  });

  test("is asked with no time left is not asked, and so not blamed", async () => {
    const { timestamps, failures } = stampsOf(await serve(answering()));
    expect(await timestamps.stamp(SUBJECT, 0)).toBeNull();
    expect(failures).toEqual([]);
    expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).not.toBeNull();
  });
});

test("a reply may have 16 KiB, and a report with as many tokens as it can have fits the body of a proof", async () => {
  const answer = (length: number) => async () => ({ ...REPLY, body: new Uint8Array(length) });
  for (const [length, message] of [
    [MAX_REPLY_BYTES, /^(?!.*too large)/],
    [MAX_REPLY_BYTES + 1, /too large/],
  ] as const) {
    const { timestamps, failures } = stampsOf(await serve(answer(length)));
    expect(await timestamps.stamp(SUBJECT, BUDGET_MS)).toBeNull();
    expect(failures[0]?.error).toMatchObject({ message: expect.stringMatching(message) });
  }
  const [base64, seals, paths] = [Math.ceil(MAX_REPLY_BYTES / 3) * 4, 2, 5 * MAX_PATH_JSON_BYTES];
  const report = (1 + seals * 5) * base64 + paths;
  expect([MAX_REPLY_BYTES, report < MAX_PROOF_BODY_BYTES]).toEqual([16 * 1024, true]);
  // DynamoDB's limit of an item, which holds the tokens of a seal and those that came later.
  expect(2 * 5 * base64).toBeLessThan(400 * 1024);
});
