import { expect, test } from "vitest";
import type { ProvenTime } from "../../core/timestamps/proven-time.ts";
import { firstValid } from "../../reader/times.ts";

const proven = (genTime: string, validUntil: string): ProvenTime => ({
  genTime,
  validUntil,
  accuracy: null,
  authority: { subject: "CN=A", issuer: "CN=B" },
  signer: "sha256:00",
  trustAnchor: "sha256:00",
  covers: "0x00",
});

test("the time to show is one that somebody answers for today, though another once said an earlier", () => {
  const early = proven("2026-10-01T12:00:05Z", "2028-01-01T00:00:00Z");
  const late = proven("2030-05-01T12:00:05Z", "2036-01-01T00:00:00Z");
  expect(firstValid([early, late], "2027-01-01T00:00:00Z")).toBe(early);
  expect(firstValid([early, late], "2031-01-01T00:00:00Z")).toBe(late);
  expect(firstValid([early, late], "2040-01-01T00:00:00Z")).toBe(early);
  expect(firstValid([], "2031-01-01T00:00:00Z")).toBeUndefined();
});
