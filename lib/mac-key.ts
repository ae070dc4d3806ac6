// The key of the receipts' authentication codes (docs/receipt-format.md): HMAC-SHA256, in KMS, which never releases it.
import { RemovalPolicy } from "aws-cdk-lib";
import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { Construct } from "constructs";
import type * as z from "zod";
import type { macVariables } from "../contract/environment-variables.ts";
import type { Config } from "./config.ts";

export interface MacKeyProps {
  readonly config: Config;
}

export class MacKey extends Construct {
  readonly key: Key;

  constructor(scope: Construct, id: string, { config: { name, isProduction } }: MacKeyProps) {
    super(scope, id);
    this.key = new Key(this, "Key", {
      description: `${name}: authentication codes of receipts`,
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  /** The key's id and not its ARN: receipts show it, and an ARN would reveal the account. */
  get environment() {
    return { MAC_KEY_ID: this.key.keyId } satisfies z.input<typeof macVariables>;
  }

  grantGenerate(grantee: IGrantable): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ["kms:GenerateMac"],
        resources: [this.key.keyArn],
        conditions: { StringEquals: { "kms:MacAlgorithm": "HMAC_SHA_256" } },
      }),
    );
  }
}
