// The line that tells an operator why an authority was not believed, and the count that the alarm goes by.
import { afterEach, expect, test, vi } from "vitest";
import { answerTimeStampReq } from "../../host/local/timestamp-response.ts";
import { logAuthorityFailure } from "../../lambdas/middleware/authority-log.ts";
import { logger } from "../../service/logger.ts";
import { gatherFrom } from "../../service/timestamps/timestamp-gathering.ts";
import { type Answer, anchorsOf, TsaNetwork } from "../support/tsa-network.ts";

const NOW = new Date("2026-11-21T10:20:30Z");
const HOUR_MS = 60 * 60 * 1000;
const URL = "http://a.test";
const network = new TsaNetwork(() => NOW);
const [identity, stranger] = [network.newIdentity(), network.newIdentity()];

const meter = vi.hoisted(() => vi.fn());
vi.mock("../../lambdas/middleware/metrics.ts", () => ({ meter }));
afterEach(() => {
  vi.restoreAllMocks();
  meter.mockClear();
});

/** What is logged of an authority that answers so. */
async function logOf(answer: Answer): Promise<unknown> {
  const warn = vi.spyOn(logger, "warn").mockReturnValue();
  network.set(URL, answer);
  const options = { authorities: [URL], trustAnchors: anchorsOf(identity), clock: () => NOW };
  const gather = gatherFrom({ ...options, onFailure: logAuthorityFailure, fetch: network.fetch }, 1);
  expect(await gather(new Uint8Array(32), [], 1_000, NOW.toISOString())).toEqual({ tokens: [], missing: 1 });
  expect(warn).toHaveBeenCalledTimes(1);
  expect(meter.mock.calls).toEqual([["timestampFailures", 1]]);
  return warn.mock.calls[0];
}

test.each<[string, Answer, object, string?]>([
  [
    "stamps another root",
    (request) => answerTimeStampReq(request.with(30, 9), identity, NOW),
    { check: "imprint", expected: `0x${"00".repeat(32)}`, actual: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  ],
  [
    "repeats an old answer",
    (request) => answerTimeStampReq(request.with(60, 0xff ^ (request[60] ?? 0)), identity, NOW),
    { check: "nonce", expected: expect.any(String), actual: expect.any(String) },
  ],
  [
    "is an hour off",
    (request) => answerTimeStampReq(request, identity, new Date(NOW.getTime() + HOUR_MS)),
    { check: "gen_time_plausible", expected: "2026-11-21T10:20:30.000Z", actual: "2026-11-21T11:20:30Z" },
  ],
  [
    "signs with a key of its own making",
    (request) => answerTimeStampReq(request, stranger, NOW),
    { reason: "other_authority", check: "trust_anchor" },
    "token_open",
  ],
])(
  "of an authority that %s names the check, what was expected and what came",
  async (_, answer, evidence, code = "token_invalid") => {
    expect(await logOf(answer)).toMatchObject([
      "no timestamp from this authority",
      { tsa_url: URL, failure: { code, evidence } },
    ]);
  },
);
