import { expect, test, vi } from "vitest";
import { before } from "../../../service/attestations/deadline.ts";

const never = new Promise<string>(() => {});

test("what comes in time is had, and null in its place where the deadline comes first", async () => {
  expect(await before(performance.now() + 60_000, Promise.resolve("token"))).toBe("token");
  expect(await before(performance.now() + 1, never)).toBeNull();
});

test("a deadline that is long past ends the wait, and warns nobody", async () => {
  const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  expect(await before(performance.now() - 1_000, never)).toBeNull();
  expect(await before(performance.now() - 1_000, Promise.resolve("token"))).toBe("token");
  expect(warning).not.toHaveBeenCalled();
});
