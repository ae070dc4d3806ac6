// Waiting for the root: as rarely as the service asks, through outages, and not for ever.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ClientError } from "../../../clients/client/index.ts";
import { type ReportAnswer, waitUntilSealed } from "../../../clients/client/sealed.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { readReceipt } from "../../support/vector-files.ts";
import { failure } from "./clients.ts";

const SECOND = 1_000;
const included = readReceipt("receipts/hand-off.json");
const merkle_proof = { ...included.merkle_proof, status: "pending" as const };
const pending: ComplianceReceipt = { ...included, merkle_proof };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Answers in turn, the last one for good; `askedAt` are the moments of the questions, in seconds. */
function service(...answers: (ReportAnswer | Error)[]) {
  const begun = performance.now();
  const askedAt: number[] = [];
  const ask = async (): Promise<ReportAnswer> => {
    const answer = answers[Math.min(askedAt.length, answers.length - 1)] ?? expect.unreachable();
    askedAt.push(Math.round((performance.now() - begun) / SECOND));
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ask, askedAt };
}
const waits = (seconds: number): ReportAnswer => ({ report: pending, retryAfterMs: seconds * SECOND });
const sealed: ReportAnswer = { report: included, retryAfterMs: 0 };
const outage = new ClientError("undeliverable", "the service gave no answer", { retryAfterMs: 7 * SECOND });

/** The outcome, with all timers run. */
async function outcome<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await vi.runAllTimersAsync();
  return promise;
}

describe("waiting for the root", () => {
  test("ends at once where the receipt is sealed already", async () => {
    const { ask, askedAt } = service(sealed);
    expect(await outcome(waitUntilSealed(ask, {}))).toBe(included);
    expect(askedAt).toEqual([0]);
  });

  test("asks no sooner than the service says, and never more often than once a second", async () => {
    const { ask, askedAt } = service(waits(30), waits(20), waits(0), sealed);
    expect(await outcome(waitUntilSealed(ask, {}))).toBe(included);
    expect(askedAt).toEqual([0, 30, 50, 51]);
  });

  test("goes on after an outage", async () => {
    const { ask, askedAt } = service(outage, waits(30), sealed);
    expect(await outcome(waitUntilSealed(ask, {}))).toBe(included);
    expect(askedAt).toEqual([0, 7, 37]);
  });

  test("asks once more at the end of its time, and then says that no root came, with the last report", async () => {
    const { ask, askedAt } = service(waits(30));
    const error = await outcome(failure(waitUntilSealed(ask, { timeoutMs: 40 * SECOND }), "not_sealed"));
    expect(askedAt).toEqual([0, 30, 40]);
    expect(error).toMatchObject({ evidence: pending, retryAfterMs: 30 * SECOND });
    const late = service(waits(30), sealed);
    expect(await outcome(waitUntilSealed(late.ask, { timeoutMs: SECOND }))).toBe(included);
  });

  test("ends with the outage that was never over", async () => {
    const error = await outcome(
      failure(waitUntilSealed(service(outage).ask, { timeoutMs: 1 }), "not_sealed"),
    );
    expect(error).toMatchObject({ evidence: null, cause: outage });
  });

  test("passes on what waiting would not change", async () => {
    const refused = new ClientError("refused", "no such event", { status: 404 });
    expect(await outcome(failure(waitUntilSealed(service(refused).ask, {}), "refused"))).toBe(refused);
  });

  test("ends in the middle of a pause with the signal's own reason", async () => {
    const controller = new AbortController();
    const { ask, askedAt } = service(waits(30));
    const waiting = waitUntilSealed(ask, { signal: controller.signal });
    waiting.catch(() => {});
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect([askedAt, vi.getTimerCount()]).toEqual([[0], 0]);
    await expect(waitUntilSealed(ask, { signal: controller.signal })).rejects.toThrow("enough");
  });

  test.each([{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { timeout: 5 }])("refuses %j", async (options) => {
    await outcome(failure(waitUntilSealed(service(sealed).ask, options as never), "invalid_options"));
  });
});
