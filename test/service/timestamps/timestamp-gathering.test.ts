// Tokens of several authorities over one root: each of another trust anchor, side by side, and none on a lie.
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parseBase64 } from "../../../evidence/core/bytes.ts";
import type { TsaTimestamp } from "../../../evidence/core/formats/metachain.ts";
import { verifyTimestampToken } from "../../../evidence/core/timestamps/timestamp-token.ts";
import { parseDer } from "../../../evidence/core/timestamps/x509/der.ts";
import { answerTimeStampReq } from "../../../host/local/timestamp-response.ts";
import { gatherFrom } from "../../../service/timestamps/timestamp-gathering.ts";
import { type Answer, anchorsOf, down, silent, TsaNetwork } from "../../support/tsa-network.ts";
import { integer, nothing, octets, oid, sequence, text } from "../../vectors/timestamps/der-writer.ts";
import {
  caExtensions,
  ecKeys,
  type Identity,
  makeIdentity,
  makeToken,
  Oid,
  tsaExtensions,
} from "../../vectors/timestamps/forge.ts";

const NOW = new Date("2026-11-21T10:20:30Z");
const HOUR_MS = 60 * 60 * 1000;
const ROOT = new Uint8Array(32).fill(0x17);
const BUDGET_MS = 10_000;
const MINUTE_MS = 60 * 1000;
/** What is sealed was written by a clock that is two minutes ahead. */
const SINCE = new Date(NOW.getTime() + 2 * MINUTE_MS).toISOString();
const [A, B, C] = ["http://a.test", "http://b.test", "http://c.test"];

const network = new TsaNetwork(() => NOW);
const [first, second, third, stranger] = [1, 2, 3, 4].map(() => network.newIdentity());
if (!first || !second || !third || !stranger) throw new Error("no identities");
const trustAnchors = anchorsOf(first, second, third);

afterEach(() => void vi.useRealTimers());

/** A fresh process that asks these authorities, in this order. */
function newGathering(answers: Readonly<Record<string, Answer>>, wanted = 2, anchors = trustAnchors) {
  const tsas = new TsaNetwork(() => NOW);
  for (const [url, answer] of Object.entries(answers)) tsas.set(url, answer);
  const failures: { url: string; error: unknown }[] = [];
  const options = {
    authorities: Object.keys(answers),
    trustAnchors: anchors,
    clock: () => NOW,
    onFailure: (url: string, error: unknown) => void failures.push({ url, error }),
    fetch: tsas.fetch,
  };
  const gather = gatherFrom(options, wanted);
  const run = (held: readonly TsaTimestamp[] = [], budgetMs = BUDGET_MS) =>
    gather(ROOT, held, budgetMs, SINCE);
  return { run, failures, asked: tsas.asked, tsas };
}

/** Stamps what it is asked for with this key and certificate. */
function answerBy(tsa: Identity): Answer {
  const imprint = sequence(sequence(oid(Oid.sha256), nothing), octets(ROOT));
  const genTime = text(0x18, "20261121102030Z");
  return (request) => {
    const nonce = parseDer(request).children[2]?.bytes ?? nothing;
    const token = makeToken({ tsa, tstInfo: { imprint, genTime, nonce } });
    return sequence(sequence(integer(0)), token);
  };
}

const urlsOf = (tokens: readonly TsaTimestamp[]) => tokens.map(({ tsa_url }) => tsa_url);
const honest = { [A]: network.honest(first), [B]: network.honest(second), [C]: network.honest(third) };

describe("a root gets", () => {
  test("as many tokens as are wanted, each verified, from the authorities that are preferred", async () => {
    const { run, asked, failures } = newGathering(honest);
    const { tokens, missing } = await run();
    expect([urlsOf(tokens), missing, asked, failures]).toEqual([[A, B], 0, [A, B], []]);
    for (const { timestamp_token } of tokens) {
      const token = parseBase64(timestamp_token ?? "");
      await expect(verifyTimestampToken(token, ROOT, trustAnchors)).resolves.toBeDefined();
    }
  });

  test("the token of the next authority where one is down", async () => {
    const { run, failures } = newGathering({ ...honest, [A]: down });
    const { tokens, missing } = await run();
    expect([urlsOf(tokens), missing]).toEqual([[B, C], 0]);
    expect(failures).toMatchObject([{ url: A, error: { code: "authority_failed" } }]);
  });

  test("what there is where too few answer, and says how many are missing", async () => {
    const { run } = newGathering({ ...honest, [A]: down, [C]: down });
    const { tokens, missing } = await run();
    expect([urlsOf(tokens), missing]).toEqual([[B], 1]);
    expect(await newGathering({ [A]: down, [B]: down }).run()).toEqual({ tokens: [], missing: 2 });
  });

  test("its tokens side by side, and in the order of preference whoever answers first", async () => {
    const arrived = Promise.withResolvers<void>();
    const waiting: Answer = async (request) => {
      await arrived.promise;
      await setTimeout(100);
      return network.honest(first)(request);
    };
    const last: Answer = (request) => {
      arrived.resolve();
      return network.honest(second)(request);
    };
    const { tokens } = await newGathering({ [A]: waiting, [B]: last }).run();
    expect(urlsOf(tokens)).toEqual([A, B]);
  });

  test("nothing from an authority that never answers, whose place goes to the next within the budget", async () => {
    const { run, failures } = newGathering({ ...honest, [A]: silent });
    const patient = new AbortController().signal;
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patient);
    timeout.mockReturnValueOnce(AbortSignal.abort());
    const { tokens, missing } = await run();
    expect([urlsOf(tokens), missing]).toEqual([[B, C], 0]);
    expect(failures).toMatchObject([{ url: A, error: { message: "the authority did not answer in time" } }]);
    for (const [milliseconds] of timeout.mock.calls) expect(milliseconds).toBeLessThanOrEqual(4_000);
    timeout.mockRestore();
  });
});

describe("one trust anchor counts once", () => {
  test("though its authority answers at two addresses", async () => {
    const { run } = newGathering({ [A]: network.honest(first), [B]: network.honest(first) });
    const { tokens, missing } = await run();
    expect([tokens.length, missing]).toEqual([1, 1]);
  });

  test("though two keys sign for it", async () => {
    const issuer = makeIdentity({ name: "Root", extensions: caExtensions });
    const [one, other] = ["One", "Other"].map((name) =>
      answerBy(makeIdentity({ name, issuer, extensions: tsaExtensions })),
    );
    if (one === undefined || other === undefined) throw new Error("no authorities");
    const { run, failures } = newGathering({ [A]: one, [B]: other }, 2, [new Uint8Array(issuer.certificate)]);
    const { tokens, missing } = await run();
    expect([urlsOf(tokens).length, missing, failures]).toEqual([1, 1, []]);
  });

  test("and the next authority is asked for the other token", async () => {
    const { run } = newGathering({ ...honest, [B]: network.honest(first) });
    expect(await run()).toMatchObject({ tokens: [{}, { tsa_url: C }], missing: 0 });
  });

  test("if a token of it is held already, under whatever address", async () => {
    const { tokens: held } = await newGathering({ "http://other.test": network.honest(first) }, 1).run();
    const { run, asked } = newGathering({ [A]: network.honest(first), [B]: network.honest(second) });
    const { tokens, missing } = await run(held);
    expect([urlsOf(tokens), missing, asked]).toEqual([[B], 0, [A, B]]);
  });
});

describe("one key counts once, though two authorities certified it", () => {
  const keys = ecKeys();
  const roots = ["One", "Other"].map((name) => makeIdentity({ name, extensions: caExtensions }));
  const anchors = roots.map(({ certificate }) => new Uint8Array(certificate));
  const [one, other] = roots.map((issuer) =>
    answerBy(makeIdentity({ name: "TSA", keys, issuer, extensions: tsaExtensions })),
  );
  if (one === undefined || other === undefined) throw new Error("no authorities");

  test("at two addresses", async () => {
    const { run, failures } = newGathering({ [A]: one, [B]: other }, 2, anchors);
    const { tokens, missing } = await run();
    expect([tokens.length, missing, failures]).toEqual([1, 1, []]);
  });

  test("among what is held, and beside it", async () => {
    const { tokens: byOne } = await newGathering({ [A]: one }, 1, anchors).run();
    const { tokens: byOther } = await newGathering({ [B]: other }, 1, anchors).run();
    const { run } = newGathering({ [C]: other }, 2, anchors);
    expect(await run([...byOne, ...byOther])).toEqual({ tokens: [], missing: 1 });
  });
});

describe("what is held", () => {
  test("counts, and its authority is not asked again", async () => {
    const { tokens: held } = await newGathering(honest, 1).run();
    const { run, asked } = newGathering(honest);
    expect(urlsOf((await run(held)).tokens)).toEqual([B]);
    expect(asked).toEqual([B]);
  });

  test("and enough leaves nothing to ask for", async () => {
    const { tokens: held } = await newGathering(honest).run();
    const { run, asked } = newGathering(honest);
    expect([await run(held), asked]).toEqual([{ tokens: [], missing: 0 }, []]);
  });

  test("counts for nothing where it leads to no anchor of today, or covers another root", async () => {
    const { tokens: foreign } = await newGathering(
      { [A]: network.honest(stranger) },
      1,
      anchorsOf(stranger),
    ).run();
    const { run } = newGathering(honest, 1);
    expect(await run(foreign)).toMatchObject({ tokens: [{ tsa_url: A }], missing: 0 });
    const ofAnotherRoot = gatherFrom(
      { authorities: [A], trustAnchors, clock: () => NOW, onFailure: () => {}, fetch: network.fetch },
      1,
    );
    network.set(A, network.honest(first));
    const { tokens: held } = await ofAnotherRoot(ROOT.with(0, 1), [], BUDGET_MS, NOW.toISOString());
    expect(held).toHaveLength(1);
    expect(await run(held)).toMatchObject({ tokens: [{ tsa_url: A }] });
  });
});

describe("an authority that lies is never believed, and the operator hears why", () => {
  const lies: [string, Answer, string][] = [
    ["stamps another root", (request) => answerTimeStampReq(request.with(30, 0), first, NOW), "imprint"],
    [
      "repeats an old answer",
      (request) => answerTimeStampReq(request.with(60, 0xff ^ (request[60] ?? 0)), first, NOW),
      "nonce",
    ],
    [
      "is an hour behind",
      (request) => answerTimeStampReq(request, first, new Date(NOW.getTime() - HOUR_MS)),
      "gen_time_plausible",
    ],
    [
      "is an hour ahead",
      (request) => answerTimeStampReq(request, first, new Date(NOW.getTime() + HOUR_MS)),
      "gen_time_plausible",
    ],
    [
      "is as far behind as clocks may be, and we are a little ahead of it",
      (request) => answerTimeStampReq(request, first, new Date(NOW.getTime() - 4 * MINUTE_MS)),
      "not_before",
    ],
    ["signs with another key", (request) => answerTimeStampReq(request, stranger, NOW), "trust_anchor"],
  ];

  test.each(lies)("one that %s", async (_, lie, check) => {
    const { run, failures } = newGathering({ [A]: lie, [B]: network.honest(second) });
    const { tokens, missing } = await run();
    expect([urlsOf(tokens), missing]).toEqual([[B], 1]);
    const code = check === "trust_anchor" ? "token_open" : "token_invalid";
    expect(failures).toMatchObject([{ url: A, error: { code, evidence: { check } } }]);
  });
});

test("an authority that failed is left alone, and asked again after its rest", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { run, asked, tsas } = newGathering({ [A]: down, [B]: network.honest(second) });
  expect((await run()).missing).toBe(1);
  expect((await run()).missing).toBe(1);
  expect(asked.filter((url) => url === A)).toHaveLength(1);
  tsas.set(A, network.honest(first));
  vi.advanceTimersByTime(8_000);
  expect(await run()).toMatchObject({ tokens: [{ tsa_url: A }, { tsa_url: B }], missing: 0 });
});
