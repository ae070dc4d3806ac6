// The EventBridge bus that the deployment's events go to (docs/events.md): the account's default one, another, or none.
import { Stack } from "aws-cdk-lib";
import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type * as z from "zod";
import type { eventVariables } from "../../contract/environment-variables.ts";
import { EVENT_SOURCE } from "../../contract/events.ts";
import type { Config } from "../settings/config.ts";

/**
 * A request has one source for each of its events, and IAM compares a key of several values by a set operator alone. A
 * condition that asks for all values holds where there is none, so that there is one must be asked for too.
 */
const OWN_EVENTS = {
  Null: { "events:source": "false" },
  "ForAllValues:StringEquals": { "events:source": EVENT_SOURCE },
};

export class EventBus {
  readonly #scope: Construct;
  readonly #name: string | false;

  constructor(scope: Construct, { eventBus }: Config) {
    this.#scope = scope;
    this.#name = eventBus;
  }

  get environment(): Record<string, string> {
    if (this.#name === false) return {};
    return { EVENT_BUS: this.#name } satisfies z.input<typeof eventVariables>;
  }

  /** To put events of ours on the bus, and none in another's name. */
  grantPut(grantee: IGrantable): void {
    if (this.#name === false) return;
    const bus = Stack.of(this.#scope).formatArn({
      service: "events",
      resource: "event-bus",
      resourceName: this.#name,
    });
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ["events:PutEvents"],
        resources: [bus],
        conditions: OWN_EVENTS,
      }),
    );
  }
}
