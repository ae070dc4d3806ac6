// Who signed a webhook: each scheme as its platform describes it. The platforms' own SDKs judge it in
// test/clients/adapters.
import { describe, expect, test } from "vitest";
import { isSigned } from "../../../clients/bridge/signatures.ts";
import { PLATFORMS } from "../../../contract/bridge-settings.ts";
import { SECRET, signOf } from "./platforms.ts";

const NOW = Date.parse("2026-11-23T10:00:00Z");
const MINUTE = 60_000;
const BODY = '{"event":"call_ended","text":"Grüße"}';

describe.each(PLATFORMS)("a webhook of %s", (platform) => {
  const maxAge = platform === "elevenlabs" ? 30 * MINUTE : 5 * MINUTE;
  const check = (headers: Record<string, string | undefined>, body = BODY, secrets = [SECRET]): boolean =>
    isSigned(platform, { headers, body: Buffer.from(body) }, secrets, new Date(NOW));

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
  const check = (secret: string): boolean =>
    isSigned("elevenlabs", { headers, body: Buffer.from(BODY) }, [secret], new Date(NOW));
  expect([check("old"), check("next"), check("other")]).toEqual([true, true, false]);
});

test.each([
  ["seconds", String(NOW / 1_000)],
  ["milliseconds", String(NOW)],
  ["a date", new Date(NOW).toISOString()],
])("Vapi's time may be in %s", async (_, time) => {
  const { createHmac } = await import("node:crypto");
  const digest = createHmac("sha256", SECRET).update(`${time}.${BODY}`).digest("hex");
  const headers = { "x-timestamp": time, "x-signature": digest };
  const check = (now: number): boolean =>
    isSigned("vapi", { headers, body: Buffer.from(BODY) }, [SECRET], new Date(now));
  expect([check(NOW), check(NOW + 6 * MINUTE)]).toEqual([true, false]);
});
