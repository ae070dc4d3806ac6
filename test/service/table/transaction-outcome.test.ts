// What DynamoDB's words for a failed write are taken for.
import { expect, test } from "vitest";
import { readOutcome } from "../../../service/table/transaction-outcome.ts";

const named = (name: string): Error => Object.assign(new Error(name), { name });
const cancelled = (Code: string): Error => {
  const CancellationReasons = [{ Code: "None" }, { Code }];
  return Object.assign(named("TransactionCanceledException"), { CancellationReasons });
};

test.each([
  ["ThrottlingException", named],
  ["ProvisionedThroughputExceededException", named],
  ["RequestLimitExceeded", named],
  ["ThrottlingError", cancelled],
  ["ProvisionedThroughputExceeded", cancelled],
])("%s answers a first send, and says nothing of it when it answers a later one", (word, errorOf) => {
  expect(readOutcome(errorOf(word), true)).toEqual({ kind: "throttled" });
  expect(readOutcome(errorOf(word), false)).toBeNull();
});

test.each([
  ["ValidationException", named],
  ["AccessDeniedException", named],
  ["ResourceNotFoundException", named],
  ["ValidationError", cancelled],
])("%s will not go away by sending again, so it is thrown at once", (word, errorOf) => {
  for (const isFirstSend of [true, false]) {
    expect(() => readOutcome(errorOf(word), isFirstSend)).toThrow(
      expect.objectContaining({ code: "ledger_unavailable" }),
    );
  }
});
