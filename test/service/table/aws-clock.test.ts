// The clock of a process, held against the dates of AWS's answers: it is believed within a minute, and not after it was set.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Table } from "../../../service/table/table.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const itemOf = (sk: string) => ({ pk: { S: "p" }, sk: { S: sk } });

describe("the clock of a process", () => {
  /** A table whose every answer is dated `aheadMs` from now and comes after `delayMs`. */
  async function newTable() {
    const told = { aheadMs: 0, delayMs: 0, status: 200 };
    const server = createServer((request, response) => {
      response.setHeader("date", new Date(Date.now() + told.aheadMs).toUTCString());
      response.statusCode = told.status;
      request.resume().on("end", () => setTimeout(() => response.end("{}"), told.delayMs));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const options = { region: "test", endpoint: `http://127.0.0.1:${port}`, credentials, maxAttempts: 1 };
    const [reader, writer] = [new DynamoDBClient(options), new DynamoDBClient(options)];
    onTestFinished(() => {
      for (const client of [reader, writer]) client.destroy();
      server.close();
    });
    const table = new Table({ reader, writer }, "table");
    const ask = () => table.get(itemOf("a"));
    return { told, table, ask, write: () => table.transact([{ put: itemOf("a") }], "token") };
  }

  const MINUTE_MS = 60_000;

  test("that AWS contradicts by more than a minute tells no time, until AWS agrees again", async () => {
    const { told, table, ask, write } = await newTable();
    for (const call of [ask, write]) {
      for (const minutes of [2, -2, 60, -60]) {
        told.aheadMs = minutes * MINUTE_MS;
        await call();
        expect(table.clock, `${minutes} minutes`).toThrow(expect.objectContaining({ code: "clock_off" }));
        told.aheadMs = 0;
        await call();
        expect(Math.abs(table.clock().getTime() - Date.now())).toBeLessThan(1_000);
      }
    }
  });

  test("is our own within a minute, and before AWS has answered", async () => {
    const { told, table, ask } = await newTable();
    expect(Math.abs(table.clock().getTime() - Date.now())).toBeLessThan(1_000);
    for (const seconds of [55, -55]) {
      told.aheadMs = seconds * 1_000;
      await ask();
      expect(Math.abs(table.clock().getTime() - Date.now())).toBeLessThan(1_000);
    }
  });

  test("is contradicted by a refusal too", async () => {
    const { told, table, ask } = await newTable();
    Object.assign(told, { aheadMs: 10 * MINUTE_MS, status: 400 });
    await expect(ask()).rejects.toMatchObject({ code: "ledger_unavailable" });
    expect(table.clock).toThrow(expect.objectContaining({ code: "clock_off" }));
  });

  test("that was set dates nothing before AWS has answered again", async () => {
    const { told, table, ask } = await newTable();
    await ask();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60 * MINUTE_MS });
    onTestFinished(() => void vi.useRealTimers());
    told.aheadMs = -60 * MINUTE_MS;
    await expect(table.confirmedTime()).rejects.toMatchObject({ code: "clock_off" });
    told.aheadMs = 0;
    expect((await table.confirmedTime()).getTime()).toBe(Date.now());
  });

  test("that was set while a call was under way dates nothing before AWS has answered again", async () => {
    const { told, table, ask } = await newTable();
    await ask();
    told.delayMs = 300;
    const underWay = ask();
    await new Promise((resolve) => setTimeout(resolve, 100));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60 * MINUTE_MS });
    onTestFinished(() => void vi.useRealTimers());
    told.aheadMs = -60 * MINUTE_MS;
    await underWay;
    await expect(table.confirmedTime()).rejects.toMatchObject({ code: "clock_off" });
  });

  test("that was off is asked for again by whoever needs the time, and agrees once it is set right", async () => {
    const { told, table, ask } = await newTable();
    told.aheadMs = 10 * MINUTE_MS;
    await ask();
    told.aheadMs = 0;
    // Nobody makes a call of the table's any more: all of them need the time first.
    await vi.waitFor(() => expect(Math.abs(table.clock().getTime() - Date.now())).toBeLessThan(1_000), {
      timeout: PATIENCE_MS,
    });
  });

  test("of a process that was frozen while it waited for an answer is not off", async () => {
    const { told, table, ask } = await newTable();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    told.delayMs = 20;
    const asking = ask();
    await new Promise((resolve) => setTimeout(resolve, 10));
    vi.setSystemTime(Date.now() + 10 * MINUTE_MS);
    await asking;
    expect(table.clock().getTime()).toBe(Date.now());
  });
});
