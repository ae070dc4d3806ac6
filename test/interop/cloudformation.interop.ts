// The templates of every variant of the stack, judged by cfn-lint, which has CloudFormation's own schemas of each
// resource of a Region. No account is asked.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, expect, test } from "vitest";
import { buildStack, VARIANTS } from "../lib/synthesis.ts";
import { hasPython, installPackages, programsFolderOf } from "./python-packages.ts";
import { describeWith, makeFolder } from "./tools.ts";

const REQUIREMENTS = fileURLToPath(new URL("cloudformation/requirements.txt", import.meta.url));
const REGION = "eu-central-1";
/** The CDK names a role in `DependsOn` also where a reference says it already. */
const DOUBLED_DEPENDENCY = "W3005";
/** cfn-lint ends with one of these where it has found something. */
const FOUND = [2, 4, 6, 8, 10, 12, 14];

const start = promisify(execFile);

/** A line for each finding; empty where there is none. */
async function lint(files: readonly string[]): Promise<string> {
  const program = join(programsFolderOf(REQUIREMENTS), "cfn-lint");
  const words = ["--regions", REGION, "--ignore-checks", DOUBLED_DEPENDENCY, "--format", "parseable"];
  try {
    return (await start(program, [...words, "--template", ...files], { maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { code, stdout } = error as { code?: number; stdout?: string };
    if (code === undefined || !FOUND.includes(code)) throw error;
    return stdout ?? "";
  }
}

function writeTemplate(name: string, template: object): string {
  const file = join(makeFolder(), `${name.replaceAll(" ", "-")}.json`);
  writeFileSync(file, JSON.stringify(template));
  return file;
}

describeWith(hasPython, "Python with venv", "cfn-lint", () => {
  beforeAll(() => installPackages(REQUIREMENTS));

  test("finds nothing in the template of any variant", async () => {
    const files = Object.entries(VARIANTS).map(([name, config]) =>
      writeTemplate(name, Template.fromStack(buildStack(config).stack).toJSON()),
    );
    expect(await lint(files)).toBe("");
  });

  test("finds a property that a resource does not have, and a value that is none of its values", async () => {
    const Properties = { BillingMode: "ON_DEMAND", PointInTimeRecovery: true };
    const template = { Resources: { Table: { Type: "AWS::DynamoDB::Table", Properties } } };
    const found = await lint([writeTemplate("wrong", template)]);
    expect(found).toContain("'ON_DEMAND' is not one of");
    expect(found).toContain("PointInTimeRecovery");
  });
});
