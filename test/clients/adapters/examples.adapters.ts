// The examples run as they stand in docs and examples/, but for where the package is.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer, connect as dial } from "node:net";
import { join } from "node:path";
import type { JobContext } from "@livekit/agents";
import twilio from "twilio";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { COMPILED } from "../../support/compiled.ts";
import { type LocalStack, newFolder, startLocalStack } from "../../support/local-stack.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { COPIES, EXAMPLES } from "./examples.ts";
import { startCall } from "./livekit-parts.ts";
import { connect, startApi } from "./realtime-api.ts";
import { call } from "./relay.ts";

const MAX_LINES = 16;
const AUTH_TOKEN = "0123456789abcdef0123456789abcdef";

let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack();
  vi.stubEnv("BASE_URL", stack.url);
  vi.stubEnv("API_KEY", stack.apiKey);
  // They keep their queues under the folder that they run in.
  process.chdir(newFolder());
});

const introductions = async (id: string): Promise<unknown[]> => {
  const { receipts } = await new ApiClient(stack).interaction(id);
  return receipts.map(({ disclosure, verdict }) => [disclosure.disclosure_method, verdict]);
};
const INTRODUCED = [["spoken_introduction", "ALLOW"]];

function start(name: string, environment: Readonly<Record<string, string>>): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    BASE_URL: stack.url,
    API_KEY: stack.apiKey,
    ...COMPILED,
    ...environment,
  };
  const child = spawn(process.execPath, [join(COPIES, name)], { cwd: newFolder(), env });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** A port that nobody has a moment later. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return String(port);
}

describe("the examples", () => {
  const names = readdirSync(EXAMPLES).filter((name) => name !== "model.ts");

  test.each(names)(`%s has at most ${MAX_LINES} lines of code after its imports`, (name) => {
    const code = readFileSync(join(EXAMPLES, name), "utf8")
      .replaceAll(/^import [^;]*;.*$/gm, "")
      .split("\n")
      .filter((line) => !/^\s*(?:\/\/|\/\*\*|$)/.test(line));
    expect(code.length).toBeLessThanOrEqual(MAX_LINES);
  });

  test("ai-sdk.ts prints a message with its label and its receipt", async () => {
    const child = start("ai-sdk.ts", { CHAT: "example-chat" });
    let printed = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const [status] = await once(child, "close");
    expect([status, printed]).toEqual([0, expect.stringContaining("KI-System, kein Mensch\n\nWir haben")]);
    const { receipts } = await new ApiClient(stack).interaction("example-chat");
    expect(receipts.map(({ event_id }) => event_id)).toEqual([/eventId: '([^']+)'/.exec(printed)?.[1]]);
  });

  test("livekit.ts introduces the agent of a job", async () => {
    const { answer } = await import("./examples/livekit.ts");
    const { session } = await startCall(null);
    const ended: (() => Promise<void>)[] = [];
    const addShutdownCallback = (callback: () => Promise<void>) => void ended.push(callback);
    await answer({ job: { id: "AJ_example" }, addShutdownCallback } as unknown as JobContext, session);
    for (const callback of ended) await callback();
    expect(await introductions("AJ_example")).toEqual(INTRODUCED);
    await session.close();
  });

  test("openai-realtime.ts introduces the agent of a session", async () => {
    const { introduce, queue } = await import("./examples/openai-realtime.ts");
    const api = await startApi();
    const session = await connect(api.url);
    onTestFinished(() => session.close());
    expect(await introduce(session, "example-session")).toBe(true);
    await queue.close();
    expect(await introductions("example-session")).toEqual(INTRODUCED);
  });

  const startTwilio = async () => {
    const port = await freePort();
    const child = start("twilio.ts", { AUTH_TOKEN, PORT: port, HOST: "relay.example" });
    const answer = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/`)).text();
    return { port, child, answer, twiml: await vi.waitFor(answer, PATIENCE_MS) };
  };

  test.each(["nobody", "Twilio"])(
    "twilio.ts lives on when what %s signed breaks the protocol",
    async (who) => {
      const { port, child, answer } = await startTwilio();
      const token = who === "Twilio" ? AUTH_TOKEN : "another";
      const headers = {
        Host: "relay.example",
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": Buffer.alloc(16).toString("base64"),
        "X-Twilio-Signature": twilio.getExpectedTwilioSignature(token, "wss://relay.example/call", {}),
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const socket = dial(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      const closed = once(socket, "close");
      const frame = Buffer.alloc(8, 0xff);
      socket.write(Buffer.concat([Buffer.from(`GET /call HTTP/1.1\r\n${lines.join("")}\r\n`), frame]));
      socket.resume();
      await closed;
      expect(await answer()).toContain("ConversationRelay");
      expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    },
  );

  test("twilio.ts answers a call", async () => {
    const { port, twiml } = await startTwilio();
    const id = /wss:\/\/relay\.example\/([0-9a-f-]{36})/.exec(twiml)?.[1] ?? "";
    const signature = twilio.getExpectedTwilioSignature(AUTH_TOKEN, `wss://relay.example/${id}`, {});
    await call({ port, path: `/${id}`, signature, twiml }, { cuts: 0, tells: "tokens" });
    await vi.waitFor(async () => expect(await introductions(id)).toEqual(INTRODUCED), PATIENCE_MS);
  });
});
