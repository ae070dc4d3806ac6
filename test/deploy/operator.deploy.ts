// The operator's command line against the deployed stack: the same program, found through the stack's own parameter.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ApiClient, disclosure } from "../support/api-client.ts";
import { runSchedules } from "../support/emulator-api.ts";
import { theDeployment } from "../support/target.ts";
import { cdkEnvironment } from "./emulator.ts";

const stack = theDeployment();
const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "receipts.ts");
const run = promisify(execFile);

const anchors = join(stack.folder, "operator-anchors.pem");
writeFileSync(anchors, stack.trustAnchorsPem);

/** Standard output. Throws where the program ends with anything but 0, as it does where something does not hold. */
async function admin(...words: string[]): Promise<string> {
  const env = cdkEnvironment(stack.endpoint, stack.folder);
  const command = [PROGRAM, "admin", ...words, "--name", stack.name];
  const { stdout } = await run(process.execPath, command, { env });
  return stdout;
}

const adminJson = async (...words: string[]) => JSON.parse(await admin(...words, "--json"));

test("an operator makes a tenant and a key, sees the seal over its receipts, and verifies the whole ledger", async () => {
  await admin("tenant", "create", "acme", "--plan", "standard");
  const apiKey = (await admin("key", "create", "acme", "--scopes", "attest,report")).trim();
  const { url, trustAnchorsPem } = stack;
  const api = new ApiClient({ url, apiKey, trustAnchorsPem });
  const { event_id } = await api.attest(disclosure());
  await runSchedules(stack.endpoint, stack.name);
  expect((await api.verifyPublished(await api.report(event_id))).valid).toBe(true);

  const status = await adminJson("status", "--tsa-ca", anchors);
  expect(status).toMatchObject({ healthy: true, unpublished: 0 });
  expect(status.tokens.map(({ holds }: { holds: boolean }) => holds)).toEqual([true, true]);
  const verified = await adminJson("verify", "--macs");
  expect(verified).toMatchObject({ verdict: "holds", faults: [] });
  expect(verified.macs).toBe(verified.receipts);

  await admin("key", "revoke", apiKey.split("_")[2] ?? "");
  const { keys } = await adminJson("key", "list", "acme");
  expect(keys).toEqual([expect.objectContaining({ state: "revoked" })]);
});
