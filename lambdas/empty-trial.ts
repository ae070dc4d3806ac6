// A custom resource of CloudFormation that empties a trial's bucket of roots before the stack deletes it.
import { emptyTrialBucket } from "../service/trial-bucket.ts";
import { customResource } from "./middleware/custom-resource.ts";

export const handler = customResource(async ({ RequestType, ResourceProperties }) => {
  if (RequestType === "Delete") await emptyTrialBucket(String(ResourceProperties.BucketName));
  return null;
});
