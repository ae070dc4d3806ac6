import type { IncomingMessage } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { withFullDiskNamed } from "../../../host/local/full-disk.ts";

const REQUEST = {} as IncomingMessage;

/** SQLite's own error, of a database that may have no more pages than it has. */
function writeTooMuch(): never {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t (x BLOB) STRICT; PRAGMA max_page_count = 2;");
  database.exec("INSERT INTO t VALUES (zeroblob(1000000))");
  expect.unreachable("the database took more than it may");
}

test("a full disk is named once for many writes, each of which is answered with an error", async () => {
  const lines: string[] = [];
  const handler = withFullDiskNamed(writeTooMuch, "ledger.sqlite", (line) => void lines.push(line));
  for (let i = 0; i < 3; i++) expect(await handler(REQUEST)).toEqual({ status: 500 });
  expect(lines).toEqual([
    "the disk of ledger.sqlite is full: calls are refused, and nothing that was recorded is lost; free some space",
  ]);
});

test("any other error is left as it is, and an answer too", async () => {
  const failure = new Error("of another kind");
  const say = () => expect.unreachable("nothing is said of the disk");
  const failing = withFullDiskNamed(() => Promise.reject(failure), "ledger.sqlite", say);
  await expect(failing(REQUEST)).rejects.toBe(failure);
  expect(await withFullDiskNamed(() => ({ status: 503 }), "ledger.sqlite", say)(REQUEST)).toEqual({
    status: 503,
  });
});
