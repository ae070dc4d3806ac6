// What keeps the program from starting: it says so in one line, ends with 1, and leaves nothing running.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listen } from "../../host/server/http-server.ts";
import { ApiClient, disclosure } from "../support/api-client.ts";
import { type Exit, newFolder, runToEnd, startLocalStack } from "../support/local-stack.ts";

const GOOD_ANCHORS = "test/vectors/timestamps/openssl-rsa-ca.pem";
function expectOneLine({ code, stdout, stderr }: Exit, message: RegExp): void {
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).toMatch(message);
  expect(stdout).toBe("");
  expect(code).toBe(1);
}

describe("a wrong setting is said in one line and ends the program with 1:", () => {
  const TSA_URLS = "http://127.0.0.1:9/";
  test.each<[string, Record<string, string>, RegExp]>([
    ["a PORT that is no number", { PORT: "http" }, /PORT: must be a whole number/],
    ["anchors that are not there", { TSA_URLS, TSA_CA_FILE: "/no/such.pem" }, /TSA_CA_FILE: \/no\/such.pem/],
    ["anchors that are no PEM", { TSA_URLS, TSA_CA_FILE: "package.json" }, /TSA_CA_FILE: package.json/],
    ["a policy that is not there", { WITNESS_POLICY_FILE: "/no/such.txt" }, /such\.txt: it can't be read/],
    ["a policy that is none", { WITNESS_POLICY_FILE: "package.json" }, /package\.json: line 1 of the policy/],
    ["an authority that is no URL", { TSA_URLS: "tsa", TSA_CA_FILE: GOOD_ANCHORS }, /TSA_URLS/],
  ])("%s", async (_what, environment, message) => {
    const dataDir = newFolder();
    expectOneLine(await runToEnd({ dataDir, environment }), message);
  });
});

describe("what stands in the way of a start is said in one line and ends the program with 1:", () => {
  test("a port in use", async () => {
    const other = await listen(() => ({ status: 404 }));
    const dataDir = newFolder();
    const exit = await runToEnd({ dataDir, environment: { PORT: String(other.port) } });
    await other.close();
    expectOneLine(exit, new RegExp(`^port ${other.port} is in use; set PORT to another$`, "m"));
  });

  test("a data folder in use", async () => {
    const { dataDir } = await startLocalStack();
    expectOneLine(
      await runToEnd({ dataDir }),
      /^data folder .* is in use by another stack; stop it or set DATA_DIR$/m,
    );
  });

  test("a data folder of another version", async () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, "version"), "99\n");
    expectOneLine(
      await runToEnd({ dataDir }),
      /^data folder .* has format 99, this stack writes \d+; set DATA_DIR/m,
    );
  });

  test("a data folder that is a file", async () => {
    const dataDir = join(newFolder(), "file");
    writeFileSync(dataDir, "");
    expectOneLine(await runToEnd({ dataDir }), /data folder/);
  });

  test("a ledger that is no database", async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, "ledger.sqlite"));
    expectOneLine(await runToEnd({ dataDir }), /local DynamoDB did not start/);
  });

  test("a table that was put back from a copy, beside roots that were not", async () => {
    const dataDir = newFolder();
    const environment = { SEAL_INTERVAL_SECONDS: "1" };
    const sealOnce = async (): Promise<void> => {
      const stack = await startLocalStack({ dataDir, environment });
      const api = new ApiClient(stack);
      const { event_id } = await api.attest(disclosure());
      await api.includedReport(event_id);
      await stack.stop();
    };
    await sealOnce();
    const ledgerFiles = readdirSync(dataDir).filter((name) => name.startsWith("ledger.sqlite"));
    const copies = ledgerFiles.map((name) => [name, readFileSync(join(dataDir, name))] as const);
    await sealOnce();
    for (const [name, bytes] of copies) writeFileSync(join(dataDir, name), bytes);
    expectOneLine(
      await runToEnd({ dataDir }),
      /^the table is older than its published roots: it has no seal \d+; put back the newest table, or set DATA_DIR/m,
    );
  });

  test("a database that does not answer", async () => {
    const exit = await runToEnd({ environment: { DYNAMODB_ENDPOINT: "http://127.0.0.1:9" } });
    expectOneLine(exit, /DYNAMODB_ENDPOINT/);
  });
});
