// A tenant's own wordings, and the layer that they make together with one of the policy.
import { describe, expect, test } from "vitest";
import {
  composeLayer,
  MAX_OWN_WORDINGS,
  ownWordingsSchema,
} from "../../../../evidence/core/policy/effective-layer.ts";
import { lookupLayer } from "../../../../evidence/core/policy/policy.ts";
import { digestOfLayer } from "../../../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../../../evidence/policy/index.ts";

const ID = "0123456789abcdef0123456789abcdef";
const germany = lookupLayer(policyLayers, "DE");
const digest = (number: number): string => `sha256:${number.toString(16).padStart(64, "0")}`;

const own = (number: number, change: object = {}) => ({
  id: `own-${number}`,
  language: "de",
  modality: "chat",
  methods: ["written_notice"],
  digest: digest(number),
  approved_on: "2026-08-02",
  retired_on: null,
  approved_by: "Legal department",
  template: null,
  ...change,
});
const registered = (number: number, jurisdiction = "DE", change: object = {}) => ({
  jurisdiction,
  wording: own(number, change),
});
const isSound = (wordings: object): boolean => ownWordingsSchema.safeParse(wordings).success;
const parse = (...wordings: object[]) => ownWordingsSchema.parse({ id: ID, registered: wordings });

describe("a tenant's own wordings", () => {
  test("are each of its own id, and of a digest that its jurisdiction has once", () => {
    expect(isSound({ id: ID, registered: [registered(1), registered(2)] })).toBe(true);
    expect(isSound({ id: ID, registered: [registered(1), registered(2, "FR", { digest: digest(1) })] })).toBe(
      true,
    );
    expect(isSound({ id: ID, registered: [registered(1), registered(2, "DE", { digest: digest(1) })] })).toBe(
      false,
    );
    expect(isSound({ id: ID, registered: [registered(1), registered(2, "FR", { id: "own-1" })] })).toBe(
      false,
    );
  });

  test.each([
    ["an id that is not the tenant's own", registered(1, "DE", { id: "de-1-own-" })],
    ["a jurisdiction that is no country", registered(1, "XX")],
    ["an end before the beginning", registered(1, "DE", { retired_on: "2026-08-01" })],
    ["a template that is none", registered(1, "DE", { template: "No Such" })],
    ["a member that nobody knows", registered(1, "DE", { text: "Hallo" })],
  ])("have not %s", (_what, entry) => {
    expect(isSound({ id: ID, registered: [entry] })).toBe(false);
  });

  test.each(["", ID.slice(1), `${ID}0`, ID.toUpperCase()])("have not the id %j", (id) => {
    expect(isSound({ id, registered: [] })).toBe(false);
  });

  test("are a hundred at most", () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => registered(i));
    expect(isSound({ id: ID, registered: many(MAX_OWN_WORDINGS) })).toBe(true);
    expect(isSound({ id: ID, registered: many(MAX_OWN_WORDINGS + 1) })).toBe(false);
  });
});

describe("composeLayer", () => {
  test("puts the wordings of the jurisdiction behind the layer's own, and says what it was made from", () => {
    const composed = composeLayer(germany, parse(registered(1), registered(2, "FR"), registered(3)));
    expect(composed).toEqual({
      ...germany,
      wordings: [...germany.wordings, own(1), own(3)],
      additions: { base: digestOfLayer(germany), id: ID },
    });
  });

  test("is the layer itself where nothing is added", () => {
    const [known] = germany.wordings;
    for (const wordings of [[], [registered(1, "FR")], [registered(1, "DE", { digest: known?.digest })]])
      expect(composeLayer(germany, parse(...wordings))).toBe(germany);
  });
});
