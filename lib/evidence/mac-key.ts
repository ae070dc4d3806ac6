// The key of the receipts' authentication codes (docs/receipt-format.md): HMAC-SHA256, in KMS, which never releases it.
import { RemovalPolicy, Stack } from "aws-cdk-lib";
import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { Construct } from "constructs";
import type * as z from "zod";
import type { macVariables } from "../../contract/environment-variables.ts";
import type { Config } from "../settings/config.ts";

export interface MacKeyProps {
  readonly config: Config;
}

export class MacKey extends Construct {
  readonly key: Key;
  readonly #retiredKeyIds: readonly string[];

  constructor(scope: Construct, id: string, { config }: MacKeyProps) {
    super(scope, id);
    const { name, isProduction, retiredMacKeyIds } = config;
    this.#retiredKeyIds = retiredMacKeyIds ?? [];
    this.key = new Key(this, "Key", {
      description: `${name}: authentication codes of receipts`,
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      // A key that is of one Region stays so for good. With a replica of this one another Region can check old codes.
      multiRegion: true,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  /** The key's id and not its ARN: receipts show it, and an ARN would reveal the account. */
  get environment() {
    return {
      MAC_KEY_ID: this.key.keyId,
      ...(this.#retiredKeyIds.length > 0 && { RETIRED_MAC_KEY_IDS: this.#retiredKeyIds.join(",") }),
    } satisfies z.input<typeof macVariables>;
  }

  #arnOf(resourceName: string): string {
    return Stack.of(this).formatArn({ service: "kms", resource: "key", resourceName });
  }

  /** A code is verified by making it again, so this holds for the codes of retired keys too. */
  grantGenerate(grantee: IGrantable): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ["kms:GenerateMac"],
        resources: [this.key.keyArn, ...this.#retiredKeyIds.map((id) => this.#arnOf(id))],
        conditions: { StringEquals: { "kms:MacAlgorithm": "HMAC_SHA_256" } },
      }),
    );
  }
}
