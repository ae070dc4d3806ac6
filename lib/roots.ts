// The bucket in which the metachain is published, under the paths of its URLs. All but the head and the newest checkpoint
// is written once and locked: S3 refuses a second write, and in production every deletion.
import { Duration } from "aws-cdk-lib";
import { AnyPrincipal, Effect, type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type * as z from "zod";
import type { rootsVariables } from "../contract/environment-variables.ts";
import {
  CHECKPOINT_PATH,
  CHECKPOINTS_FOLDER,
  HEAD_PATH,
  ROOTS_FOLDER,
  SIGNED_ROOTS_FOLDER,
  TILES_FOLDER,
  TIMESTAMPS_FOLDER,
} from "../contract/metachain-paths.ts";
import { acknowledge, wildcardFinding } from "./acknowledge.ts";
import type { Assets } from "./assets.ts";
import type { Config } from "./config.ts";
import { type AccessLogs, privateBucket } from "./private-bucket.ts";
import { TrialEmptier } from "./trial-emptier.ts";

export const ROOT_KEYS = `${ROOTS_FOLDER}/*`;
/** Tokens that came after their seal was published. */
export const TIMESTAMP_KEYS = `${TIMESTAMPS_FOLDER}/*`;
/** Entries and tiles of the tree. Partial tiles too: a right to delete them would be worth more than their bytes are. */
export const TILE_KEYS = `${TILES_FOLDER}/*`;
/** The signed checkpoint of each seal, and the COSE signature over its root. */
export const CHECKPOINT_KEYS = `${CHECKPOINTS_FOLDER}/*`;
export const SIGNED_ROOT_KEYS = `${SIGNED_ROOTS_FOLDER}/*`;
const SIGNATURE_KEYS = [CHECKPOINT_KEYS, SIGNED_ROOT_KEYS];
/** Objects that are written once and never change. */
const IMMUTABLE_KEYS = [ROOT_KEYS, TIMESTAMP_KEYS, TILE_KEYS, CHECKPOINT_KEYS, SIGNED_ROOT_KEYS];
/** Objects that the sealer replaces. */
const MUTABLE_KEYS = [HEAD_PATH, CHECKPOINT_PATH];
/** The API's functions read these; readers get the log's tiles and signed roots from the bucket's public host alone. */
export const ANSWERED_KEYS = [HEAD_PATH, ROOT_KEYS, TIMESTAMP_KEYS, CHECKPOINT_PATH, CHECKPOINT_KEYS];

const DAYS_PER_YEAR = 365.25;
/** The least that S3 locks for: a trial goes through every check of a production. */
const TRIAL_RETENTION_DAYS = 1;
/** How long older heads and checkpoints are kept, to show how they moved. Locked versions outlive this. */
const OLD_HEADS = Duration.days(7);

export interface RootsProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly accessLogs: AccessLogs;
}

export class Roots extends Construct {
  readonly bucket: IBucket;
  /** A trial's lock can be lifted, by who destroys the trial. */
  readonly #mode: "COMPLIANCE" | "GOVERNANCE";
  readonly #retentionDays: number;

  constructor(scope: Construct, id: string, { assets, config, accessLogs }: RootsProps) {
    super(scope, id);
    const { isProduction, retentionYears } = config;
    this.#mode = isProduction ? "COMPLIANCE" : "GOVERNANCE";
    this.#retentionDays = isProduction ? Math.ceil(retentionYears * DAYS_PER_YEAR) : TRIAL_RETENTION_DAYS;
    this.bucket = privateBucket(this, {
      config,
      isDisposable: !isProduction,
      versioned: true,
      // There is no default retention, for it would lock every head, which the next seal replaces. Each root sets its own.
      objectLockEnabled: true,
      lifecycleRules: [{ prefix: HEAD_PATH, noncurrentVersionExpiration: OLD_HEADS }],
      serverAccessLogsBucket: accessLogs.bucket,
      serverAccessLogsPrefix: "roots/",
    });
    this.#denyOverwrite();
    this.#denyUnlocked();
    if (isProduction) this.#denyDelete();
    else new TrialEmptier(this, "TrialEmptier", { assets, config, bucket: this.bucket });
  }

  get environment() {
    return {
      ROOTS_BUCKET: this.bucket.bucketName,
      ROOTS_RETENTION_MODE: this.#mode,
      ROOTS_RETENTION_DAYS: String(this.#retentionDays),
    } satisfies z.input<typeof rootsVariables>;
  }

  grantRead(grantee: Construct & IGrantable): void {
    this.#allowRead(grantee, ANSWERED_KEYS);
  }

  /** The log's signatures over each root, which reports carry. */
  grantReadSignatures(grantee: Construct & IGrantable): void {
    this.#allowRead(grantee, SIGNATURE_KEYS);
  }

  /** Where an object is there already, it is read and compared. */
  grantPublish(grantee: Construct & IGrantable): void {
    this.#allowRead(grantee, [...MUTABLE_KEYS, ...IMMUTABLE_KEYS]);
    const mutable = MUTABLE_KEYS.map((key) => this.bucket.arnForObjects(key));
    this.#allow(grantee, "s3:PutObject", [...mutable, ...this.#immutable]);
    this.#allow(grantee, "s3:PutObjectRetention", this.#immutable);
  }

  #allowRead(grantee: Construct & IGrantable, keys: readonly string[]): void {
    this.#allow(
      grantee,
      "s3:GetObject",
      keys.map((key) => this.bucket.arnForObjects(key)),
    );
    // Without this right S3 answers 403 instead of 404 for a missing key. All keys in this bucket are public anyway.
    this.#allow(grantee, "s3:ListBucket", [this.bucket.bucketArn]);
    acknowledge(
      grantee,
      Object.fromEntries(
        keys
          .filter((key) => key.endsWith("*"))
          .map((key) => [
            wildcardFinding(this.bucket, `/${key}`),
            "One object for each index or tile, under this prefix only.",
          ]),
      ),
    );
  }

  get #immutable(): string[] {
    return IMMUTABLE_KEYS.map((keys) => this.bucket.arnForObjects(keys));
  }

  #allow(grantee: IGrantable, action: string, resources: string[]): void {
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions: [action], resources }));
  }

  /** Only puts with If-None-Match pass; its one value is `*`. */
  #denyOverwrite(): void {
    this.#deny("RootsAreWrittenOnce", ["s3:PutObject"], { Null: { "s3:if-none-match": "true" } });
  }

  #denyUnlocked(): void {
    this.#deny("RootsAreLocked", ["s3:PutObject", "s3:PutObjectRetention"], {
      StringNotEquals: { "s3:object-lock-mode": this.#mode },
    });
    // One day less: S3 counts the remaining days when the request arrives.
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
