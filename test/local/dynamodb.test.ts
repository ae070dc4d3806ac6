import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, onTestFinished, test, vi } from "vitest";
import { findEngine, startDynamoDb } from "../../local/dynamodb.ts";
import { listen } from "../../server/http-server.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { testFolder } from "./folder.ts";

function clientOf(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint, region: "local", credentials, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return client;
}

/** The process ids of the engines that serve `file`: Linux shows each command line under /proc. */
function enginesOf(file: string): number[] {
  const serving = (pid: string) => {
    const [binary, ...flags] = commandOf(pid);
    return binary === findEngine() && flags.includes(file);
  };
  return readdirSync("/proc").filter(serving).map(Number);
}

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

const name = { TableName: "things" };
const item = { id: { S: "a" }, value: { B: Uint8Array.of(0, 255) } };

test("what was written before a close is there after the next start", async () => {
  const file = join(testFolder(), "dynamodb.sqlite");
  const first = await startDynamoDb({ file });
  const writer = clientOf(first.endpoint);
  await writer.send(
    new CreateTableCommand({
      ...name,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    }),
  );
  await writer.send(new PutItemCommand({ ...name, Item: item }));
  await first.close();
  await expect(fetch(first.endpoint)).rejects.toThrow();

  const second = await startDynamoDb({ file });
  onTestFinished(second.close);
  const { Item } = await clientOf(second.endpoint).send(
    new GetItemCommand({ ...name, Key: { id: item.id } }),
  );
  expect(Item).toEqual(item);
});

test("kill -9 of its owner ends the engine", async () => {
  const module = new URL("../../local/dynamodb.ts", import.meta.url).href;
  const file = join(testFolder(), "d");
  const script = `import { startDynamoDb } from "${module}";
    await startDynamoDb({ file: ${JSON.stringify(file)} });
    console.log("ready");`;
  const owner = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void owner.kill("SIGKILL"));
  await once(owner.stdout, "data");
  expect(enginesOf(file)).toHaveLength(1);
  owner.kill("SIGKILL");
  await vi.waitFor(() => expect(enginesOf(file)).toEqual([]), PATIENCE_MS);
});

test("an engine that ends by itself is told to its owner", async () => {
  const file = join(testFolder(), "d");
  const { exited, close } = await startDynamoDb({ file });
  for (const pid of enginesOf(file)) process.kill(pid, "SIGKILL");
  expect(await exited).toMatch(/Killed/);
  await close();
});

test("Ctrl-C in the owner's terminal does not end the engine before its owner does", async () => {
  const module = new URL("../../local/dynamodb.ts", import.meta.url).href;
  const script = `import { startDynamoDb } from "${module}";
    const { endpoint, close } = await startDynamoDb({ file: ${JSON.stringify(join(testFolder(), "d"))} });
    process.on("SIGINT", async () => {
      console.log((await fetch(endpoint)).status);
      await close();
      console.log(await fetch(endpoint).catch(() => "ended"));
    });
    console.log("ready");`;
  // A group of its own stands for the terminal's foreground group, which gets the signal as one.
  const owner = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  onTestFinished(() => void owner.kill("SIGKILL"));
  const lines = createInterface(owner.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("ready");
  process.kill(-Number(owner.pid), "SIGINT");
  expect((await lines.next()).value).toBe("200");
  expect((await lines.next()).value).toBe("ended");
  expect((await lines.next()).done).toBe(true);
});

test("close ends the engine even while a request hangs", async () => {
  const dynamoDb = await startDynamoDb({ file: join(testFolder(), "d") });
  const socket = connect(Number(new URL(dynamoDb.endpoint).port), "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf");
  await fetch(dynamoDb.endpoint);
  await dynamoDb.close();
  await expect(fetch(dynamoDb.endpoint)).rejects.toThrow();
});

test("an engine that can't open its database says why", async () => {
  const file = testFolder();
  await expect(startDynamoDb({ file })).rejects.toMatchObject({
    code: "misconfigured",
    message: expect.stringContaining("unable to open database file"),
  });
});

test("a given port that is taken is an error, not another port", async () => {
  const other = await listen(() => ({ status: 404 }));
  onTestFinished(other.close);
  const file = join(testFolder(), "d");
  await expect(startDynamoDb({ file, port: other.port })).rejects.toMatchObject({ code: "misconfigured" });
});

test("a platform without an engine is told of DYNAMODB_ENDPOINT", () => {
  expect(() => findEngine("plan9-mips")).toThrowError(
    expect.objectContaining({
      code: "misconfigured",
      message: expect.stringMatching(/set DYNAMODB_ENDPOINT/),
    }),
  );
});
