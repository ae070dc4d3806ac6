// `admin console`: the operator's page over the credentials of a shell, until it is stopped.
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { listen } from "../../../host/server/http-server.ts";
import { startLocalStack } from "../../support/local-stack.ts";
import { program, receipts, start } from "./command-line.ts";

const ADDRESS = /^console +(http:\/\/127\.0\.0\.1:\d+\/)$/m;

test("serves the deployment that it names, and ends with 0 when it is stopped", async () => {
  const stack = await startLocalStack({ environment: { CONSOLE: "false" } });
  const free = await listen(() => ({ status: 404 }));
  await free.close();
  const { pid, ended } = start([
    "admin",
    "console",
    "--no-open",
    `--port=${free.port}`,
    `--local=${stack.dataDir}`,
  ]);
  const address = `http://127.0.0.1:${free.port}/`;
  const overview = async (): Promise<unknown> => (await fetch(`${address}console/overview`)).json();
  let found: unknown = null;
  while (found === null) found = await overview().catch(() => delay(50, null));
  expect(found).toMatchObject({ name: "local", url: stack.url });
  const certificate = await fetch(`${address}tsa/certificate.pem`);
  expect(await certificate.text()).toContain("BEGIN CERTIFICATE");
  process.kill(pid, "SIGTERM");
  const { status, stdout } = await ended;
  expect([status, ADDRESS.exec(stdout)?.[1]]).toEqual([0, address]);
});

test.each([
  [["--port=http"], "--port is a whole number from 0 to 65535"],
  [["--port=65536"], "--port is a whole number from 0 to 65535"],
  [["more"], "more is one argument too many"],
])("refuses %j", async (args, message) => {
  const { status, stderr } = await receipts("admin", "console", ...args);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("without a deployment says in one line what to do", async () => {
  const { status, stderr } = await program("admin", "console", "--no-open", "--local=/nowhere");
  expect([status, stderr]).toEqual([2, expect.stringContaining("start one with: npm start")]);
});
