import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../../evidence/core/canonical-json.ts";
import { sealSchema } from "../../../../evidence/core/formats/metachain.ts";
import { parseCertificatesPem } from "../../../../evidence/core/timestamps/x509/pem.ts";
import { verifySeal } from "../../../../evidence/core/verify/verify-seal.ts";
import { evidenceVector, type Verdict, verifyAs, verifyVector } from "../../../support/evidence.ts";
import { leavesOf, nudged, type Pointer, withValue } from "../../../support/json-leaves.ts";
import { readBytes, readEvidence, readSeal } from "../../../support/vector-files.ts";

const TOKEN = "/tsa_timestamp/timestamp_token";
/** What a seal says of itself; `sealed_at` within limits, `tree_size` where the path takes the same turns. */
const STATED: readonly Pointer[] = ["/receipt_count", "/sealed_at", "/tree_size", "/tsa_timestamp/tsa_url"];

const isRefused = (verdict: Verdict): boolean => verdict === null || !verdict.valid;
/** Some changes leave a token that can't be judged, such as one that names another certificate. It proves nothing. */
const isLeftOpen = (verdict: Verdict): boolean =>
  verdict?.checks.find(({ name }) => name === "timestamp")?.ok === null;
const provedTime = (verdict: Verdict): string | undefined =>
  verdict?.checks.find(({ name }) => name === "timestamp")?.detail;

describe.each(["seals/1.json", "seals/2.json", "seals/3.json"])("the seal in %s", (file) => {
  const vector = evidenceVector(file);
  const original = readEvidence(file);
  const proven = leavesOf(original).filter(({ pointer }) => !STATED.includes(pointer));

  const expectRefusal = async (pointer: Pointer, changed: JsonValue) => {
    const verdict = await verifyAs(vector, changed);
    if (pointer === TOKEN && !isRefused(verdict)) {
      if (isLeftOpen(verdict)) return;
      return expect(provedTime(verdict)).toBe(provedTime(await verifyVector(vector)));
    }
    expect(isRefused(verdict), `${pointer} was changed unseen`).toBe(true);
  };

  test("is refused when any one value in it is changed a little", async () => {
    expect(proven.length).toBeGreaterThan(8);
    for (const { pointer, value } of proven) {
      const seed = typeof value === "string" ? Math.floor(value.length / 2) : 0;
      await expectRefusal(pointer, withValue(original, pointer, nudged(value, seed)));
    }
  });

  test("is refused when one value is changed at any place", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...proven), fc.nat(), async ({ pointer, value }, seed) => {
        await expectRefusal(pointer, withValue(original, pointer, nudged(value, seed)));
      }),
      { numRuns: 300 },
    );
  });

  test("is refused when a value is any other JSON, and nothing throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...proven), fc.jsonValue(), async ({ pointer, value }, other) => {
        fc.pre(JSON.stringify(other) !== JSON.stringify(value) && !Object.is(other, -0));
        await expectRefusal(pointer, withValue(original, pointer, other as JsonValue));
      }),
      { numRuns: 200 },
    );
  });
});

describe("a seal's own statements", () => {
  const vector = evidenceVector("seals/2.json");
  const verdictWith = (change: object) =>
    verifyAs(vector, { ...(readEvidence("seals/2.json") as object), ...change });
  const sealedAt = Date.parse(readSeal("seals/2.json").sealed_at);
  const at = (ms: number) => ({ sealed_at: new Date(ms).toISOString() });

  test("hold for its size only as far as the path takes the same turns", async () => {
    const sizes = [3, 4, 5, 6, 7, 8, 9, 10, 16];
    const held = await Promise.all(
      sizes.map(async (tree_size) => !isRefused(await verdictWith({ tree_size }))),
    );
    expect(sizes.filter((_, i) => held[i])).toEqual([5, 6, 7, 8]);
  });

  test("about its size are refused by the seal after it", async () => {
    const previous = { ...readSeal("seals/2.json"), tree_size: 7 };
    const { checks } = await verifySeal(readSeal("seals/3.json"), { previous });
    expect(checks[0]).toMatchObject({ name: "previous_seal", ok: false });
  });

  test("hold for its time between the seal before and five minutes after the token", async () => {
    expect(isRefused(await verdictWith(at(Date.parse(readSeal("seals/1.json").sealed_at))))).toBe(false);
    expect(isRefused(await verdictWith(at(Date.parse(readSeal("seals/1.json").sealed_at) - 1)))).toBe(true);
    expect(isRefused(await verdictWith(at(sealedAt + 4 * 60_000)))).toBe(false);
    expect(isRefused(await verdictWith(at(sealedAt + 6 * 60_000)))).toBe(true);
  });

  test("hold for the first seal's size, which has nothing before it", async () => {
    const first = sealSchema.parse({ ...readSeal("seals/0.json"), tree_size: 2 });
    expect((await verifySeal(first)).valid).toBe(true);
  });
});

describe("the additional tokens of a seal", () => {
  const seal = readSeal("seals/2.json");
  const trustAnchors = parseCertificatesPem(
    new TextDecoder().decode(readBytes("authorities/service-and-other.pem")),
  );
  const { tsa_timestamp: own } = seal;
  const { timestamp_token } = readEvidence("authorities/other-token.json") as { timestamp_token: string };
  const other = { ...own, timestamp_token };
  const detailWith = async (...additional_timestamps: (typeof own)[]) => {
    const { checks } = await verifySeal({ ...seal, additional_timestamps }, { trustAnchors });
    return checks.find(({ name }) => name === "additional_timestamps")?.detail;
  };

  test("count as other authorities' word only where they are", async () => {
    expect(await detailWith()).toBe("none");
    expect(await detailWith(other)).toBe("1 more hold; authorities in all: 2");
    expect(await detailWith(own, own, own)).toBe("3 more hold; authorities in all: 1");
  });
});

describe("a seal without the one before", () => {
  const checksOf = async (change: object) => {
    const seal = sealSchema.parse({ ...readSeal("seals/2.json"), ...change });
    const { checks } = await verifySeal(seal);
    return checks.filter(({ ok }) => ok === false).map(({ name, detail }) => `${name}: ${detail}`);
  };

  test("is not refused for that", async () => {
    expect(await checksOf({})).toEqual([]);
  });

  test("is refused where it is not the first and extends nothing", async () => {
    expect(await checksOf({ previous_root: null, consistency_path: [] })).toEqual([
      "previous_seal: only the first seal has no previous root",
    ]);
    expect(await checksOf({ index: 0 })).toEqual(["previous_seal: only the first seal has no previous root"]);
  });

  test("is refused where it is the first and has a path all the same", async () => {
    const first = readSeal("seals/0.json");
    const { checks } = await verifySeal({ ...first, consistency_path: [first.merkle_root] });
    expect(checks.find(({ name }) => name === "consistency")).toMatchObject({ ok: false });
  });

  test("is refused where it extends a root of no entries", async () => {
    expect((await checksOf({ previous_tree_size: 0 }))[0]).toBe(
      "previous_seal: only the first seal has nothing before it",
    );
  });
});
