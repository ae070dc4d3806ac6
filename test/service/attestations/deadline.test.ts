import { expect, test, vi } from "vitest";
import { withDeadline } from "../../../service/attestations/chain-stamps.ts";

const never = new Promise<string>(() => {});

test("what comes in time is had, and null in its place where the deadline comes first", async () => {
  expect(await withDeadline(Promise.resolve("token"), performance.now() + 60_000)).toBe("token");
  expect(await withDeadline(never, performance.now() + 1)).toBeNull();
});

test("a deadline that is long past ends the wait, and warns nobody", async () => {
  const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  expect(await withDeadline(never, performance.now() - 1_000)).toBeNull();
  expect(await withDeadline(Promise.resolve("token"), performance.now() - 1_000)).toBe("token");
  expect(warning).not.toHaveBeenCalled();
});
