// The service's remark about a request reaches the caller, and never costs a receipt.
import { afterEach, expect, test, vi } from "vitest";
import { disclosure } from "../../support/api-client.ts";
import { clientOf, failure, start } from "./clients.ts";
import type { Trick } from "./service.ts";

const WARNING = "interaction_id looks like a telephone number: use another.";
const warn: Trick = ({ response }) => {
  response.setHeader("disclosure-warning", WARNING);
  return false;
};

afterEach(() => void vi.restoreAllMocks());

test("a warning goes to onWarning, each time, beside the receipt", async () => {
  const onWarning = vi.fn();
  const { client, served } = await start(warn, { onWarning });
  await client.attest(disclosure());
  expect((await client.attest(disclosure({ interaction_id: "another" }))).receipts).toHaveLength(1);
  expect(onWarning.mock.calls).toEqual([[WARNING], [WARNING]]);
  served.trick = () => false;
  await client.attest(disclosure({ interaction_id: "third" }));
  expect(onWarning).toHaveBeenCalledTimes(2);
});

test("a warning holds nothing that a terminal would obey", async () => {
  const onWarning = vi.fn();
  const { client } = await start(
    ({ response }) => {
      response.setHeader("disclosure-warning", "\u009b31m red");
      return false;
    },
    { onWarning },
  );
  await client.attest(disclosure());
  expect(onWarning.mock.calls).toEqual([["\\u{9b}31m red"]]);
});

test("without onWarning the first of a process goes to the console", async () => {
  const console = vi.spyOn(globalThis.console, "warn").mockImplementation(() => {});
  const { client, served } = await start(warn);
  for (const interaction_id of ["a", "b"]) await client.attest(disclosure({ interaction_id }));
  await clientOf(served).attest(disclosure({ interaction_id: "c" }));
  expect(console.mock.calls).toEqual([[`disclosure-receipts: ${WARNING}`]]);
});

test("an onWarning that fails costs no receipt and no process, and one that is no function is refused", async () => {
  // Vitest fails a run in which nobody handles a rejection.
  for (const onWarning of [() => expect.unreachable(), () => Promise.reject(new Error("the log is full"))]) {
    const { client } = await start(warn, { onWarning });
    expect((await client.attest(disclosure())).receipts).toHaveLength(1);
  }
  await failure(
    (async () => (await start(warn, { onWarning: "loud" as never })).client)(),
    "invalid_options",
  );
});
