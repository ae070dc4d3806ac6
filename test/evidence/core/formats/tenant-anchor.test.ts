import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import { MAX_SHARD } from "../../../../evidence/core/formats/event-id.ts";
import { chainIdOf, fingerprintOf, isTenantAnchor } from "../../../../evidence/core/formats/tenant-anchor.ts";

const ANCHOR = "0123456789abcdef0123456789abcdef";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("a chain's id is the first half of the hash over its shard and the tenant's anchor", () => {
  const expected = sha256(`{"shard":7,"tenant_anchor":"${ANCHOR}"}`).slice(0, 32);
  expect(chainIdOf(ANCHOR, 7)).toBe(expected);
  expect(chainIdOf(ANCHOR, 8)).not.toBe(expected);
  expect(chainIdOf(`f${ANCHOR.slice(1)}`, 7)).not.toBe(expected);
});

test("a fingerprint is a hash of the anchor, and no chain's id is part of it", () => {
  expect(fingerprintOf(ANCHOR)).toBe(`sha256:${sha256(`{"tenant_anchor":"${ANCHOR}"}`)}`);
  expect(fingerprintOf(ANCHOR)).not.toContain(chainIdOf(ANCHOR, 0));
});

test.each(["", ANCHOR.slice(1), `${ANCHOR}0`, ANCHOR.toUpperCase(), `${ANCHOR.slice(1)}g`])(
  "%j is no anchor, and the error does not repeat it",
  (text) => {
    expect(isTenantAnchor(text)).toBe(false);
    for (const use of [() => chainIdOf(text, 0), () => fingerprintOf(text)])
      expect(use).toThrow(
        expect.toSatisfy(
          (error) =>
            isDisclosureError(error, "malformed") &&
            (text === "" || !JSON.stringify([error.message, error.evidence]).includes(text)),
        ),
      );
  },
);

test.each([-1, 0.5, MAX_SHARD + 1, Number.NaN])("no chain has the shard %d", (shard) => {
  expect(() => chainIdOf(ANCHOR, shard)).toThrow(
    expect.toSatisfy((error) => isDisclosureError(error, "malformed")),
  );
});

test.each([0, MAX_SHARD])("a chain can have the shard %d", (shard) => {
  expect(chainIdOf(ANCHOR, shard)).toBe(
    sha256(`{"shard":${shard},"tenant_anchor":"${ANCHOR}"}`).slice(0, 32),
  );
});
