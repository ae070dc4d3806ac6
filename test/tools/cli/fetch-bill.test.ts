// `bill fetch` from a service whose bill has no end.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_BILL_BYTES } from "../../../evidence/reader/limits.ts";
import { fetchBill } from "../../../tools/cli/bill/fetch-bill.ts";
import { readJson, vector } from "./command-line.ts";

test("pages without an end are given up at the size that any reader takes", async () => {
  const [{ file }] = readJson<[{ file: string }]>(vector("bills.json"));
  const bill = JSON.parse(readFileSync(vector(file), "utf8"));
  const padding = "x".repeat(15 * 1024 * 1024);
  let pages = 0;
  const endless = async () => {
    pages += 1;
    return Buffer.from(JSON.stringify({ ...bill, lines: [], padding, next_shard: pages }));
  };
  await expect(fetchBill(endless, bill.month)).rejects.toMatchObject({
    code: "publication_unavailable",
    message: `the bill is larger than ${MAX_BILL_BYTES} bytes`,
  });
  expect(pages).toBe(Math.ceil(MAX_BILL_BYTES / padding.length));
});
