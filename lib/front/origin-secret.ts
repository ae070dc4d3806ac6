// The secret by which the servers know CloudFront. Secrets Manager makes it up, and the template holds its name alone:
// CloudFormation puts the value in while it deploys.
//
// `web.originSecret` numbers the secrets. A deployment with the next number makes a new one, which CloudFront then sends,
// while the servers take that and the one before it; so no request is refused while CloudFront spreads the change.
import { RemovalPolicy } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import type * as z from "zod";
import type { webVariables } from "../../contract/environment-variables.ts";
import { acknowledge } from "../parts/acknowledge.ts";
import type { Config } from "../settings/config.ts";

const LENGTH = 64;

export interface OriginSecretProps {
  readonly config: Config;
}

export class OriginSecret extends Construct {
  readonly #current: Secret;
  readonly #previous: Secret | null;

  constructor(scope: Construct, id: string, { config }: OriginSecretProps) {
    super(scope, id);
    const { originSecret: number } = config.web;
    this.#current = this.#secret(config, number);
    this.#previous = number > 1 ? this.#secret(config, number - 1) : null;
  }

  /** A reference to the one that CloudFront sends. */
  get value(): string {
    return referenceTo(this.#current);
  }

  /** For the servers. */
  get environment() {
    return {
      ORIGIN_SECRET: this.value,
      ...(this.#previous !== null && { PREVIOUS_ORIGIN_SECRET: referenceTo(this.#previous) }),
    } satisfies Partial<z.input<typeof webVariables>>;
  }

  #secret({ name }: Config, number: number): Secret {
    const secret = new Secret(this, String(number), {
      description: `${name}: by which its servers know CloudFront, number ${number}`,
      generateSecretString: { passwordLength: LENGTH, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(secret, {
      "AwsSolutions-SMG4":
        "CloudFront and the servers must change together, so a deployment with the next `web.originSecret` rotates it.",
    });
    return secret;
  }
}

/** A dynamic reference, which CloudFormation resolves. */
const referenceTo = (secret: Secret): string => secret.secretValue.unsafeUnwrap();
