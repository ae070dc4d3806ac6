// The example of a receiver, with messages that the standard's own library signs.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { EXAMPLES } from "./programs.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = '{"type":"webhook.test","timestamp":"2026-11-22T08:03:00.000Z","data":{}}';
let child: ChildProcess;
let said = "";
let url = "";

beforeAll(async () => {
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: SECRET, PORT: "0" };
  child = spawn(process.execPath, [`${EXAMPLES}webhook-receiver.ts`], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  while (url === "") {
    await once(child.stdout ?? child, "data");
    const [, port] = /port: (\d+)/.exec(said) ?? [];
    if (port !== undefined) url = `http://127.0.0.1:${port}/`;
  }
});
afterAll(async () => {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
});

async function send(id: string, { body = BODY, at = new Date(), former = "" } = {}): Promise<number> {
  const signature = `${former}${new Webhook(SECRET).sign(id, at, BODY)}`;
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  return (await fetch(url, { method: "POST", headers, body })).status;
}

test("takes what is signed, and acts on it once", async () => {
  expect([await send("msg_1"), await send("msg_1"), await send("msg_2")]).toEqual([204, 204, 204]);
  expect(said.split("\n").filter((line) => line === BODY)).toHaveLength(2);
});

test("takes a message that is signed under two secrets while one is rotated", async () => {
  expect(await send("msg_3", { former: `v1,${Buffer.alloc(32, 1).toString("base64")} ` })).toBe(204);
});

test("refuses another body, and a message of long ago", async () => {
  expect(await send("msg_4", { body: BODY.replace("test", "sealed") })).toBe(401);
  expect(await send("msg_5", { at: new Date(Date.now() - 3_600_000) })).toBe(401);
});

test("lives on when a sender goes away in the middle, or sends a signature or a body that nobody signs", async () => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf");
  // Once the next one is answered, the first has been read.
  expect(await send("msg_6")).toBe(204);
  socket.destroy();
  const headers = { "webhook-signature": `v1,${"é".repeat(44)}` };
  expect((await fetch(url, { method: "POST", headers })).status).toBe(401);
  const large = await fetch(url, { method: "POST", body: "x".repeat(100_000) }).catch(() => null);
  expect([413, undefined]).toContain(large?.status);
  expect(await send("msg_7")).toBe(204);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
});

test("does not start without a secret, under which everybody could sign", async () => {
  const env = { PATH: process.env.PATH, PORT: "0" };
  const other = spawn(process.execPath, [`${EXAMPLES}webhook-receiver.ts`], { env, stdio: "ignore" });
  onTestFinished(() => void other.kill("SIGKILL"));
  expect(await once(other, "exit")).toEqual([2, null]);
});
