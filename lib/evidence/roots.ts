// The bucket in which the metachain and the wording policy are published, under the paths of their URLs. All but the head,
// the newest checkpoint and the lists of layers is written once and locked: S3 refuses a second write, and in production
// every deletion.
import { Duration } from "aws-cdk-lib";
import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type * as z from "zod";
import type { rootsVariables } from "../../contract/environment-variables.ts";
import {
  CHECKPOINT_PATH,
  CHECKPOINTS_FOLDER,
  HEAD_PATH,
  ROOTS_FOLDER,
  SIGNED_ROOTS_FOLDER,
  TILES_FOLDER,
  TIMESTAMPS_FOLDER,
} from "../../contract/metachain-paths.ts";
import { jurisdictionPath, LAYERS_FOLDER, POLICY_PATH } from "../../contract/policy-paths.ts";
import { acknowledge, wildcardFinding } from "../parts/acknowledge.ts";
import type { Assets } from "../parts/assets.ts";
import { type AccessLogs, privateBucket } from "../parts/private-bucket.ts";
import type { Config } from "../settings/config.ts";
import { ImmutableObjects, type Lock, productionLock } from "./immutable-objects.ts";
import { TrialEmptier } from "./trial-emptier.ts";

export const ROOT_KEYS = `${ROOTS_FOLDER}/*`;
/** Tokens that came after their seal was published. */
export const TIMESTAMP_KEYS = `${TIMESTAMPS_FOLDER}/*`;
/** Entries and tiles of the tree. Partial tiles too: a right to delete them would be worth more than their bytes are. */
export const TILE_KEYS = `${TILES_FOLDER}/*`;
/** The signed checkpoint of each seal, and the COSE signature over its root. */
export const CHECKPOINT_KEYS = `${CHECKPOINTS_FOLDER}/*`;
export const SIGNED_ROOT_KEYS = `${SIGNED_ROOTS_FOLDER}/*`;
/** Who says how old the newest quorum is reads these. */
const QUORUM_KEYS = [HEAD_PATH, CHECKPOINT_PATH, CHECKPOINT_KEYS];
const SIGNATURE_KEYS = [CHECKPOINT_KEYS, SIGNED_ROOT_KEYS];
/** Wording layers, each under its own hash, also those with the wordings of a tenant. */
export const LAYER_KEYS = `${LAYERS_FOLDER}/*`;
/** The index of the policy, and the lists of the jurisdictions, whose codes have two letters. */
export const LIST_KEYS = [POLICY_PATH, jurisdictionPath("??")];
const POLICY_KEYS = [...LIST_KEYS, LAYER_KEYS];
/** Objects that are written once and never change. */
const IMMUTABLE_KEYS = [ROOT_KEYS, TIMESTAMP_KEYS, TILE_KEYS, CHECKPOINT_KEYS, SIGNED_ROOT_KEYS, LAYER_KEYS];
/** Objects that the sealer replaces. */
const MUTABLE_KEYS = [HEAD_PATH, CHECKPOINT_PATH, ...LIST_KEYS];
/** The API's functions read these; readers get the log's tiles and signed roots from the bucket's public host alone. */
export const ANSWERED_KEYS = [HEAD_PATH, ROOT_KEYS, TIMESTAMP_KEYS, CHECKPOINT_PATH, CHECKPOINT_KEYS];

/** The least that S3 locks for, which who destroys the trial can lift: a trial goes through every check of a production. */
const TRIAL_LOCK: Lock = { mode: "GOVERNANCE", days: 1 };
/** How long older heads, checkpoints and lists are kept, to show how they moved. Locked versions outlive this. */
const OLD_HEADS = Duration.days(7);

export interface RootsProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly accessLogs: AccessLogs;
}

export class Roots extends Construct {
  readonly bucket: IBucket;
  readonly #lock: Lock;

  constructor(scope: Construct, id: string, { assets, config, accessLogs }: RootsProps) {
    super(scope, id);
    const { isProduction } = config;
    this.#lock = isProduction ? productionLock(config) : TRIAL_LOCK;
    this.bucket = privateBucket(this, {
      config,
      isDisposable: !isProduction,
      versioned: true,
      // There is no default retention, for it would lock every head, which the next seal replaces. Each root sets its own.
      objectLockEnabled: true,
      lifecycleRules: [HEAD_PATH, POLICY_PATH].map((prefix) => ({
        prefix,
        noncurrentVersionExpiration: OLD_HEADS,
      })),
      serverAccessLogsBucket: accessLogs.bucket,
      serverAccessLogsPrefix: "roots/",
    });
    const immutable = new ImmutableObjects(this.bucket, "Roots", this.#immutable);
    immutable.denyOverwrite();
    immutable.denyUnlocked(this.#lock);
    if (isProduction) immutable.denyDelete();
    else new TrialEmptier(this, "TrialEmptier", { assets, config, bucket: this.bucket });
  }

  /** For who reads what is published. */
  get environment() {
    return { ROOTS_BUCKET: this.bucket.bucketName } satisfies z.input<typeof rootsVariables>;
  }

  /** For who publishes. */
  get writerEnvironment() {
    const { mode, days } = this.#lock;
    return {
      ...this.environment,
      ROOTS_RETENTION_MODE: mode,
      ROOTS_RETENTION_DAYS: String(days),
    } satisfies z.input<typeof rootsVariables>;
  }

  grantRead(grantee: Construct & IGrantable): void {
    this.#allowRead(grantee, ANSWERED_KEYS);
  }

  /** The published wording policy. */
  grantReadPolicy(grantee: Construct & IGrantable): void {
    this.#allowRead(grantee, POLICY_KEYS);
  }

  /** The log's signatures over each root, which reports carry. */
  grantReadSignatures(grantee: Construct & IGrantable): void {
    this.#allowRead(grantee, SIGNATURE_KEYS);
  }

  /** How far the log is published, and who cosigned it. */
  grantReadQuorum(grantee: Construct & IGrantable): void {
    this.#allowRead(grantee, QUORUM_KEYS);
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
            "One object for each index, tile or layer, under this prefix only.",
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
}
