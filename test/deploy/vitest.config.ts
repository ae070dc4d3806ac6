// `npm run test:deploy`: the stack deployed to an emulator of AWS, and the service on AWS's own DynamoDB Local. Apart
// from `npm test`, which needs Node alone; what this machine can't run is left out, and the run says so.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { hasJava, hasPython } from "./tools.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Those of the end-to-end tests that are not about the local stack's own process. */
const END_TO_END = [
  "api-keys",
  "bad-call",
  "bad-request",
  "concurrency",
  "published-roots",
  "receipt",
  "verify-inclusion",
];

/** The crash tables of what writes to the table most; the others differ in their steps, and not in the engine's part. */
const CRASH_TABLES = [
  "test/service/attestations/attestation-crashes.faults.ts",
  "test/service/sealing/sealer-crashes.faults.ts",
];

/** Every test of the service with a table of its own; what the others test makes no call to any engine. */
const OF_THE_TABLE = globSync("test/service/**/*.test.ts", { cwd: ROOT }).filter((file) =>
  readFileSync(join(ROOT, file), "utf8").includes("startLedgerStack"),
);

/** The local engine's answers, and the same of DynamoDB Local. */
const ANSWERS = [
  "test/host/local/dynamodb-{answers,queries,scans,transactions}.test.ts",
  "test/deploy/dynamodb-side-by-side.test.ts",
];

interface Part {
  readonly name: string;
  /** Null where its programs are here, or what is said where they are not. */
  readonly missing: string | null;
  readonly include: string[];
  readonly globalSetup: string;
  readonly maxWorkers: number;
  /** Parts run one after the other. */
  readonly place: number;
}

const deployed: Part = {
  name: "deployed",
  missing: hasPython() ? null : "Python 3.10 or newer with venv",
  include: ["test/deploy/*.deploy.ts", `test/e2e/{${END_TO_END.join()}}.test.ts`],
  globalSetup: "test/deploy/setup.ts",
  // One stack for all: one file's seals would hold another's receipts.
  maxWorkers: 1,
  place: 1,
};

const dynamoDbLocal: Part = {
  name: "dynamodb-local",
  missing: hasJava() ? null : "Java 17 or newer with Maven",
  include: [...OF_THE_TABLE, ...CRASH_TABLES, ...ANSWERS],
  globalSetup: "test/deploy/dynamodb-local.ts",
  maxWorkers: 3,
  place: 2,
};

/** This file is read for the run and again for each of its projects; all of them share one environment. */
function sayOnce(line: string): void {
  if (process.env[line] === undefined) console.log(line);
  process.env[line] = "said";
}

function projectOf({ name, missing, include, globalSetup, maxWorkers, place }: Part) {
  if (missing !== null) sayOnce(`skipped: ${name}, which needs ${missing}`);
  return {
    root: ROOT,
    test: {
      name,
      include: missing === null ? include : [],
      globalSetup: missing === null ? ["test/support/derived-vectors.ts", globalSetup] : [],
      environment: "node",
      pool: "forks" as const,
      maxWorkers,
      sequence: { groupOrder: place },
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 120_000 } },
    },
  };
}

export default defineConfig({
  test: { passWithNoTests: true, projects: [projectOf(deployed), projectOf(dynamoDbLocal)] },
});
