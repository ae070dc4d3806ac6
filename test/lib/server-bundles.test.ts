// The bundles of the web runtime's servers: each starts by itself, refuses strangers, and holds the code of its role.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { bundle } from "../../build/bundle.ts";
import {
  HEALTH_PATH,
  handlersOf,
  ORIGIN_SECRET_HEADER,
  WEB_SERVERS,
  type WebServerName,
} from "../../contract/web-runtime.ts";
import { temporaryFolder } from "./synthesis.ts";

const MAX_BUNDLE_BYTES = 1_050_000;
const ORIGIN_SECRET = "s".repeat(32);
const folder = temporaryFolder();
let modulesOf: (server: WebServerName) => string[];

beforeAll(async () => {
  const outputs = (await bundle(folder)).flatMap(({ outputs }) => Object.entries(outputs));
  modulesOf = (server) => {
    const [, output] = outputs.find(([file]) => file.endsWith(`server/${server}/index.js`)) ?? [];
    return Object.keys(output?.inputs ?? {});
  };
});

/** In a folder and an environment with nothing else: no package, no variable of Lambda's. */
async function start(server: WebServerName): Promise<{ url: string; stop: () => Promise<number | null> }> {
  const place = join(temporaryFolder(), "task");
  mkdirSync(place);
  cpSync(join(folder, "server", server), place, { recursive: true });
  cpSync(join(folder, "trust-anchors", "digicert-trusted-root-g4.pem"), join(place, "anchors.pem"));
  const child = spawn(process.execPath, [join(place, "index.js")], {
    cwd: "/",
    env: {
      HOST: "127.0.0.1",
      PORT: "0",
      ORIGIN_SECRET,
      AWS_REGION: "eu-central-1",
      TABLE_NAME: "table",
      MAC_KEY_ID: "key",
      ROOTS_BUCKET: "bucket",
      BILLS_BUCKET: "bucket",
      TSA_URLS: "http://tsa.example",
      TSA_CA_FILE: "anchors.pem",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const [line] = await Promise.race([once(child.stdout, "data"), exited]);
  const { port } = JSON.parse(String(line)) as { port: number };
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
    return child.exitCode;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

test.each(WEB_SERVERS)("%s starts alone, is healthy, refuses strangers, and stops with 0", async (server) => {
  const { url, stop } = await start(server);
  expect((await fetch(url + HEALTH_PATH)).status).toBe(200);
  expect((await fetch(`${url}/v1/attestation`, { method: "POST" })).status).toBe(403);
  const headers = { [ORIGIN_SECRET_HEADER]: ORIGIN_SECRET };
  // No key was sent, so nobody asks the table, which is not there; and what no route has is a 404.
  const path = server === "attest" ? "/v1/attestation" : "/v1/chains";
  const method = server === "attest" ? "POST" : "GET";
  expect((await fetch(url + path, { method, headers })).status).toBe(401);
  expect((await fetch(`${url}/nothing`, { headers })).status).toBe(404);
  expect(await stop()).toBe(0);
});

test.each(WEB_SERVERS)("%s holds the handlers of its role and no others", (server) => {
  const handlers = modulesOf(server).flatMap((module) => /^lambdas\/([\w-]+)\.ts$/.exec(module)?.[1] ?? []);
  expect(new Set(handlers)).toEqual(new Set(handlersOf(server)));
});

test.each(WEB_SERVERS)("%s stays under 1,050 KB", (server) => {
  expect(statSync(join(folder, "server", server, "index.js")).size).toBeLessThan(MAX_BUNDLE_BYTES);
});
