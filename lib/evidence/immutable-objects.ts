// The rules of a bucket for objects that are written once: S3 itself refuses a second write, one without a lock, and in
// production every deletion.
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { Config } from "../settings/config.ts";

const DAYS_PER_YEAR = 365.25;

export interface Lock {
  readonly mode: "COMPLIANCE" | "GOVERNANCE";
  readonly days: number;
}

/** The lock of a production, which nobody can lift. */
export const productionLock = ({ retentionYears }: Config): Lock => ({
  mode: "COMPLIANCE",
  days: Math.ceil(retentionYears * DAYS_PER_YEAR),
});

/** The rules for the objects of one bucket; `name` begins the names of the rules. */
export class ImmutableObjects {
  readonly #bucket: IBucket;
  readonly #name: string;
  readonly #resources: string[];

  constructor(bucket: IBucket, name: string, resources: readonly string[]) {
    this.#bucket = bucket;
    this.#name = name;
    this.#resources = [...resources];
  }

  /** Only puts with If-None-Match pass; its one value is `*`. */
  denyOverwrite(): void {
    this.#deny("AreWrittenOnce", ["s3:PutObject"], { Null: { "s3:if-none-match": "true" } });
  }

  denyUnlocked({ mode, days }: Lock): void {
    this.#deny("AreLocked", ["s3:PutObject", "s3:PutObjectRetention"], {
      StringNotEquals: { "s3:object-lock-mode": mode },
    });
    // One day less: S3 counts the remaining days when the request arrives.
    this.#deny("AreLockedForLong", ["s3:PutObject", "s3:PutObjectRetention"], {
      NumericLessThan: { "s3:object-lock-remaining-retention-days": String(days - 1) },
    });
  }

  denyDelete(): void {
    this.#deny("Stay", ["s3:DeleteObject", "s3:DeleteObjectVersion", "s3:BypassGovernanceRetention"], {});
  }

  #deny(rule: string, actions: string[], conditions: Record<string, Record<string, string>>): void {
    this.#bucket.addToResourcePolicy(
      new PolicyStatement({
        sid: `${this.#name}${rule}`,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions,
        resources: this.#resources,
        conditions,
      }),
    );
  }
}
