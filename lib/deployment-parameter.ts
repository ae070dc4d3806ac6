// What the operator's command line must know of a deployment, under one name that it can be told.
import { Stack } from "aws-cdk-lib";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import { Construct } from "constructs";

/** The parameter of the deployment `name`. */
export const deploymentParameter = (name: string): string => `/disclosure-receipts/${name}`;

export interface OperatorProps {
  readonly name: string;
  readonly tableName: string;
  readonly rootsBucket: string;
  readonly macKeyId: string;
  readonly apiId: string;
  /** By the plan's name. */
  readonly usagePlanIds: Readonly<Record<string, string>>;
  readonly chainsPerTenant: number;
  readonly sealIntervalMinutes: number;
  readonly url: string;
  /** Whether it asks the timestamp authorities that come with the project, and no other ones. */
  readonly knownAuthorities: boolean;
}

/** Nothing in it is secret. */
export class Operator extends Construct {
  constructor(scope: Construct, id: string, props: OperatorProps) {
    super(scope, id);
    new StringParameter(this, "Parameter", {
      parameterName: deploymentParameter(props.name),
      description: `${props.name}: what the command line must know`,
      stringValue: Stack.of(this).toJsonString(props),
    });
  }
}
