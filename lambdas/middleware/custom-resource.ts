// The wrapper of a custom resource of CloudFormation: what the handler does or throws becomes the answer.
import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import { describeError, logger } from "../../service/logger.ts";

type Event = CloudFormationCustomResourceEvent;

/**
 * `work` returns the resource's id, or null for the name that it has in the template. CloudFormation deletes a resource
 * whose id has changed, once the deployment is done. The message of an error is what the operator reads.
 */
export const customResource =
  (work: (event: Event) => Promise<string | null> | string) =>
  async (event: Event): Promise<void> => {
    try {
      const id = (await work(event)) ?? event.LogicalResourceId;
      await answer(event, { Status: "SUCCESS", PhysicalResourceId: id });
    } catch (error) {
      logger.error("failed", { failure: describeError(error) });
      await answer(event, { Status: "FAILED", Reason: error instanceof Error ? error.message : "failed" });
    }
  };

type ChangeOutcome =
  | { readonly Status: "SUCCESS"; readonly PhysicalResourceId: string }
  | { readonly Status: "FAILED"; readonly Reason: string };

/** Lambda repeats a run that fails, so an answer that was not taken is given again. */
async function answer(event: Event, outcome: ChangeOutcome) {
  const { RequestId, LogicalResourceId, StackId } = event;
  const known = "PhysicalResourceId" in event ? event.PhysicalResourceId : LogicalResourceId;
  const text = { PhysicalResourceId: known, ...outcome, RequestId, LogicalResourceId, StackId };
  // The address is signed for a request without a content type, which bytes have not and a text has.
  const body = Buffer.from(JSON.stringify(text));
  const response = await fetch(event.ResponseURL, { method: "PUT", body });
  if (!response.ok) throw new Error(`CloudFormation did not take the answer: ${response.status}`);
}
