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
type Change = { readonly RequestType: string; readonly stage: string; readonly before?: string };

const send = vi.spyOn(globalThis, "fetch");
beforeEach(() => {
  vi.spyOn(logger, "error").mockReturnValue();
  send.mockReset().mockImplementation(async () => new Response());
});

async function answerTo({ RequestType, stage, before }: Change) {
  const event = {
    ...COMMON,
    RequestType,
    PhysicalResourceId: "Stage",
    ResourceProperties: { Stage: stage },
    ...(before !== undefined && { OldResourceProperties: { Stage: before } }),
  };
  await handler(event as unknown as CloudFormationCustomResourceEvent);
  const [address, request] = send.mock.calls[0] ?? expect.fail("nothing was answered");
  expect([address, request?.method]).toEqual([COMMON.ResponseURL, "PUT"]);
  expect(new Request("https://any.example", request).headers.get("content-type")).toBeNull();
  return JSON.parse(String(request?.body));
}

test("a production may not become a trial, and the operator reads why in one line", async () => {
  const answer = await answerTo({ RequestType: "Update", stage: "trial", before: "production" });
  expect(answer).toMatchObject({ Status: "FAILED", RequestId: "request", LogicalResourceId: "Stage" });
  expect(answer.Reason).toMatch(/^this deployment is a production .* stage=production[^\n]*$/);
});

test.each<Change>([
  { RequestType: "Create", stage: "trial" },
  { RequestType: "Create", stage: "production" },
  { RequestType: "Update", stage: "production", before: "trial" },
  { RequestType: "Update", stage: "production", before: "production" },
  { RequestType: "Update", stage: "trial", before: "trial" },
  { RequestType: "Delete", stage: "production" },
])("every other change goes through: %j", async (change) => {
  const { Status, PhysicalResourceId, StackId } = await answerTo(change);
  // The same id at all times: CloudFormation deletes a resource whose id has changed.
  expect([Status, PhysicalResourceId, StackId]).toEqual(["SUCCESS", "Stage", "stack"]);
});

test("an answer that is not taken is a failure, for Lambda to try again", async () => {
  send.mockImplementation(async () => new Response(null, { status: 403 }));
  await expect(answerTo({ RequestType: "Create", stage: "trial" })).rejects.toThrowError(/403/);
});
