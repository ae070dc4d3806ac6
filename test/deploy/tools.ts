// The programs that a deployment to an emulator needs beside Node: whether they are here, and what is installed by them.
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { again } from "../support/again.ts";

const MINISTACK = "1.4.21";
/** With it beside it, MiniStack's KMS signs; without it, it can't make a key of a pair. */
const CRYPTOGRAPHY = "50.0.2";
const DYNAMODB_LOCAL = "3.1.0";
/** What is installed is kept from run to run, until `npm ci` empties it. */
const CACHE = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "disclosure-receipts");
const INSTALLED = "installed";

const run = promisify(execFile);

/** What the program prints, or null where it can't be run or fails. */
function outputOf(program: string, ...words: string[]): string | null {
  try {
    return execFileSync(program, words, { stdio: "pipe", encoding: "utf8" });
  } catch {
    return null;
  }
}

/** Python 3.10 or newer with venv and pip, for MiniStack. */
export const hasPython = (): boolean =>
  outputOf("python3", "-c", "import sys, venv, ensurepip; assert sys.version_info >= (3, 10)") !== null;

/** Java 17 or newer and Maven, for DynamoDB Local. */
export function hasJava(): boolean {
  const [, version = 0] = /^\S+ (\d+)/.exec(outputOf("java", "--version") ?? "") ?? [];
  return Number(version) >= 17 && outputOf("mvn", "--version") !== null;
}

/** MiniStack, with what it signs by, in a virtual environment of its own. Returns the environment's Python. */
export async function installMiniStack(): Promise<string> {
  const packages = [`ministack==${MINISTACK}`, `cryptography==${CRYPTOGRAPHY}`];
  const folder = await install(packages.join("-").replaceAll("==", "-"), async (folder) => {
    await run("python3", ["-m", "venv", folder]);
    const pip = [join(folder, "bin", "pip"), ["install", "--quiet", ...packages]] as const;
    await run(...pip, { env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: "1" } });
  });
  return join(folder, "bin", "python");
}

/** DynamoDB Local and all that it needs. Returns the folder of its jars. */
export async function installDynamoDbLocal(): Promise<string> {
  const folder = await install(`dynamodb-local-${DYNAMODB_LOCAL}`, async (folder) => {
    writeFileSync(join(folder, "pom.xml"), POM);
    const goal = ["dependency:copy-dependencies", "-DoutputDirectory=jars"];
    await run("mvn", ["--batch-mode", "--quiet", ...goal], { cwd: folder });
  });
  return join(folder, "jars");
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>disclosure-receipts</groupId>
  <artifactId>dynamodb-local</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>software.amazon.dynamodb</groupId>
      <artifactId>DynamoDBLocal</artifactId>
      <version>${DYNAMODB_LOCAL}</version>
    </dependency>
  </dependencies>
</project>
`;

/** Installs once. The mark comes last: a folder without it is half of an installation that was interrupted. */
async function install(name: string, into: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(join(folder, INSTALLED))) return folder;
  await again(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await into(folder);
  });
  writeFileSync(join(folder, INSTALLED), "");
  return folder;
}
