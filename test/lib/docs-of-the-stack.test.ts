// What the operator's pages say of the stack is what the stack has: settings, alarms, rights, versions and messages.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PARTITION_PATTERNS } from "../../contract/table.ts";
import { attestationRequestSchema } from "../../evidence/core/formats/attestation-request.ts";
import { evaluatePolicy, lookupLayer, rulesOf } from "../../evidence/core/policy/policy.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import { ALARM_SECTIONS } from "../../lib/parts/operator-alarm.ts";
import { configSchema, parseConfig } from "../../lib/settings/config.ts";
import { list, Policies, type Statement } from "./iam.ts";
import { Synthesized, VARIANTS } from "./synthesis.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const deploy = read("docs/deploy.md");
const operations = read("docs/operations.md");
const security = read("docs/security.md");

/** The rows of the table under a heading, as cells. */
function rowsUnder(page: string, heading: string): string[][] {
  const section = page.split(new RegExp(`^#+ ${heading}$`, "m"))[1] ?? expect.fail(`no heading ${heading}`);
  const [text = ""] = section.split(/^#+ /m);
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(2).map((row) => row.slice(2, -2).split(" | "));
}
const code = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

describe("the settings", () => {
  const rows = rowsUnder(deploy, "Settings");

  test("are those of the schema, in its order", () => {
    expect(rows.flatMap(([name]) => code(name))).toEqual(Object.keys(configSchema.shape));
  });

  test("have the defaults that they are said to have", () => {
    const defaults: Record<string, unknown> = parseConfig({});
    for (const [name, stated] of rows) {
      const [setting = ""] = code(name);
      const value = defaults[setting];
      if (value === undefined) expect([setting, stated]).toEqual([setting, "–"]);
      else if (setting === "plans") expect(code(stated)).toEqual(Object.keys(parseConfig({}).plans));
      else expect([setting, ...code(stated)]).toEqual([setting, JSON.stringify(value)]);
    }
  });

  test("the default plans are those that are listed", () => {
    const number = (value: number): string => value.toLocaleString("en-US");
    const [text = ""] = deploy.match(/The default plans:[\s\S]*?\n\n/) ?? [];
    for (const [name, { rate, burst, monthlyQuota, chains }] of Object.entries(parseConfig({}).plans)) {
      const numbers = [number(rate), number(burst), number(monthlyQuota), number(chains)];
      expect(text.match(new RegExp(`\`${name}\`[^\`]*`))?.[0].match(/\d[\d,]*\d|\d/g)).toEqual(numbers);
    }
  });

  test.each([{ stage: "prod" }, { stgae: "trial" }])(
    "%j is refused with a line that the page explains",
    (settings) => {
      const lines = rowsUnder(deploy, "When it stops with one line").map(([line]) => code(line)[0]);
      expect(() => parseConfig(settings)).toThrowError();
      try {
        parseConfig(settings);
      } catch (error) {
        expect(lines).toContain((error as Error).message);
      }
    },
  );
});

describe("the first deployment", () => {
  test("installs the versions that are tested", () => {
    const { devDependencies } = JSON.parse(read("package.json"));
    const named = [...deploy.matchAll(/(aws-cdk-lib|constructs|aws-cdk)@([\d.]+)/g)];
    expect(named.map(([, name]) => name)).toEqual(["aws-cdk-lib", "constructs", "aws-cdk"]);
    for (const [, name = "", version] of named) expect(version).toBe(devDependencies[name]);
  });

  test("makes a call that is right and gets the verdict ALLOW", () => {
    const [, body = ""] = deploy.match(/-d '(\{.*\})'/) ?? [];
    const request = attestationRequestSchema.parse(JSON.parse(body));
    const rules = rulesOf(lookupLayer(policyLayers, request.jurisdiction));
    expect(evaluatePolicy(rules, request, new Date().toISOString()).verdict).toBe("ALLOW");
  });

  test("names the services that the stack is made of", () => {
    const stacks = Object.values(VARIANTS).map((variant) => new Synthesized(variant));
    const services = stacks.flatMap(({ resources }) =>
      resources.map(({ Type }) => Type.split("::")[1] ?? ""),
    );
    const used = [...new Set(services)].filter((service) => SERVICES[service] !== null);
    const text = deploy.replaceAll(/\s+/g, " ");
    expect(used.filter((service) => !text.includes(SERVICES[service] ?? `unknown: ${service}`))).toEqual([]);
  });
});

/** The image has it, and says so. */
const OF_THE_IMAGE = ["TSA_CA_FILE"];

test.each(["attest", "read"])(
  "a container of the server %s is told all that the stack tells it",
  (server) => {
    const stack = new Synthesized({ ...VARIANTS.web, retiredMacKeyIds: [`mrk-${"0".repeat(32)}`] });
    const revision = stack.one("AWS::Lambda::WebFunctionRevision", new RegExp(`Web${server}Function`));
    const told = Object.keys(revision.Properties.ServiceConfig.EnvironmentVariables);
    const named = rowsUnder(read("docs/performance.md"), "A container")
      .filter(([, who = ""]) => who === "both" || code(who).includes(server))
      .flatMap(([name]) => code(name));
    expect(told.length).toBeGreaterThan(10);
    expect(told.filter((name) => !named.includes(name) && !OF_THE_IMAGE.includes(name))).toEqual([]);
  },
);

/** CloudFormation's names, and how people call them; null for what is no service. */
const SERVICES: Readonly<Record<string, string | null>> = {
  ApiGateway: "API Gateway",
  Budgets: "AWS Budgets",
  CloudFront: "CloudFront",
  CloudWatch: "CloudWatch,",
  CodeDeploy: "CodeDeploy",
  DynamoDB: "DynamoDB",
  Events: "EventBridge,",
  IAM: "IAM",
  KMS: "KMS",
  Lambda: "Lambda",
  Logs: "CloudWatch Logs",
  S3: "S3",
  Scheduler: "EventBridge Scheduler",
  SecretsManager: "Secrets Manager",
  SNS: "SNS",
  SQS: "SQS",
  SSM: "Systems Manager parameters",
  WAFv2: "AWS WAF",
  CDKMetadata: null,
  CDKBucketDeployment: null,
  S3AutoDeleteObjects: null,
  StageGuard: null,
  EmptyTrial: null,
  S3ObjectCopy: null,
};

describe("the runbook", () => {
  const [, alarms = ""] = operations.match(/^# The alarms$([\s\S]*?)^# /m) ?? [];

  test("has a section for each alarm, and none for what is no alarm", () => {
    const sections = [...alarms.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(sections).toEqual([...ALARM_SECTIONS]);
  });

  test("says in each what it means, then what to do, then when nothing has to be done, if ever", () => {
    for (const section of alarms.split(/^## /m).slice(1)) {
      const [name = ""] = section.split("\n");
      const [means, acts] = [section.indexOf("**Means** that"), section.search(/\| do \||\*\*Do\*\*/)];
      expect([name, means > 0, acts > means]).toEqual([name, true, true]);
      const urgency = ["**Always act on this one.**", "**No action needed**"];
      expect([name, urgency.filter((part) => section.includes(part)).length]).toEqual([name, 1]);
    }
  });

  // Who changes one of these changes the words of its section too.
  test("gives the limits that the alarms have", () => {
    const limits = new Synthesized(VARIANTS.production)
      .all("AWS::CloudWatch::Alarm")
      .map(({ Properties: { AlarmName, Threshold, EvaluationPeriods, Period } }) => [
        AlarmName.replace("disclosure-receipts-", "").replace(/^throttles-.*/, "throttles"),
        `${Threshold} in ${EvaluationPeriods} × ${Period / 60} minutes`,
      ]);
    expect(Object.fromEntries(limits)).toEqual({
      "seal-lag": "900 in 2 × 5 minutes",
      "publication-conflict": "1 in 1 × 5 minutes",
      "unclaimed-entry": "1 in 1 × 5 minutes",
      "damaged-chains": "1 in 1 × 5 minutes",
      "policy-failures": "1 in 3 × 5 minutes",
      "timestamp-failures": "20 in 3 × 5 minutes",
      "timestamp-failures-seals": "1 in 3 × 20 minutes",
      "server-errors": "5 in 1 × 5 minutes",
      rollout: "5 in 1 × 1 minutes",
      throttles: "10 in 1 × 5 minutes",
      "function-errors-attest": "3 in 1 × 5 minutes",
      "function-errors-authorize": "5 in 1 × 5 minutes",
      "function-errors-webhooks": "3 in 1 × 5 minutes",
      "slow-answers": "3000 in 3 × 5 minutes",
      "lost-races": "1 in 3 × 5 minutes",
      "dead-letters": "1 in 1 × 5 minutes",
      "webhook-dead-letters": "1 in 1 × 5 minutes",
      "dead-letters-bills": "1 in 1 × 5 minutes",
      bills: "1 in 1 × 60 minutes",
      "checkpoint-age": "900 in 2 × 5 minutes",
      "checkpoint-failures": "1 in 3 × 5 minutes",
      "missed-quorum": "1 in 1 × 15 minutes",
      "larger-tree": "1 in 1 × 5 minutes",
    });
  });

  test("finds the functions that it runs and stops", () => {
    const named = [...operations.matchAll(/\$\(function_of (\w+)\)/g)].map(([, part = ""]) => part);
    expect(named).toEqual(["Sealerseal", "Handlersattest"]);
    for (const part of named) new Synthesized().one("AWS::Lambda::Function", new RegExp(part));
    expect(new Synthesized().all("AWS::SQS::Queue")).toHaveLength(2);
  });

  test("finds the one role of the server that attests", () => {
    const [, type = "", part = ""] =
      operations.match(/ROLE=\$\([\s\S]*?ResourceType=='([\w:]+)' && contains\(LogicalResourceId,'(\w+)'/) ??
      [];
    const roles = new Synthesized(VARIANTS.web).all(type).filter(({ id }) => id.includes(part));
    expect(roles.map(({ id }) => id)).toEqual([expect.stringMatching(/^AttestationWebattestRole/)]);
  });

  test("asks the logs for messages that the functions write", () => {
    const sources = readdirSync(join(ROOT, "lambdas"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => read(join("lambdas", name)))
      .join("\n");
    const queries = [...operations.matchAll(/filter message (?:in \[([^\]]+)\]|= ("[^"]+"))/g)];
    const messages = queries.flatMap(([, several, one]) => (several ?? one ?? "").match(/"[^"]+"/g) ?? []);
    expect(messages.length).toBeGreaterThan(5);
    expect(messages.filter((message) => !new RegExp(`logger\\.\\w+\\(${message}`).test(sources))).toEqual([]);
  });

  test("explains errors and outcomes that there are", () => {
    const codes = [...operations.matchAll(/^\| (?:one [^|]*, )?`([a-z]+_[a-z]+)`/gm)].map(([, name]) => name);
    const errors = [
      "evidence/core/errors.ts",
      "service/sealing/sealer.ts",
      "service/webhooks/webhook-sender.ts",
    ]
      .map(read)
      .join("");
    expect(codes.length).toBeGreaterThan(8);
    expect(codes.filter((name) => !errors.includes(`"${name}"`))).toEqual([]);
  });
});

describe("what each function may do", () => {
  const production = new Synthesized(VARIANTS.production);
  const policies = new Policies(production);
  const rows = rowsUnder(security, "What each function may do");

  const partitionsOf = (statements: Statement[], operations: RegExp): string[] => {
    const patterns = statements
      .filter(({ Action }) => list(Action).some((action) => operations.test(action)))
      .flatMap(({ Condition }) =>
        list(Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []),
      );
    return Object.entries(PARTITION_PATTERNS).flatMap(([name, pattern]) =>
      patterns.includes(pattern) ? [name] : [],
    );
  };
  const othersOf = (statements: Statement[]): string[] =>
    [
      ...new Set(statements.flatMap(({ Action }) => Action).filter((action) => /^(?:kms|s3):/.test(action))),
    ].sort();

  test("names every function", () => {
    const functions = production
      .all("AWS::Lambda::Function")
      .filter(({ id }) => id.startsWith("Attestation"));
    expect(rows.flatMap(([name]) => code(name))).toHaveLength(functions.length);
  });

  test.each(
    rows.flatMap(([names, reads, writes, others]) =>
      code(names).map((name) => [name, reads, writes, others]),
    ),
  )("%s: as its policy says", (name = "", reads, writes, others) => {
    const statements = policies.statementsOf(policies.functionOf(name));
    expect({ reads: code(reads), writes: code(writes), others: code(others) }).toEqual({
      reads: partitionsOf(statements, /^dynamodb:(?:GetItem|BatchGetItem|Query)$/),
      writes: partitionsOf(statements, /^dynamodb:(?:PutItem|UpdateItem)$/),
      others: othersOf(statements),
    });
  });
});
