// Accepted findings of cdk-nag, each with its reason, in the file of its construct. All other findings fail the tests.
import { type CfnElement, Stack, Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** `reasons` by rule id, with the finding in brackets where a rule has several. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
}

/** cdk-nag's name for the finding about a resource's ARN with a wildcard after it. */
export const wildcardFinding = (construct: IConstruct, suffix: string): string =>
  `AwsSolutions-IAM5[Resource::<${Stack.of(construct).getLogicalId(construct.node.defaultChild as CfnElement)}.Arn>${suffix}]`;
