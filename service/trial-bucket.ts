// The end of a trial's bucket of roots. Its objects are locked for a day in governance mode, which a right can bypass.
import {
  DeleteObjectsCommand,
  GetBucketTaggingCommand,
  ListObjectVersionsCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { DisclosureError } from "../evidence/core/errors.ts";

/** The CDK gives a bucket this tag for as long as the stack would delete the bucket together with its objects. */
const DISPOSABLE = "aws-cdk:auto-delete-objects";
/** A bucket without any tag, and one that somebody has deleted already. */
const NOTHING_TO_EMPTY = ["NoSuchTagSet", "NoSuchBucket"];

/**
 * Deletes every version of every object. Does nothing where the bucket is not marked as a trial's any more: when a trial
 * becomes a production, CloudFormation takes the same step as at a trial's end. Can be repeated after a crash.
 */
export async function emptyTrialBucket(Bucket: string, s3 = new S3Client({})): Promise<void> {
  if (!(await isDisposable(s3, Bucket))) return;
  for (;;) {
    // The objects of a list are gone by the next time, so each list is the first page.
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key = "", VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) return;
    const Delete = { Objects, Quiet: true };
    const { Errors: [first] = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket, BypassGovernanceRetention: true, Delete }),
    );
    if (first === undefined) continue;
    const message = `objects of ${Bucket} can't be deleted: ${first.Code}`;
    throw new DisclosureError("publication_unavailable", message);
  }
}

async function isDisposable(s3: S3Client, Bucket: string): Promise<boolean> {
  try {
    const { TagSet = [] } = await s3.send(new GetBucketTaggingCommand({ Bucket }));
    return TagSet.some(({ Key, Value }) => Key === DISPOSABLE && Value === "true");
  } catch (error) {
    if (error instanceof S3ServiceException && NOTHING_TO_EMPTY.includes(error.name)) return false;
    throw error;
  }
}
