// The key that signs the log's checkpoints (docs/transparency-log.md): Ed25519, in KMS, which never releases it. With
// the log's name it is the log's identity, for good: a deleted key ends the log.
import { RemovalPolicy } from "aws-cdk-lib";
import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { Construct } from "constructs";
import type * as z from "zod";
import type { logVariables } from "../../contract/environment-variables.ts";
import { HEAD_ROUTE } from "../../contract/metachain-paths.ts";
import type { Config } from "../settings/config.ts";

/** Ed25519 over the message itself. The prehashed variant, Ed25519ph, verifies nowhere as a signature of a note. */
const SIGNATURE = { "kms:SigningAlgorithm": "ED25519_SHA_512", "kms:MessageType": "RAW" };

export interface LogKeyProps {
  readonly config: Config;
  /** The public address without its scheme, which names the log where no other name is configured. */
  readonly publicAddress: string;
}

export class LogKey extends Construct {
  readonly key: Key;
  readonly #origin: string;

  constructor(scope: Construct, id: string, { config, publicAddress }: LogKeyProps) {
    super(scope, id);
    const { name, isProduction, logOrigin } = config;
    this.#origin = logOrigin ?? `${publicAddress}${HEAD_ROUTE}`;
    this.key = new Key(this, "Key", {
      description: `${name}: checkpoints of the transparency log`,
      keySpec: KeySpec.ECC_NIST_EDWARDS25519,
      keyUsage: KeyUsage.SIGN_VERIFY,
      // A key that is of one Region stays so for good. Of this one another Region can get a replica.
      multiRegion: true,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  get environment() {
    return { LOG_KEY_ID: this.key.keyId, LOG_ORIGIN: this.#origin } satisfies z.input<typeof logVariables>;
  }

  grantSign(grantee: IGrantable): void {
    const resources = [this.key.keyArn];
    const conditions = { StringEquals: SIGNATURE };
    const principal = grantee.grantPrincipal;
    principal.addToPrincipalPolicy(new PolicyStatement({ actions: ["kms:Sign"], resources, conditions }));
    principal.addToPrincipalPolicy(new PolicyStatement({ actions: ["kms:GetPublicKey"], resources }));
  }
}
