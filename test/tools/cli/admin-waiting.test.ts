import { expect, test } from "vitest";
import { describeWaiting } from "../../../tools/cli/admin/concerns.ts";

test.each([
  [0, 0, []],
  [1, 0, ["1 receipt waits to be sealed"]],
  [0, 17, ["17 seals wait to be published"]],
  [2, 1, ["2 receipts wait to be sealed", "1 seal waits to be published"]],
])(
  "names %d receipts that are not sealed and %d seals that are not published",
  (receipts, unpublished, words) => {
    expect(describeWaiting({ unpublished, backlog: { receipts } })).toEqual(words);
  },
);
