// The one table (docs/design.md, "The table"), and who may do what with which of its partitions.
import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type * as z from "zod";
import type { ledgerVariables } from "../service/environment.ts";

/** As far back as DynamoDB can. */
const RECOVERY_DAYS = 35;

/** Partition keys as IAM patterns; `service/table/keys.ts` makes the keys, and a test holds the two together. */
export const PARTITIONS = {
  /** A chain id is 32 hex digits, so this is every chain and not the metachain. */
  chain: `chain#${"?".repeat(32)}`,
  metachain: "chain#metachain",
  conversation: "conversation#*",
  idempotency: "idempotency#*",
  news: "news",
  sealed: "sealed#*",
  seals: "seals",
  sealer: "sealer",
  tenant: "tenant#*",
  apiKey: "key#*",
} as const;

type Operation = "GetItem" | "BatchGetItem" | "Query" | "PutItem" | "UpdateItem";
type Conditions = Record<string, Record<string, unknown>>;

/**
 * IAM can't demand that a put has a condition. It can demand a transaction, which is the only way in which the service
 * writes what must not be overwritten: a plain put, by mistake or by whoever took a function over, is refused.
 */
const IN_TRANSACTION: Conditions = {
  "ForAnyValue:StringEquals": { "dynamodb:EnclosingOperation": ["TransactWriteItems"] },
};
/** What may change in a committed seal: its text, once, its later tokens, and whether it is published. Never its tree. */
const SEAL_PROGRESS: Conditions = {
  "ForAllValues:StringEquals": { "dynamodb:Attributes": ["pk", "sk", "text", "later", "published"] },
};

export interface LedgerTableProps {
  readonly isProduction: boolean;
}

export class LedgerTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, { isProduction }: LedgerTableProps) {
    super(scope, id);
    this.table = new Table(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: "expires_at",
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: RECOVERY_DAYS,
      },
      // DynamoDB's key of this account: its use shows in CloudTrail, and nobody can delete it. Under a key of our own,
      // one mistaken deletion would take all evidence with it.
      encryption: TableEncryption.AWS_MANAGED,
      deletionProtection: isProduction,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  get environment() {
    return { TABLE_NAME: this.table.tableName } satisfies z.input<typeof ledgerVariables>;
  }

  /** To find out who holds an API key. */
  grantAuthenticate(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["apiKey", "tenant"]);
  }

  /** To append receipts to chains; the metachain is none of them. */
  grantAttest(grantee: IGrantable): void {
    this.#allow(grantee, ["BatchGetItem"], ["chain"]);
    this.#allow(grantee, ["Query"], ["chain", "conversation"]);
    this.#allow(grantee, ["PutItem"], ["chain", "conversation", "idempotency", "news"], IN_TRANSACTION);
  }

  /** To read one receipt with its proofs. */
  grantReport(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["chain"]);
    this.#allow(grantee, ["BatchGetItem"], ["chain", "metachain"]);
    this.#allow(grantee, ["Query"], ["chain", "sealed", "seals"]);
  }

  /** To read the receipts of a conversation with their proofs. */
  grantInteraction(grantee: IGrantable): void {
    this.#allow(grantee, ["BatchGetItem"], ["chain", "metachain"]);
    this.#allow(grantee, ["Query"], ["conversation", "sealed", "seals"]);
  }

  /** To append the heads of chains to the metachain and seal it. Chains are read, never written. */
  grantSeal(grantee: IGrantable): void {
    this.#allow(grantee, ["GetItem"], ["sealer", "seals"]);
    this.#allow(grantee, ["BatchGetItem"], ["metachain"]);
    this.#allow(grantee, ["Query"], ["chain", "metachain", "news", "sealed", "seals"]);
    this.#allow(grantee, ["PutItem"], ["metachain", "sealed", "seals"], IN_TRANSACTION);
    this.#allow(grantee, ["PutItem"], ["sealer"]);
    this.#allow(grantee, ["UpdateItem"], ["seals"], SEAL_PROGRESS);
    this.#allow(grantee, ["UpdateItem"], ["sealer"]);
  }

  #allow(
    grantee: IGrantable,
    operations: readonly Operation[],
    partitions: readonly (keyof typeof PARTITIONS)[],
    conditions: Conditions = {},
  ): void {
    const LeadingKeys = partitions.map((name) => PARTITIONS[name]);
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: operations.map((operation) => `dynamodb:${operation}`),
        resources: [this.table.tableArn],
        conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": LeadingKeys }, ...conditions },
      }),
    );
  }
}
