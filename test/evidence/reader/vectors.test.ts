// The reader alone is held to the table of evidence that every verifier is held to in test/agreement.
import { expect, test } from "vitest";
import { checkpointRows, evidenceRows, isMisplaced } from "../../agreement/evidence-rows.ts";
import { askReader } from "../../agreement/reader.ts";

test.each([...evidenceRows, ...checkpointRows].filter((row) => !isMisplaced(row)))(
  "$expected.verdict of $kind $name: $reason",
  async (row) => {
    expect(await askReader(row)).toEqual(row.expected);
  },
);

test.each(evidenceRows.filter(isMisplaced))("unreadable: $name, beside another root", async (row) => {
  expect(await askReader(row)).toMatchObject({ verdict: "unreadable", failing: [] });
});
