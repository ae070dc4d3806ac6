// What a function refuses to start with.
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openTokens } from "../../service/connections.ts";

const VECTORS = join(import.meta.dirname, "..", "vectors", "timestamps");
const URLS = ["http://a.test", "http://b.test"];

afterEach(() => void vi.unstubAllEnvs());

function open(wanted: string, urls: readonly string[]) {
  vi.stubEnv("TSA_URLS", urls.join(","));
  vi.stubEnv("TSA_CA_FILE", join(VECTORS, "openssl-p256-ca.pem"));
  vi.stubEnv("SEAL_TIMESTAMPS", wanted);
  return openTokens({ clock: () => new Date() }, () => {});
}

test("a sealer that wants more tokens than there are authorities or anchors does not start, and says why", () => {
  const refusal = {
    code: "misconfigured",
    message: expect.stringMatching(/^SEAL_TIMESTAMPS: 2 need as many/),
  };
  expect(() => open("2", URLS)).toThrowError(expect.objectContaining(refusal));
  expect(() => open("2", URLS.slice(1))).toThrowError(expect.objectContaining(refusal));
  expect(() => open("0", URLS)).toThrowError(/SEAL_TIMESTAMPS/);
  expect(open("1", URLS)).toBeTypeOf("function");
});
