// AWS's own security rules (cdk-nag, AwsSolutions), over every variant of the stack.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type App, Validations } from "aws-cdk-lib";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { AwsSolutionsChecks } from "cdk-nag";
import { expect, test, vi } from "vitest";
import { buildStack, VARIANTS } from "./synthesis.ts";

interface Report {
  readonly pluginReports: readonly { readonly violations: readonly { readonly ruleName: string }[] }[];
}

/** The names of the rules that something breaks, if only to be warned of. Throws where one is an error. */
function brokenRules(app: App): string[] {
  vi.stubEnv("CDK_VALIDATION", "true");
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const file = join(app.synth().directory, "validation-report.json");
  const report: Report = JSON.parse(readFileSync(file, "utf8"));
  return report.pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
}

test.each(Object.entries(VARIANTS))("%s: no finding stands without a reason", (_, config) => {
  expect(brokenRules(buildStack(config).app)).toEqual([]);
});

test("a bucket that someone adds with no thought is found", () => {
  const { app, stack } = buildStack({ cloudFront: false });
  new Bucket(stack, "Careless");
  expect(() => brokenRules(app)).toThrowError(/AwsSolutions-S1'[\s\S]*AwsSolutions-S10'/);
});
