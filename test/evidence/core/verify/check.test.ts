import { describe, expect, test } from "vitest";
import { DisclosureError } from "../../../../evidence/core/errors.ts";
import {
  fullName,
  holds,
  placed,
  runSteps,
  type Step,
  unchecked,
} from "../../../../evidence/core/verify/check.ts";

const good: Step<string, string> = ["good", (subject) => holds(`${subject} is there`)];
const unmade: Step<string, string> = ["unmade", () => unchecked("not_given", "nothing was given")];
const bad: Step<string, string> = [
  "bad",
  () => {
    throw new DisclosureError("proof_invalid", "the root is another", { secret: "evidence" });
  },
];
const broken: Step<string, string> = [
  "broken",
  () => Promise.reject(new TypeError("undefined is not a function")),
];

describe("a list of steps", () => {
  test("is run in order and whole, whatever one of them finds", async () => {
    const { checks } = await runSteps([bad, good, broken, unmade], "it");
    expect(checks.map(({ name }) => name)).toEqual(["bad", "good", "broken", "unmade"]);
  });

  test("waits for each step before the next", async () => {
    const seen: string[] = [];
    const noting = (name: string, before: Promise<void>): Step<null, string> => [
      name,
      async () => {
        await before;
        seen.push(name);
        return holds(name);
      },
    ];
    const later = new Promise<void>((resolve) => setTimeout(resolve, 5));
    const [slow, fast] = [noting("slow", later), noting("fast", Promise.resolve())];
    await runSteps([slow, fast], null);
    expect(seen).toEqual(["slow", "fast"]);
  });

  test("is valid where nothing failed, and says what could not be checked", async () => {
    expect(await runSteps([good, unmade], "it")).toEqual({
      valid: true,
      checks: [
        { name: "good", ok: true, detail: "it is there" },
        { name: "unmade", ok: null, detail: "nothing was given", reason: "not_given" },
      ],
    });
  });

  test("is valid where what a reader brought is another's, and gives that as the reason", async () => {
    const other: Step<string, string> = [
      "other",
      () => unchecked("other_request", "this is another request"),
    ];
    expect(await runSteps([other], "it")).toEqual({
      valid: true,
      checks: [{ name: "other", ok: null, detail: "this is another request", reason: "other_request" }],
    });
  });

  test("is not valid where one step failed, and gives its reason without its evidence", async () => {
    const { valid, checks } = await runSteps([good, bad], "it");
    expect(valid).toBe(false);
    expect(checks[1]).toEqual({ name: "bad", ok: false, detail: "the root is another" });
  });

  test("counts a step that broke as failed, and shows nothing of its insides", async () => {
    expect(await runSteps([broken], "it")).toEqual({
      valid: false,
      checks: [{ name: "broken", ok: false, detail: "this check could not be carried out" }],
    });
  });
});

test("a check is named by its place, where it has one", async () => {
  const { valid, checks } = placed("receipts/1", await runSteps([good, bad], "it"));
  expect(valid).toBe(false);
  expect(checks.map(fullName)).toEqual(["receipts/1/good", "receipts/1/bad"]);
  expect(placed("", await runSteps([good], "it")).checks.map(fullName)).toEqual(["good"]);
});
