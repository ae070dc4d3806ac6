// Findings of cdk-nag that stand, each with the reason why. What is not listed here or beside its construct fails.
import { type CfnElement, Stack, Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Rule ids, with the finding in brackets where a rule has several, and why each is right as it is. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
}

/** The finding about `arn` of a resource with a wildcard behind it, as cdk-nag names it. */
export const wildcardFinding = (construct: IConstruct, suffix: string): string =>
  `AwsSolutions-IAM5[Resource::<${Stack.of(construct).getLogicalId(construct.node.defaultChild as CfnElement)}.Arn>${suffix}]`;
