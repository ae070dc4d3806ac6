// A mirror of a log that states sizes: none of them decides how much is fetched before a root is checked.
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../host/server/http-server.ts";
import { newFolder, readJson, receipts, vector } from "./command-line.ts";

const ENDLESS = 2 ** 50;

test("a root of more entries than any log adds ends it, and no entries are fetched for it", async () => {
  const root = { ...readJson<object>(vector("seals/0.json")), tree_size: ENDLESS };
  const head = { size: 1, latest: root, roots: "/v1/metachain/roots/{index}", log: null };
  const files: string[] = [];
  const { url, close } = await listen(({ url: path = "" }) => {
    if (path === "/v1/metachain") return { status: 200, body: JSON.stringify(head) };
    if (path === "/v1/metachain/roots/0") return { status: 200, body: JSON.stringify(root) };
    if (!path.includes("/tile/")) return { status: 404 };
    files.push(path);
    return { status: 200, body: new Uint8Array(256 * 32) };
  });
  onTestFinished(close);
  const { status, stderr } = await receipts("mirror", url, newFolder());
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^ALARM: root 0 adds 1125899906842624 entries: /),
  ]);
  // The last files of the tree were looked for, which tells how far its files have come.
  expect(files.filter((path) => path.includes("/entries/"))).toEqual([]);
});
