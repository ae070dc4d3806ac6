// Evidence from somebody who means harm: every verifier comes to an end, and to the same one.
import { describe, expect, test } from "vitest";
import { answersTo, ask, everywhere, useClock } from "./everyone.ts";
import { hostileBundles } from "./hostile-bundles.ts";
import { hostileRows } from "./hostile-rows.ts";

useClock();

describe("a report with", () => {
  test.each(ask(hostileRows))("$name is judged alike: $expected.verdict", async (row) => {
    expect(await answersTo(row)).toEqual(everywhere(row.expected));
  });
});

describe("a bundle with", () => {
  const fails = new Map(hostileBundles.map(({ name, fails }) => [name, fails]));

  test.each(ask(hostileBundles))("$name is judged alike, and not to hold", async (row) => {
    const answers = await answersTo(row);
    const { commandLine } = answers;
    expect(answers).toEqual(everywhere(commandLine));
    const check = fails.get(row.name) ?? null;
    expect(commandLine.verdict).toBe(check === null ? "unreadable" : "does_not_hold");
    expect(commandLine.failing).toEqual(check === null ? [] : expect.arrayContaining([check]));
  });
});
