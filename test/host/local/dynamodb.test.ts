// The local DynamoDB as a part of its process: it keeps what it answered, ends when its process does, and shares no file.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { expect, onTestFinished, test } from "vitest";
import { startDynamoDb } from "../../../host/local/dynamodb.ts";
import { listen } from "../../../host/server/http-server.ts";
import { tableSchema } from "../../../service/table/table-schema.ts";
import { COMPILED } from "../../support/compiled.ts";
import { testFolder } from "./folder.ts";

const WRITERS = 8;
const KILLS = 2;

function clientOf(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint, region: "local", credentials, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return client;
}

/** A process that serves `file` and says where. `more` is the rest of its program, which knows `endpoint`. */
function ownerOf(file: string, more = "") {
  const module = new URL("../../../host/local/dynamodb.ts", import.meta.url).href;
  const script = `import { startDynamoDb } from "${module}";
    const { endpoint } = await startDynamoDb({ file: ${JSON.stringify(file)} });
    console.log(endpoint);
    ${more}`;
  const owner = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    env: { ...process.env, ...COMPILED },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void owner.kill("SIGKILL"));
  const lines = createInterface(owner.stdout);
  const kill = async () => {
    const ended = once(owner, "close");
    owner.kill("SIGKILL");
    await ended;
  };
  return { lines, kill, endpoint: once(lines, "line").then(([line]) => String(line)) };
}

const TableName = "things";
const item = { pk: { S: "a" }, sk: { S: "b" }, value: { B: Uint8Array.of(0, 255) } };
const Key = { pk: item.pk, sk: item.sk };

test("what was written before a close is there after the next start", async () => {
  const file = join(testFolder(), "dynamodb.sqlite");
  const first = await startDynamoDb({ file });
  const writer = clientOf(first.endpoint);
  await writer.send(new CreateTableCommand(tableSchema(TableName)));
  await writer.send(new PutItemCommand({ TableName, Item: item }));
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  await first.close();
  expect(await first.exited).toBe("the local DynamoDB ended");
  await expect(fetch(first.endpoint)).rejects.toThrow();

  const second = await startDynamoDb({ file });
  onTestFinished(second.close);
  const { Item } = await clientOf(second.endpoint).send(new GetItemCommand({ TableName, Key }));
  expect(Item).toEqual(item);
});

/** Writes pairs in transactions, all writers at once, and says each pair that was answered. */
const WRITE_PAIRS = `
  const headers = { "x-amz-target": "DynamoDB_20120810.TransactWriteItems" };
  const put = (pk, sk) => ({ Put: { TableName: "${TableName}", Item: { pk: { S: pk }, sk: { S: sk } } } });
  const write = async (pk) => {
    const TransactItems = [put(pk, "1"), put(pk, "2")];
    const { ok } = await fetch(endpoint, { method: "POST", headers, body: JSON.stringify({ TransactItems }) });
    if (ok) console.log(pk);
  };
  const writer = async () => { for (;;) await write(crypto.randomUUID()); };
  for (let i = 0; i < ${WRITERS}; i++) writer();`;

test("kill -9 amid writes takes the engine along, loses nothing that it answered, and leaves no half of a transaction", async () => {
  const file = join(testFolder(), "d");
  const made = await startDynamoDb({ file });
  await clientOf(made.endpoint).send(new CreateTableCommand(tableSchema(TableName)));
  await made.close();
  const answered: string[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const owner = ownerOf(file, WRITE_PAIRS);
    const endpoint = await owner.endpoint;
    for await (const pk of owner.lines) {
      answered.push(pk);
      if (answered.length === 2 * WRITERS * kill) await owner.kill();
    }
    await expect(fetch(endpoint)).rejects.toThrow();
  }
  const { endpoint, close } = await startDynamoDb({ file });
  onTestFinished(close);
  const pairs = new Map<string, number>();
  for await (const { Items = [] } of paginateScan({ client: clientOf(endpoint) }, { TableName })) {
    for (const { pk } of Items) pairs.set(pk?.S ?? "", (pairs.get(pk?.S ?? "") ?? 0) + 1);
  }
  expect(answered.filter((pk) => !pairs.has(pk))).toEqual([]);
  expect(new Set(pairs.values())).toEqual(new Set([2]));
});

test("a file that another process has open is not opened, until that one has ended", async () => {
  const file = join(testFolder(), "d");
  const owner = ownerOf(file);
  await owner.endpoint;
  await expect(startDynamoDb({ file })).rejects.toMatchObject({
    code: "misconfigured",
    message: expect.stringMatching(/did not start: .*another process has the file open/),
  });
  await owner.kill();
  const { close } = await startDynamoDb({ file });
  await close();
});

test("an item that has ended is deleted some time after, and one that ends later or never is not", async () => {
  const file = join(testFolder(), "d");
  const first = await startDynamoDb({ file });
  const client = clientOf(first.endpoint);
  await client.send(new CreateTableCommand(tableSchema(TableName)));
  const TimeToLiveSpecification = { Enabled: true, AttributeName: "ends" };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const now = Math.floor(Date.now() / 1_000);
  const ends = {
    past: String(now - 60),
    future: String(now + 3_600),
    milliseconds: String(now * 1_000),
    ancient: "1",
  };
  for (const [sk, N] of Object.entries(ends)) {
    await client.send(new PutItemCommand({ TableName, Item: { ...Key, sk: { S: sk }, ends: { N } } }));
  }
  await client.send(new PutItemCommand({ TableName, Item: { ...Key, sk: { S: "text" }, ends: { S: "1" } } }));
  await client.send(new PutItemCommand({ TableName, Item: { ...Key, sk: { S: "never" } } }));
  await first.close();
  const second = await startDynamoDb({ file });
  onTestFinished(second.close);
  const names: (string | undefined)[] = [];
  for await (const { Items = [] } of paginateScan({ client: clientOf(second.endpoint) }, { TableName })) {
    names.push(...Items.map(({ sk }) => sk?.S));
  }
  expect(names).toEqual(["ancient", "future", "milliseconds", "never", "text"]);
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
    message: expect.stringMatching(/did not start: unable to open database file/),
  });
});

test("a given port that is taken is an error, not another port, and leaves the file free", async () => {
  const other = await listen(() => ({ status: 404 }));
  onTestFinished(other.close);
  const file = join(testFolder(), "d");
  await expect(startDynamoDb({ file, port: other.port })).rejects.toMatchObject({ code: "misconfigured" });
  const { close } = await startDynamoDb({ file });
  await close();
});
