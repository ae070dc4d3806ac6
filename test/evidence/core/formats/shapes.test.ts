// Single members that several formats share.
import { expect, test } from "vitest";
import {
  chainIdSchema,
  digestSchema,
  instantSchema,
  statedInstantSchema,
} from "../../../../evidence/core/formats/shapes.ts";

const HEX = "0123456789abcdef".repeat(4);

test.each([
  HEX,
  `sha256:${HEX}0`,
  `sha256:${HEX.slice(1)}`,
  `sha256:${HEX.toUpperCase()}`,
  `x sha256:${HEX}`,
])("%j is no digest", (text) => {
  expect(digestSchema.safeParse(`sha256:${HEX}`).success).toBe(true);
  expect(digestSchema.safeParse(text).success).toBe(false);
});

test.each([HEX, HEX.slice(33), `x${HEX.slice(33)}`, HEX.slice(32).toUpperCase()])(
  "%j is no chain's id",
  (text) => {
    expect(chainIdSchema.safeParse(HEX.slice(32)).success).toBe(true);
    expect(chainIdSchema.safeParse(text).success).toBe(false);
  },
);

test.each([
  ["2026-09-01T12:00:00Z", false, true],
  ["2026-09-01T12:00:00.000Z", true, true],
  ["2026-09-01T12:00:00.12Z", false, false],
  ["2026-09-01T12:00:00.123456Z", false, false],
  ["2026-09-01T12:00Z", false, false],
  ["2026-09-01T12:00:00", false, false],
  ["2026-09-01T14:00:00+02:00", false, false],
  ["2026-02-30T12:00:00Z", false, false],
  ["2026-09-01", false, false],
])(
  "%s: a time of the service is read (%s) with milliseconds alone, one that is stated (%s) without, too",
  (text, isOurs, isStated) => {
    expect(instantSchema.safeParse(text).success).toBe(isOurs);
    expect(statedInstantSchema.safeParse(text).success).toBe(isStated);
  },
);
