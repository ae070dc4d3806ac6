// A custom resource of CloudFormation that guards a deployment's stage: an update that would turn a production into a
// trial fails here, before anything that holds evidence has changed. CloudFormation says what the stage was.
import { PRODUCTION, STAGE_PROPERTY } from "../contract/stages.ts";
import { DisclosureError } from "../core/errors.ts";
import { customResource } from "./middleware/custom-resource.ts";

const REFUSAL =
  "this deployment is a production and can't become a trial again: deploy it with stage=production, as before";

/** A new stack may be either, and what is deleted is guarded by other means. */
export const handler = customResource((event) => {
  if (event.RequestType !== "Update") return;
  const { OldResourceProperties: before, ResourceProperties: after } = event;
  if (before[STAGE_PROPERTY] === PRODUCTION && after[STAGE_PROPERTY] !== PRODUCTION)
    throw new DisclosureError("misconfigured", REFUSAL);
});
