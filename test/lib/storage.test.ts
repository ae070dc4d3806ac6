// What holds the evidence: encrypted, private, and in production beyond anybody's reach; in a trial gone when it ends.
import { describe, expect, test } from "vitest";
import { ledgerVariables, rootsVariables } from "../../contract/environment-variables.ts";
import { PARTITION_KEY, SORT_KEY, TIME_TO_LIVE } from "../../contract/table.ts";
import { tableSchema } from "../../service/table/table-schema.ts";
import { type Resource, Synthesized, VARIANTS } from "./synthesis.ts";

const YEARS = 12;
const trial = new Synthesized();
const production = new Synthesized({ ...VARIANTS.production, retentionYears: YEARS });
const stages = [
  ["trial", trial],
  ["production", production],
] as const;

const statements = (stack: Synthesized, bucket: RegExp) =>
  stack.one("AWS::S3::BucketPolicy", bucket).Properties.PolicyDocument.Statement;
const denials = (stack: Synthesized): Record<string, unknown>[] =>
  statements(stack, /RootsBucketPolicy/).filter(({ Sid }: { Sid?: string }) => Sid !== undefined);
const denial = (stack: Synthesized, sid: string) => denials(stack).find(({ Sid }) => Sid === sid);
const isProtected = (stack: Synthesized): boolean =>
  stack.one("AWS::DynamoDB::GlobalTable").Properties.Replicas[0].DeletionProtectionEnabled;
const ROOT_OBJECTS = [
  ...["checkpoints", "roots", "signed-roots", "tile", "timestamps"].map((folder) => `metachain/${folder}`),
  "policy/layers",
].map((folder) => ({ "Fn::Join": ["", [expect.anything(), `/v1/${folder}/*`]] }));

describe.each(stages)("in %s", (stage, stack) => {
  test("the table is the one that the service expects, encrypted and recoverable to the second", () => {
    const { Properties } = stack.one("AWS::DynamoDB::GlobalTable");
    const { KeySchema, AttributeDefinitions, BillingMode } = tableSchema("any");
    expect(Properties).toMatchObject({
      KeySchema,
      AttributeDefinitions,
      BillingMode,
      SSESpecification: { SSEEnabled: true },
      Replicas: [
        {
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
        },
      ],
      TimeToLiveSpecification: { Enabled: true, AttributeName: TIME_TO_LIVE },
    });
    expect([PARTITION_KEY, SORT_KEY]).toEqual(["pk", "sk"]);
  });

  test("nothing that holds evidence changes before the guard has agreed to the stage", () => {
    const guard = stack.one("Custom::StageGuard");
    expect(guard.Properties.Stage).toBe(stage);
    const evidence = [
      stack.one("AWS::DynamoDB::GlobalTable"),
      stack.one("AWS::KMS::Key", /MacKey/),
      stack.one("AWS::KMS::Key", /LogKey/),
      stack.one("AWS::S3::Bucket", /RootsBucket/),
      stack.one("AWS::S3::BucketPolicy", /RootsBucket/),
      stack.one("AWS::S3::Bucket", /AccessLogsBucket/),
    ];
    for (const { DependsOn } of evidence) expect(DependsOn).toContain(guard.id);
  });

  test("no bucket is public, unencrypted, or reached by anything but TLS 1.2 and newer", () => {
    const buckets = stack.all("AWS::S3::Bucket");
    expect(buckets.length).toBe(4);
    for (const { id, Properties } of buckets) {
      expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
      expect(Properties.BucketEncryption).toBeDefined();
      const denied = statements(stack, new RegExp(`^${id.slice(0, -8)}Policy`)).slice(0, 2);
      expect(denied.map(({ Effect, Condition }: Record<string, unknown>) => [Effect, Condition])).toEqual([
        ["Deny", { Bool: { "aws:SecureTransport": "false" } }],
        ["Deny", { NumericLessThan: { "s3:TlsVersion": 1.2 } }],
      ]);
    }
  });

  test("of a bucket's readers CloudFront alone is let in, for this one distribution", () => {
    const allowed = statements(stack, /RootsBucketPolicy/).filter(
      ({ Effect, Principal }: { Effect: string; Principal: object }) =>
        Effect === "Allow" && "Service" in Principal,
    );
    expect(allowed).toEqual([
      expect.objectContaining({
        Action: "s3:GetObject",
        Principal: { Service: "cloudfront.amazonaws.com" },
        Condition: { StringEquals: { "AWS:SourceArn": expect.anything() } },
      }),
    ]);
  });

  test("the roots' bucket keeps versions and can lock objects; older heads and lists go after a week", () => {
    expect(stack.one("AWS::S3::Bucket", /RootsBucket/).Properties).toMatchObject({
      VersioningConfiguration: { Status: "Enabled" },
      ObjectLockEnabled: true,
      LifecycleConfiguration: {
        Rules: ["v1/metachain", "v1/policy"].map((Prefix) => ({
          Prefix,
          NoncurrentVersionExpiration: { NoncurrentDays: 7 },
          Status: "Enabled",
        })),
      },
    });
  });

  test("S3 refuses to write a root that stands already, whoever asks", () => {
    expect(denial(stack, "RootsAreWrittenOnce")).toEqual({
      Sid: "RootsAreWrittenOnce",
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "s3:PutObject",
      Resource: ROOT_OBJECTS,
      Condition: { Null: { "s3:if-none-match": "true" } },
    });
  });

  test("the key of the authentication codes makes codes and nothing else", () => {
    expect(stack.one("AWS::KMS::Key", /MacKey/).Properties).toMatchObject({
      KeySpec: "HMAC_256",
      KeyUsage: "GENERATE_VERIFY_MAC",
      MultiRegion: true,
    });
  });

  test("the key of the checkpoints signs by Ed25519 and nothing else", () => {
    expect(stack.one("AWS::KMS::Key", /LogKey/).Properties).toMatchObject({
      KeySpec: "ECC_NIST_EDWARDS25519",
      KeyUsage: "SIGN_VERIFY",
      MultiRegion: true,
    });
  });

  test("queue and topic are encrypted and take nothing without TLS", () => {
    const queues = stack.all("AWS::SQS::Queue");
    expect(queues.map(({ Properties }) => Properties.SqsManagedSseEnabled)).toEqual([true, true]);
    expect(stack.one("AWS::SNS::Topic").Properties.KmsMasterKeyId).toBeDefined();
    for (const { Properties } of ["AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy"].flatMap((type) =>
      stack.all(type),
    )) {
      const [statement] = Properties.PolicyDocument.Statement;
      expect(statement).toMatchObject({
        Effect: "Deny",
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      });
    }
  });
});

test("the table has the ceiling and the warmth that the operator asks for, and none by default", () => {
  const asked = new Synthesized({ maxWriteUnits: 900, warmUnits: { read: 15_000, write: 5_000 } });
  expect(asked.one("AWS::DynamoDB::GlobalTable").Properties).toMatchObject({
    WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 900 },
    WarmThroughput: { ReadUnitsPerSecond: 15_000, WriteUnitsPerSecond: 5_000 },
  });
  const { Properties } = trial.one("AWS::DynamoDB::GlobalTable");
  expect(Object.keys(Properties).filter((name) => /Throughput/.test(name))).toEqual([]);
});

describe("in production", () => {
  const retained = ({ DeletionPolicy, UpdateReplacePolicy }: Resource) => [
    DeletionPolicy,
    UpdateReplacePolicy,
  ];

  test.each([
    ["AWS::DynamoDB::GlobalTable", /Ledger/],
    ["AWS::KMS::Key", /MacKey/],
    ["AWS::KMS::Key", /LogKey/],
    ["AWS::S3::Bucket", /RootsBucket/],
    ["AWS::S3::Bucket", /AccessLogsBucket/],
    ["AWS::Logs::LogGroup", /ApiAccessLogs/],
    ["AWS::Logs::LogGroup", /attestLogs/],
  ])("%s %s stays when the stack goes", (type, id) => {
    expect(retained(production.one(type, id))).toEqual(["Retain", "Retain"]);
  });

  test("the table can't be deleted while it is protected", () => {
    expect(isProtected(production)).toBe(true);
  });

  test("the sealer locks each root in compliance mode, for the years that were asked", () => {
    const { Variables } = production.one("AWS::Lambda::Function", /Sealerseal/).Properties.Environment;
    const { ROOTS_RETENTION_MODE, ROOTS_RETENTION_DAYS } = rootsVariables.parse({
      ...Variables,
      ROOTS_BUCKET: "b",
    });
    expect(ROOTS_RETENTION_MODE).toBe("COMPLIANCE");
    expect(ROOTS_RETENTION_DAYS).toBe(Math.ceil(YEARS * 365.25));
  });

  test("S3 refuses a root that is not locked so, and whoever would delete one", () => {
    const days = String(Math.ceil(YEARS * 365.25) - 1);
    expect(denials(production).map(({ Sid }) => Sid)).toEqual([
      "RootsAreWrittenOnce",
      "RootsAreLocked",
      "RootsAreLockedForLong",
      "RootsStay",
    ]);
    expect(denial(production, "RootsAreLocked")).toMatchObject({
      Principal: { AWS: "*" },
      Action: ["s3:PutObject", "s3:PutObjectRetention"],
      Resource: ROOT_OBJECTS,
      Condition: { StringNotEquals: { "s3:object-lock-mode": "COMPLIANCE" } },
    });
    expect(denial(production, "RootsAreLockedForLong")).toMatchObject({
      Resource: ROOT_OBJECTS,
      Condition: { NumericLessThan: { "s3:object-lock-remaining-retention-days": days } },
    });
    const stay = denial(production, "RootsStay");
    expect(stay).toMatchObject({ Effect: "Deny", Principal: { AWS: "*" }, Resource: ROOT_OBJECTS });
    expect(stay?.Action).toEqual(expect.arrayContaining(["s3:DeleteObject", "s3:DeleteObjectVersion"]));
    expect(stay).not.toHaveProperty("Condition");
  });
});

describe("a trial", () => {
  test("leaves nothing behind, unless it set the account's role for API Gateway's logs", () => {
    const leftBy = (stack: Synthesized) =>
      stack.resources
        .filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith("Retain"))
        .map(({ Type, id }) => `${Type} ${id.replace(/[0-9A-F]{8}$/, "")}`);
    expect(leftBy(trial)).toEqual([]);
    expect(leftBy(new Synthesized(VARIANTS.firewall))).toEqual([
      "AWS::IAM::Role AttestationApiRestCloudWatchRole",
      "AWS::ApiGateway::Account AttestationApiRestAccount",
    ]);
  });

  test("takes the log of the function that empties its buckets along, which Lambda would leave for good", () => {
    const emptier = trial.one("AWS::Lambda::Function", /S3AutoDelete/);
    const { Ref } = emptier.Properties.LoggingConfig.LogGroup;
    const logs = trial.all("AWS::Logs::LogGroup").find(({ id }) => id === Ref);
    expect(logs).toMatchObject({ DeletionPolicy: "Delete", Properties: { RetentionInDays: 90 } });
  });

  test("empties its buckets before they go", () => {
    const emptied = trial
      .all("Custom::S3AutoDeleteObjects")
      .map(({ Properties }) => Properties.BucketName.Ref);
    expect(emptied.sort()).toEqual(
      trial
        .all("AWS::S3::Bucket")
        .map(({ id }) => id)
        .sort(),
    );
    expect(isProtected(trial)).toBe(false);
  });

  test("locks its roots for a day, in a mode that the end of the trial lifts", () => {
    const sids = denials(trial).map(({ Sid }) => Sid);
    expect(sids).toEqual(["RootsAreWrittenOnce", "RootsAreLocked", "RootsAreLockedForLong"]);
    expect(denial(trial, "RootsAreLocked")?.Condition).toEqual({
      StringNotEquals: { "s3:object-lock-mode": "GOVERNANCE" },
    });
    const { Variables } = trial.one("AWS::Lambda::Function", /Sealerseal/).Properties.Environment;
    expect([Variables.ROOTS_RETENTION_MODE, Variables.ROOTS_RETENTION_DAYS]).toEqual(["GOVERNANCE", "1"]);
    expect(ledgerVariables.keyof().options.every((name) => name in Variables)).toBe(true);
    const emptying = trial.one("Custom::EmptyTrial");
    const stopper = trial.one("Custom::S3AutoDeleteObjects", /RootsBucket/);
    expect(stopper.DependsOn).toContain(emptying.id);
    expect(production.all("Custom::EmptyTrial")).toEqual([]);
    const tagsOf = (stack: Synthesized) => stack.one("AWS::S3::Bucket", /RootsBucket/).Properties.Tags;
    const disposable = { Key: "aws-cdk:auto-delete-objects", Value: "true" };
    expect(tagsOf(trial)).toContainEqual(disposable);
    expect(tagsOf(production)).not.toContainEqual(disposable);
  });
});
