// A custom resource of CloudFormation that guards a deployment's stage: an update that would turn a production into a
// trial fails here, before anything that holds evidence has changed. CloudFormation says what the stage was.
import { PRODUCTION, STAGE_PROPERTY } from "../contract/stages.ts";
import { HOUR_MS } from "../contract/time.ts";
import { DisclosureError } from "../evidence/core/errors.ts";
import { customResource } from "./middleware/custom-resource.ts";

const REFUSAL =
  "this deployment is a production and can't become a trial again: deploy it with stage=production, as before";
/**
 * When an update that makes a trial a production fails, CloudFormation takes it back, which looks like the way from
 * production to trial. It does so within the time of one update; that may take an hour, and here has three.
 */
const ROLLBACK_MS = 3 * HOUR_MS;
/** The resource's id says since when the stage is what it is. */
const SINCE = "-since-";

/** A new stack may be either, and what is deleted is guarded by other means. */
export const handler = customResource((event) => {
  const stage: unknown = event.ResourceProperties[STAGE_PROPERTY];
  const now = new Date();
  if (event.RequestType === "Create") return `${stage}${SINCE}${now.toISOString()}`;
  const id = event.PhysicalResourceId;
  if (event.RequestType === "Delete") return id;
  const before: unknown = event.OldResourceProperties[STAGE_PROPERTY];
  // CloudFormation takes back a refused update, too. That looks like the way to production, which the id says was never
  // left: with a time of now, the next update to a trial would look like one that is taken back.
  if (before === stage || id.startsWith(`${stage}${SINCE}`)) return id;
  const since = Date.parse(id.split(SINCE)[1] ?? "");
  const isRollback = now.getTime() - since < ROLLBACK_MS;
  if (before === PRODUCTION && !isRollback) throw new DisclosureError("misconfigured", REFUSAL);
  return `${stage}${SINCE}${now.toISOString()}`;
});
