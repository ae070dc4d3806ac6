// Who signed a webhook: each scheme as its platform describes it. The platforms' own SDKs judge it in
// test/clients/adapters.
import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  isSigned,
  readSignature,
  readSignedBody,
  type WebhookHeaders,
} from "../../../clients/bridge/signatures.ts";
import { PLATFORMS, type Platform } from "../../../contract/bridge-settings.ts";
import { SECRET, signOf } from "./platforms.ts";

// The real one, whose calls are counted.
vi.mock("node:crypto", async (importOriginal) => {
  const crypto = await importOriginal<typeof import("node:crypto")>();
  return { ...crypto, createHmac: vi.fn(crypto.createHmac) };
});
beforeEach(() => void vi.mocked(createHmac).mockClear());

const NOW = Date.parse("2026-11-23T10:00:00Z");
const MINUTE = 60_000;
const BODY = '{"event":"call_ended","text":"Grüße"}';

function isTaken(platform: Platform, headers: WebhookHeaders, now = NOW, body = BODY, secrets = [SECRET]) {
  const signature = readSignature(platform, headers, new Date(now));
  return signature !== null && isSigned(signature, Buffer.from(body), secrets);
}

describe.each(PLATFORMS)("a webhook of %s", (platform) => {
  const maxAge = platform === "elevenlabs" ? 30 * MINUTE : 5 * MINUTE;
  const check = (headers: WebhookHeaders, body = BODY, secrets = [SECRET]): boolean =>
    isTaken(platform, headers, NOW, body, secrets);

  test("is taken with its signature, by any of the secrets", () => {
    const headers = signOf[platform](BODY, SECRET, NOW);
    expect(check(headers)).toBe(true);
    expect(check(headers, BODY, ["the next one", SECRET])).toBe(true);
    expect(check(headers, BODY, ["the next one"])).toBe(false);
    expect(check(headers, BODY, [])).toBe(false);
  });

  test("is not taken with another body, another time, or an empty secret", () => {
    expect(check(signOf[platform](BODY, SECRET, NOW), BODY.replace("ended", "ENDED"))).toBe(false);
    const [ours, later] = [NOW, NOW + MINUTE].map((time) => signOf[platform](BODY, SECRET, time));
    const moved = Object.fromEntries(
      Object.entries(ours ?? {}).map(([name, value]) => [
        name,
        value.replace(String(NOW), String(NOW + MINUTE)).replace(/^t=\d+/, `t=${(NOW + MINUTE) / 1_000}`),
      ]),
    );
    expect([check(later ?? {}), check(moved)]).toEqual([true, false]);
    expect(check(signOf[platform](BODY, "", NOW), BODY, ["", "other"])).toBe(false);
  });

  test("is not taken when it is old, or of tomorrow", () => {
    const at = (time: number): boolean => check(signOf[platform](BODY, SECRET, time));
    expect([at(NOW - maxAge), at(NOW - maxAge - 1_000)]).toEqual([true, false]);
    expect([at(NOW + 5 * MINUTE), at(NOW + 5 * MINUTE + 1_000)]).toEqual([true, false]);
  });

  test.each(["", "v=1", "t=1", "v=,d=", "t=x,v0=00", "v=99999999999999999999,d=00", "null"])(
    "is not taken with the header %j",
    (value) => {
      const names = Object.keys(signOf[platform](BODY, SECRET, NOW));
      expect(check(Object.fromEntries(names.map((name) => [name, value])))).toBe(false);
      expect(check({})).toBe(false);
    },
  );
});

test("ElevenLabs may send the digests of two secrets while it changes them", () => {
  const [old, next] = ["old", "next"].map(
    (secret) => signOf.elevenlabs(BODY, secret, NOW)["elevenlabs-signature"] ?? "",
  );
  const headers = { "elevenlabs-signature": `${old},${next?.split(",")[1]}` };
  const check = (secret: string): boolean => isTaken("elevenlabs", headers, NOW, BODY, [secret]);
  expect([check("old"), check("next"), check("other")]).toEqual([true, true, false]);
});

test.each([
  ["seconds", String(NOW / 1_000)],
  ["milliseconds", String(NOW)],
  ["a date", new Date(NOW).toISOString()],
])("Vapi's time may be in %s", (_, time) => {
  const digest = createHmac("sha256", SECRET).update(`${time}.${BODY}`).digest("hex");
  const headers = { "x-timestamp": time, "x-signature": digest };
  const check = (now: number): boolean => isTaken("vapi", headers, now);
  expect([check(NOW), check(NOW + 6 * MINUTE)]).toEqual([true, false]);
});

const OTHERS = Array.from({ length: 230 }, (_, i) => `v0=${String(i).padStart(64, "0")}`);
const SECRETS = ["the next one", SECRET];
const withDigests = (...digests: string[]) => ({
  "elevenlabs-signature": [`t=${NOW / 1_000}`, ...digests].join(","),
});

test("a header that claims many digests is refused, and no secret is used", () => {
  const header = signOf.elevenlabs(BODY, SECRET, NOW)["elevenlabs-signature"] ?? "";
  const headers = { "elevenlabs-signature": [header, ...OTHERS].join(",") };
  vi.mocked(createHmac).mockClear();
  expect(isTaken("elevenlabs", headers, NOW, BODY, SECRETS)).toBe(false);
  expect(createHmac).not.toHaveBeenCalled();
});

test("a body is hashed once for each secret, however many digests are claimed", () => {
  expect(isTaken("elevenlabs", withDigests(...OTHERS.slice(0, 4)), NOW, BODY, SECRETS)).toBe(false);
  expect(createHmac).toHaveBeenCalledTimes(SECRETS.length);
});

describe.each(PLATFORMS)("a body of %s", (platform) => {
  const good = () => signOf[platform](BODY, SECRET, NOW);
  const changed = (change: (text: string) => string) => () =>
    Object.fromEntries(Object.entries(good()).map(([name, value]) => [name, change(value)]));

  test.each([
    ["no header", () => ({}), [SECRET]],
    ["a digest that is cut off", changed((text) => text.slice(0, -1)), [SECRET]],
    ["a digest that is none", changed((text) => text.replace(/[0-9a-f]{64}$/, "x".repeat(64))), [SECRET]],
    ["an old signature", () => signOf[platform](BODY, SECRET, NOW - 60 * MINUTE), [SECRET]],
    ["no secret to hold it against", good, []],
  ])("is not even read with %s", async (_, headersOf, secrets) => {
    const headers = headersOf();
    vi.mocked(createHmac).mockClear();
    const readBody = vi.fn(() => Buffer.from(BODY));
    const read = await readSignedBody(platform, { headers, readBody }, secrets, new Date(NOW));
    expect([read, readBody.mock.calls.length, vi.mocked(createHmac).mock.calls.length]).toEqual([
      "unsigned",
      0,
      0,
    ]);
  });
});
