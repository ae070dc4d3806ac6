// Stacks to look at: synthesized from stand-ins of the bundles, as an operator's `cdk synth` would.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { afterAll, vi } from "vitest";
import { HANDLERS } from "../../contract/routes.ts";
import { WEB_SERVERS } from "../../contract/web-runtime.ts";
import { AttestationService } from "../../lib/attestation-service.ts";
import type { AttestationConfig } from "../../lib/settings/config.ts";
import { newAttestationStack } from "../../lib/stack.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const { context } = JSON.parse(readFileSync(join(ROOT, "cdk.json"), "utf8"));
/** The copies with the trust anchors are looked at where the app itself runs; here they would only take time. */
const QUICK = { "aws:cdk:bundling-stacks": [], "aws:cdk:disable-stack-trace": true };

export const certificateArn = (region: string): string =>
  `arn:aws:acm:${region}:123456789012:certificate/00000000-0000-0000-0000-000000000000`;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A folder that goes when the file's tests are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-lib-"));
  folders.push(folder);
  return folder;
}

/** The file of a policy with one witness. */
export function witnessPolicyFile(
  line = "witness harbor harbor.example/witness+034ae5a7+BAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH https://harbor.example",
): string {
  const file = join(temporaryFolder(), "witnesses.txt");
  writeFileSync(file, `# the witnesses of the log\n\n${line}\nquorum harbor\n`);
  return file;
}

/** Every choice that changes what is built. */
export const VARIANTS: Readonly<Record<string, AttestationConfig>> = {
  trial: {},
  production: {
    stage: "production",
    alarmEmail: "night@operator.example",
    monthlyBudget: 200,
    domain: { name: "receipts.operator.example", certificateArn: certificateArn("us-east-1") },
    witnessPolicyFile: witnessPolicyFile(),
  },
  firewall: {
    waf: true,
    inlineTimestamps: false,
    sealIntervalMinutes: 5,
    accountLogRole: true,
    tracing: true,
  },
  web: {
    runtime: "web",
    web: { concurrency: 64, maxEnvironments: 8, originSecret: 2 },
    stage: "production",
    alarmEmail: "night@operator.example",
    domain: { name: "receipts.operator.example", certificateArn: certificateArn("us-east-1") },
  },
  "no CloudFront": {
    cloudFront: false,
    domain: { name: "receipts.operator.example", certificateArn: certificateArn("eu-central-1") },
  },
};

/** As `npm run bundle` leaves it, but for what the handlers do. */
export function fakeAssets(): string {
  const folder = temporaryFolder();
  for (const handler of HANDLERS) {
    mkdirSync(join(folder, "lambda", handler), { recursive: true });
    writeFileSync(join(folder, "lambda", handler, "index.js"), "exports.handler = async () => {};\n");
  }
  for (const server of WEB_SERVERS) {
    mkdirSync(join(folder, "server", server), { recursive: true });
    writeFileSync(join(folder, "server", server, "index.js"), "// listens\n");
  }
  mkdirSync(join(folder, "site", "v1"), { recursive: true });
  writeFileSync(join(folder, "site", "v1", "openapi.json"), "{}");
  cpSync(join(ROOT, "lib", "trust-anchors"), join(folder, "trust-anchors"), { recursive: true });
  return folder;
}

export function buildStack(config: AttestationConfig = {}): { app: App; stack: Stack } {
  const app = new App({ context: { ...context, ...QUICK }, outdir: temporaryFolder() });
  const stack = newAttestationStack(app, { ...config, assetsFolder: fakeAssets() });
  return { app, stack };
}

export interface Resource {
  readonly id: string;
  readonly Type: string;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: ReturnType<Template["toJSON"]>;
  readonly Properties: ReturnType<Template["toJSON"]>;
}

/** The service in an app of somebody else's, whose context has none of the switches that ours has. */
export function buildOwnApp(config: AttestationConfig = {}): Stack {
  const stack = new Stack(new App({ context: QUICK, outdir: temporaryFolder() }), "own-app");
  new AttestationService(stack, "Attestation", { ...config, assetsFolder: fakeAssets() });
  return stack;
}

export class Synthesized {
  readonly resources: readonly Resource[];

  constructor(config: AttestationConfig = {}, stack: Stack = buildStack(config).stack) {
    // rules.test.ts has CloudFormation's own rules checked for every variant; they take most of a synthesis.
    vi.stubEnv("CDK_VALIDATION", "false");
    const template = Template.fromStack(stack).toJSON();
    this.resources = Object.entries<Omit<Resource, "id">>(template.Resources).map(([id, resource]) => ({
      ...resource,
      id,
      Properties: resource.Properties ?? {},
    }));
  }

  all(type: string): Resource[] {
    return this.resources.filter(({ Type }) => Type === type);
  }

  /** The one resource of a type, among those whose logical id matches. */
  one(type: string, id = /./): Resource {
    const found = this.all(type).filter((resource) => id.test(resource.id));
    const [resource] = found;
    if (resource === undefined || found.length > 1) {
      throw new Error(`${found.length} of ${type} match ${id}`);
    }
    return resource;
  }
}
