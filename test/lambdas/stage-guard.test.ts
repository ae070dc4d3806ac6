// What the guard of the stage says to CloudFormation, and how.
import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import { beforeEach, expect, test, vi } from "vitest";
import { handler } from "../../lambdas/stage-guard.ts";
import { logger } from "../../service/logger.ts";

const COMMON = {
  ResponseURL: "https://cloudformation.example/answer?signature",
  RequestId: "request",
  LogicalResourceId: "Stage",
  StackId: "stack",
  ServiceToken: "function",
  ResourceType: "Custom::StageGuard",
};
const NOW = new Date("2026-11-22T12:00:00.000Z");
const YESTERDAY = "production-since-2026-11-21T12:00:00.000Z";
type Change = {
  readonly RequestType: string;
  readonly stage: string;
  readonly before?: string;
  readonly id?: string;
};

const send = vi.spyOn(globalThis, "fetch");
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(logger, "error").mockReturnValue();
  send.mockReset().mockImplementation(async () => new Response());
});

async function answerTo({ RequestType, stage, before, id = YESTERDAY }: Change) {
  const event = {
    ...COMMON,
    RequestType,
    PhysicalResourceId: id,
    ResourceProperties: { Stage: stage },
    ...(before !== undefined && { OldResourceProperties: { Stage: before } }),
  };
  await handler(event as unknown as CloudFormationCustomResourceEvent);
  const [address, request] = send.mock.calls[0] ?? expect.fail("nothing was answered");
  expect([address, request?.method]).toEqual([COMMON.ResponseURL, "PUT"]);
  expect(new Request("https://any.example", request).headers.get("content-type")).toBeNull();
  return JSON.parse(String(request?.body));
}

test.each([YESTERDAY, "production-since-2026-11-22T09:00:00.000Z", "Stage"])(
  "a production may not become a trial, and the operator reads why in one line: %s",
  async (id) => {
    const answer = await answerTo({ RequestType: "Update", stage: "trial", before: "production", id });
    expect(answer).toMatchObject({ Status: "FAILED", RequestId: "request", LogicalResourceId: "Stage" });
    expect(answer.Reason).toMatch(/^this deployment is a production .* stage=production[^\n]*$/);
    // CloudFormation would delete a resource whose id has changed.
    expect(answer.PhysicalResourceId).toBe(id);
  },
);

test("the refused update is taken back, and refused again when it is tried again", async () => {
  const change = { RequestType: "Update", stage: "trial", before: "production" };
  const refused = await answerTo(change);
  send.mockClear();
  const undoing = { RequestType: "Update", stage: "production", before: "trial" };
  const undone = await answerTo({ ...undoing, id: refused.PhysicalResourceId });
  expect(undone).toMatchObject({ Status: "SUCCESS", PhysicalResourceId: YESTERDAY });
  send.mockClear();
  expect(await answerTo({ ...change, id: undone.PhysicalResourceId })).toMatchObject({ Status: "FAILED" });
});

test("an update to production that failed may be taken back", async () => {
  const before = { before: "trial", id: "trial-since-2026-11-21T12:00:00.000Z" };
  const made = await answerTo({ RequestType: "Update", stage: "production", ...before });
  expect(made.PhysicalResourceId).toBe("production-since-2026-11-22T12:00:00.000Z");
  vi.setSystemTime(NOW.getTime() + 2 * 60 * 60 * 1_000);
  send.mockClear();
  const id = made.PhysicalResourceId;
  const undone = await answerTo({ RequestType: "Update", stage: "trial", before: "production", id });
  expect(undone).toMatchObject({
    Status: "SUCCESS",
    PhysicalResourceId: "trial-since-2026-11-22T14:00:00.000Z",
  });
});

test.each<Change & { readonly expected: string }>([
  { RequestType: "Create", stage: "trial", expected: `trial-since-${NOW.toISOString()}` },
  { RequestType: "Create", stage: "production", expected: `production-since-${NOW.toISOString()}` },
  { RequestType: "Update", stage: "production", before: "production", expected: YESTERDAY },
  { RequestType: "Update", stage: "trial", before: "trial", expected: YESTERDAY },
  { RequestType: "Delete", stage: "production", expected: YESTERDAY },
])("every other change goes through: %j", async ({ expected, ...change }) => {
  const { Status, PhysicalResourceId, StackId } = await answerTo(change);
  expect([Status, PhysicalResourceId, StackId]).toEqual(["SUCCESS", expected, "stack"]);
});

test("an answer that is not taken is a failure, for Lambda to try again", async () => {
  send.mockImplementation(async () => new Response(null, { status: 403 }));
  await expect(answerTo({ RequestType: "Create", stage: "trial" })).rejects.toThrowError(/403/);
});
