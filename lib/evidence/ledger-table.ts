// The one table (docs/design.md, "The table"), and who may do what with which of its partitions.
import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type * as z from "zod";
import type { ledgerVariables } from "../../contract/environment-variables.ts";
import { PARTITION_KEY, PARTITION_PATTERNS, SORT_KEY, TIME_TO_LIVE } from "../../contract/table.ts";
import type { Config } from "../settings/config.ts";

/** The most that DynamoDB offers. */
const RECOVERY_DAYS = 35;

type TableOperation = "GetItem" | "BatchGetItem" | "Query" | "PutItem" | "UpdateItem";
type Conditions = Record<string, Record<string, unknown>>;

/** A condition that asks for all values holds where there is none, so that there is one must be asked for too. */
const HAS_PARTITION: Conditions = { Null: { "dynamodb:LeadingKeys": "false" } };

/**
 * IAM can't demand that a put has a condition. It can demand a transaction, and the service writes whatever must not be
 * overwritten in transactions only: a plain put, by mistake or by an attacker in a function, is refused.
 */
const IN_TRANSACTION: Conditions = {
  "ForAnyValue:StringEquals": { "dynamodb:EnclosingOperation": ["TransactWriteItems"] },
};
/** The attributes of a committed seal that may change (service/seals/seal-records.ts). Its tree never does. */
const SEAL_PROGRESS: Conditions = {
  "ForAllValues:StringEquals": {
    "dynamodb:Attributes": [PARTITION_KEY, SORT_KEY, "text", "later", "published"],
  },
};
/** A layer's entry (service/policy/layer-records.ts) may gain the time since when it is public, and changes in nothing else. */
const LAYER_PROGRESS: Conditions = {
  "ForAllValues:StringEquals": { "dynamodb:Attributes": [PARTITION_KEY, SORT_KEY, "published_at"] },
};

/** All that is noted of a key's use (service/tenants/key-uses.ts). */
const KEY_USE: Conditions = {
  "ForAllValues:StringEquals": { "dynamodb:Attributes": [PARTITION_KEY, SORT_KEY, "day"] },
};

export interface LedgerTableProps {
  readonly config: Config;
}

export class LedgerTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, { config }: LedgerTableProps) {
    super(scope, id);
    const { isProduction, maxWriteUnits: maxWriteRequestUnits, warmUnits } = config;
    // A global table of one Region costs what any table does. One of the older kind could never get a replica:
    // CloudFormation would make a new, empty table in its place.
    this.table = new TableV2(this, "Table", {
      partitionKey: { name: PARTITION_KEY, type: AttributeType.STRING },
      sortKey: { name: SORT_KEY, type: AttributeType.STRING },
      billing: Billing.onDemand(maxWriteRequestUnits === undefined ? {} : { maxWriteRequestUnits }),
      ...(warmUnits !== undefined && {
        warmThroughput: { readUnitsPerSecond: warmUnits.read, writeUnitsPerSecond: warmUnits.write },
      }),
      timeToLiveAttribute: TIME_TO_LIVE,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: RECOVERY_DAYS,
      },
      // The account's AWS managed key: its use shows in CloudTrail, and nobody can delete it. If a key of our own were
      // deleted by mistake, all evidence would be lost.
      encryption: TableEncryptionV2.awsManagedKey(),
      deletionProtection: isProduction,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  get environment() {
    return { TABLE_NAME: this.table.tableName } satisfies z.input<typeof ledgerVariables>;
  }

  /** To authenticate API keys, and to note the day on which each was used. */
  grantAuthenticate(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["apiKey", "tenant"]);
    this.#allow(grantee, ["UpdateItem"], ["usedKeys"], KEY_USE);
  }

  /** To append receipts to chains, but nothing to the metachain, and to record the layers that they name. */
  grantAttest(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["idempotency"]);
    this.#allow(grantee, ["BatchGetItem"], ["chain"]);
    this.#allow(grantee, ["Query"], ["chain", "conversation", "seals"]);
    this.#allow(grantee, ["PutItem"], ["chain", "conversation", "idempotency", "news"], IN_TRANSACTION);
    this.#allow(grantee, ["GetItem"], ["ownWordings"]);
    this.#allowRecordLayers(grantee);
  }

  /** To read one receipt with its proofs. */
  grantReport(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["chain"]);
    this.#allow(grantee, ["BatchGetItem"], ["chain", "metachain", "seals"]);
    this.#allow(grantee, ["Query"], ["chain", "sealed", "seals"]);
  }

  /** To read the receipts of a conversation with their proofs, and the wording layers that they name. */
  grantInteraction(grantee: IGrantable): void {
    this.#allow(grantee, ["BatchGetItem"], ["chain", "metachain", "seals", "layer"]);
    this.#allow(grantee, ["Query"], ["conversation", "sealed", "seals"]);
  }

  /** To list the receipts of chains. */
  grantList(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem", "Query"], ["chain"]);
  }

  /** To read the sealed heads of a chain. */
  grantHeads(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["chain", "metachain", "tenant"]);
    this.#allow(grantee, ["Query"], ["sealed", "seals"]);
  }

  /** To read the leaves of a chain, and the sealed head that they must lead to. */
  grantLeaves(grantee: IGrantable): void {
    this.grantHeads(grantee);
    this.#allow(grantee, ["BatchGetItem", "Query"], ["chain"]);
  }

  /** To count the receipts of a tenant's chains. */
  grantGrowth(grantee: IGrantable): void {
    this.#allow(grantee, ["BatchGetItem", "Query"], ["chain"]);
  }

  /** To make the bill of one of a tenant's months. */
  grantBill(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["tenant"]);
    this.#allow(grantee, ["BatchGetItem"], ["chain", "metachain"]);
    this.#allow(grantee, ["Query"], ["sealed", "seals"]);
  }

  /** To find all tenants. */
  grantListTenants(grantee: IGrantable): void {
    this.#allow(grantee, ["Query"], ["tenants"]);
    this.#allow(grantee, ["BatchGetItem"], ["tenant"]);
  }

  /** To append the heads of chains to the metachain and seal it. Chains are read, never written. */
  grantSeal(grantee: IGrantable): void {
    // It looks at the chains of all tenants by themselves, whatever the markers of news say.
    this.grantListTenants(grantee);
    this.#allow(grantee, ["GetItem"], ["chain", "metachain", "sealer", "seals"]);
    this.#allow(grantee, ["BatchGetItem"], ["chain", "metachain"]);
    this.#allow(grantee, ["Query"], ["chain", "metachain", "news", "sealed", "seals"]);
    this.#allow(grantee, ["PutItem"], ["metachain", "sealed", "seals"], IN_TRANSACTION);
    this.#allow(grantee, ["PutItem"], ["sealer"]);
    this.#allow(grantee, ["UpdateItem"], ["seals"], SEAL_PROGRESS);
    this.#allow(grantee, ["UpdateItem"], ["sealer"]);
    this.#allowRecordLayers(grantee);
    this.#allow(grantee, ["Query"], ["layers"]);
    this.#allow(grantee, ["UpdateItem"], ["layers"], LAYER_PROGRESS);
  }

  /** To read what is sealed of the chains of tenants with a webhook, and to note how far each was told. */
  grantDeliver(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["webhook", "tenant"]);
    this.#allow(grantee, ["BatchGetItem"], ["chain"]);
    this.#allow(grantee, ["Query"], ["webhooks", "sealed", "seals"]);
    this.#allow(grantee, ["UpdateItem"], ["webhook"]);
    this.#allow(grantee, ["PutItem"], ["webhook"], IN_TRANSACTION);
  }

  /** To put wording layers into the table, each under its own hash. */
  #allowRecordLayers(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["layers"]);
    this.#allow(grantee, ["BatchGetItem"], ["layer"]);
    this.#allow(grantee, ["PutItem"], ["layer", "layers"], IN_TRANSACTION);
  }

  #allow(
    grantee: IGrantable,
    operations: readonly TableOperation[],
    partitions: readonly (keyof typeof PARTITION_PATTERNS)[],
    conditions: Conditions = {},
  ): void {
    const LeadingKeys = partitions.map((name) => PARTITION_PATTERNS[name]);
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: operations.map((operation) => `dynamodb:${operation}`),
        resources: [this.table.tableArn],
        conditions: {
          ...HAS_PARTITION,
          "ForAllValues:StringLike": { "dynamodb:LeadingKeys": LeadingKeys },
          ...conditions,
        },
      }),
    );
  }
}
