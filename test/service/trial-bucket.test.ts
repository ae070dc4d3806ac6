// The end of a trial's bucket: everything in it goes, and nothing of a bucket that is no trial's any more.
import {
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { emptyTrialBucket } from "../../service/trial-bucket.ts";

const PAGES = [
  {
    Versions: [
      { Key: "v1/metachain/roots/0", VersionId: "1" },
      { Key: "v1/metachain", VersionId: "2" },
    ],
    DeleteMarkers: [{ Key: "v1/metachain", VersionId: "3" }],
  },
  { Versions: [{ Key: "v1/metachain/roots/1", VersionId: "4" }] },
  {},
];

/** An S3 with two pages of versions, and with these marks on the bucket; null for none at all. */
function fakeS3(marks: object[] | null, Errors: object[] = []) {
  const pages = [...PAGES];
  const deleted: DeleteObjectsCommand["input"][] = [];
  const send = async (command: { input: object }) => {
    if (command instanceof ListObjectVersionsCommand) return pages.shift();
    if (command instanceof DeleteObjectsCommand) {
      deleted.push(command.input);
      return { Errors };
    }
    if (marks !== null) return { TagSet: marks };
    throw new S3ServiceException({ name: "NoSuchTagSet", $fault: "client", $metadata: {} });
  };
  return { s3: { send } as unknown as S3Client, deleted };
}
const DISPOSABLE = [{ Key: "aws-cdk:auto-delete-objects", Value: "true" }];

test("every version and every mark of a deletion goes, in spite of the lock", async () => {
  const { s3, deleted } = fakeS3(DISPOSABLE);
  await emptyTrialBucket("roots", s3);
  expect(deleted.map(({ BypassGovernanceRetention }) => BypassGovernanceRetention)).toEqual([true, true]);
  const ids = deleted.flatMap(({ Delete }) => Delete?.Objects?.map(({ VersionId }) => VersionId));
  expect(ids).toEqual(["1", "2", "3", "4"]);
});

test.each([
  ["no mark", null],
  ["another mark", [{ Key: "service", Value: "true" }]],
  ["the mark of a bucket that stays", [{ Key: "aws-cdk:auto-delete-objects", Value: "false" }]],
])("what became a production keeps everything: %s", async (_, marks) => {
  const { s3, deleted } = fakeS3(marks);
  await emptyTrialBucket("roots", s3);
  expect(deleted).toEqual([]);
});

test("an object that stays is a failure that says so", async () => {
  const { s3 } = fakeS3(DISPOSABLE, [{ Key: "v1/metachain/roots/0", Code: "AccessDenied" }]);
  await expect(emptyTrialBucket("roots", s3)).rejects.toMatchObject({
    code: "publication_unavailable",
    message: "objects of roots can't be deleted: AccessDenied",
  });
});
