// The wrapper of a custom resource of CloudFormation: what the handler does or throws becomes the answer.
import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import { describeError, logger } from "../../service/logger.ts";

type Event = CloudFormationCustomResourceEvent;

/** The message of an error is what the operator reads. */
export const customResource =
  (work: (event: Event) => Promise<void> | void) =>
  async (event: Event): Promise<void> => {
    try {
      await work(event);
      await answer(event, { Status: "SUCCESS" });
    } catch (error) {
      logger.error("failed", { failure: describeError(error) });
      await answer(event, { Status: "FAILED", Reason: error instanceof Error ? error.message : "failed" });
    }
  };

/** Lambda repeats a run that fails, so an answer that was not taken is given again. */
async function answer(event: Event, outcome: { Status: "SUCCESS" | "FAILED"; Reason?: string }) {
  const { RequestId, LogicalResourceId, StackId } = event;
  // A PhysicalResourceId that changes would have CloudFormation delete the old resource.
  const text = { ...outcome, RequestId, LogicalResourceId, StackId, PhysicalResourceId: LogicalResourceId };
  // The address is signed for a request without a content type, which bytes have not and a text has.
  const body = Buffer.from(JSON.stringify(text));
  const response = await fetch(event.ResponseURL, { method: "PUT", body });
  if (!response.ok) throw new Error(`CloudFormation did not take the answer: ${response.status}`);
}
