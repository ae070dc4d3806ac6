// Where the metachain is published: objects under the very paths by which the public reads them. A root is written
// once; S3 itself refuses a second write, and in production everyone who would delete it.
import { Duration } from "aws-cdk-lib";
import { AnyPrincipal, Effect, type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type * as z from "zod";
import type { rootsVariables } from "../service/environment.ts";
import { acknowledge, wildcardFinding } from "./acknowledge.ts";
import { privateBucket } from "./private-bucket.ts";

/** As in `service/seals/roots.ts`; a test holds the two together. */
export const HEAD_KEY = "v1/metachain";
export const ROOT_KEYS = `${HEAD_KEY}/roots/*`;
/** Tokens that came after their seal was published. */
export const TIMESTAMP_KEYS = `${HEAD_KEY}/timestamps/*`;
/** What is written once and stays. */
const IMMUTABLE_KEYS = [ROOT_KEYS, TIMESTAMP_KEYS];

const DAYS_PER_YEAR = 365.25;
/** How long an older head is kept, for whoever wants to see how it moved. Locked versions outlive this. */
const OLD_HEADS = Duration.days(7);

export interface RootsProps {
  readonly isProduction: boolean;
  readonly retentionYears: number;
  readonly accessLogs: IBucket;
}

export class Roots extends Construct {
  readonly bucket: IBucket;
  /** 0 in a trial: nothing is locked. */
  readonly #retentionDays: number;

  constructor(scope: Construct, id: string, { isProduction, retentionYears, accessLogs }: RootsProps) {
    super(scope, id);
    this.#retentionDays = isProduction ? Math.ceil(retentionYears * DAYS_PER_YEAR) : 0;
    this.bucket = privateBucket(this, !isProduction, {
      versioned: true,
      // Without a default retention: it would lock every head that the next minute replaces. Each root brings its own.
      objectLockEnabled: true,
      lifecycleRules: [{ prefix: HEAD_KEY, noncurrentVersionExpiration: OLD_HEADS }],
      serverAccessLogsBucket: accessLogs,
      serverAccessLogsPrefix: "roots/",
    });
    this.#denyOverwrite();
    if (isProduction) this.#denyUnlocked();
    if (isProduction) this.#denyDelete();
  }

  get environment() {
    return {
      ROOTS_BUCKET: this.bucket.bucketName,
      ROOTS_RETENTION_MODE: "COMPLIANCE",
      ROOTS_RETENTION_DAYS: String(this.#retentionDays),
    } satisfies z.input<typeof rootsVariables>;
  }

  grantRead(grantee: Construct & IGrantable): void {
    const keys = [HEAD_KEY, ...IMMUTABLE_KEYS].map((key) => this.bucket.arnForObjects(key));
    this.#allow(grantee, "s3:GetObject", keys);
    // With it, S3 says that a key is not there; without it, that one may not know. All in here is public anyway.
    this.#allow(grantee, "s3:ListBucket", [this.bucket.bucketArn]);
    acknowledge(
      grantee,
      Object.fromEntries(
        IMMUTABLE_KEYS.map((keys) => [
          wildcardFinding(this.bucket, `/${keys}`),
          "What is published is one object an index, under this prefix only.",
        ]),
      ),
    );
  }

  grantPublish(grantee: Construct & IGrantable): void {
    this.grantRead(grantee);
    this.#allow(grantee, "s3:PutObject", [this.bucket.arnForObjects(HEAD_KEY), ...this.#immutable]);
    if (this.#retentionDays > 0) this.#allow(grantee, "s3:PutObjectRetention", this.#immutable);
  }

  get #immutable(): string[] {
    return IMMUTABLE_KEYS.map((keys) => this.bucket.arnForObjects(keys));
  }

  #allow(grantee: IGrantable, action: string, resources: string[]): void {
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions: [action], resources }));
  }

  /** Only If-None-Match passes, whose one value is `*`. */
  #denyOverwrite(): void {
    this.#deny("RootsAreWrittenOnce", ["s3:PutObject"], { Null: { "s3:if-none-match": "true" } });
  }

  #denyUnlocked(): void {
    this.#deny("RootsAreLocked", ["s3:PutObject", "s3:PutObjectRetention"], {
      StringNotEquals: { "s3:object-lock-mode": "COMPLIANCE" },
    });
    // One day of grace: the days that remain are counted when the request arrives.
    this.#deny("RootsAreLockedForLong", ["s3:PutObject", "s3:PutObjectRetention"], {
      NumericLessThan: { "s3:object-lock-remaining-retention-days": String(this.#retentionDays - 1) },
    });
  }

  #denyDelete(): void {
    this.#deny(
      "RootsStay",
      ["s3:DeleteObject", "s3:DeleteObjectVersion", "s3:BypassGovernanceRetention"],
      {},
    );
  }

  #deny(sid: string, actions: string[], conditions: Record<string, Record<string, string>>): void {
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        sid,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions,
        resources: this.#immutable,
        conditions,
      }),
    );
  }
}
