// A custom resource of CloudFormation that guards a deployment's stage: an update that would turn a production into a
// trial fails here, before anything that holds evidence has changed. CloudFormation says what the stage was.
import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import { PRODUCTION, STAGE_PROPERTY } from "../contract/stages.ts";

const REFUSAL =
  "this deployment is a production and can't become a trial again: deploy it with stage=production, as before";

/** Says yes or no to CloudFormation. A run that fails is repeated by Lambda, and the answer is the same. */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const { RequestId, LogicalResourceId, StackId } = event;
  const answer = {
    ...(isRefused(event) ? { Status: "FAILED", Reason: REFUSAL } : { Status: "SUCCESS" }),
    RequestId,
    LogicalResourceId,
    StackId,
    // One that changes would have CloudFormation delete the old resource.
    PhysicalResourceId: LogicalResourceId,
  };
  // The address is signed for a request without a content type, which bytes have and a text has not.
  const response = await fetch(event.ResponseURL, {
    method: "PUT",
    body: Buffer.from(JSON.stringify(answer)),
  });
  if (!response.ok) throw new Error(`CloudFormation did not take the answer: ${response.status}`);
}

/** A new stack may be either, and what is deleted is guarded by other means. */
const isRefused = (event: CloudFormationCustomResourceEvent): boolean =>
  event.RequestType === "Update" &&
  event.OldResourceProperties[STAGE_PROPERTY] === PRODUCTION &&
  event.ResourceProperties[STAGE_PROPERTY] !== PRODUCTION;
