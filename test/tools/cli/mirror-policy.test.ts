// The wording policy in a mirror and in an audit: every listed layer under its hash, and none that leaves its list.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ANCHORS,
  type Ended,
  metachainFolder,
  newFolder,
  readJson,
  receipts,
  vector,
} from "./command-line.ts";
import { type MetachainServer, serveMetachain } from "./metachain-server.ts";
import {
  LAYERS,
  layerOf,
  type PolicyFiles,
  policyFiles,
  withPolicy,
  writePolicy,
} from "./published-policy.ts";

const [FIRST, SECOND] = [layerOf("2026-07-31.1"), layerOf("2026-11-22.1")];
const INDEX = "v1/policy/index.json";

const serve = (files: PolicyFiles = policyFiles()): Promise<MetachainServer> =>
  serveMetachain(withPolicy(files));
const mirror = (server: MetachainServer, folder: string, ...more: string[]): Promise<Ended> =>
  receipts("mirror", server.url, folder, "--tsa-ca", ANCHORS, ...more);
const audit = (place: string, ...more: string[]): Promise<Ended> =>
  receipts("audit", place, "--tsa-ca", ANCHORS, ...more);
const textIn = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8");

/** The policy with one of its lists changed. */
function withList(path: string, change: (list: Record<string, unknown>) => object): PolicyFiles {
  const files = policyFiles();
  return files.set(path, JSON.stringify(change(JSON.parse(files.get(path) ?? ""))));
}

describe.concurrent("mirror", () => {
  test("copies every listed layer under its hash, the lists and the index, byte for byte", async () => {
    const [files, folder] = [policyFiles(), newFolder()];
    const { status, stdout } = await mirror(await serve(files), folder);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining("wording policy: 2 layers, 2 of them new\n"),
    ]);
    for (const path of [FIRST, SECOND, "v1/policy/DE"]) expect(textIn(folder, path)).toBe(files.get(path));
    expect(textIn(folder, INDEX)).toBe(files.get("v1/policy"));
  });

  test("goes on where a layer was published since, and asks with --new for that one alone", async () => {
    const [server, folder] = [await serve(policyFiles(LAYERS.slice(0, 1))), newFolder()];
    await mirror(server, folder);
    server.trick = withPolicy(policyFiles());
    server.asked.length = 0;
    const { status, stdout } = await mirror(server, folder, "--new");
    expect([status, stdout]).toEqual([0, expect.stringContaining("2 layers, 1 of them new")]);
    const asked = server.asked.filter((path) => path.startsWith("/v1/policy"));
    expect(asked).toEqual(["/v1/policy", "/v1/policy/DE", `/${SECOND}`]);
  });

  test("copies the current layer from the index where a cache shows an older list", async () => {
    const [files, folder] = [policyFiles(), newFolder()];
    files.set("v1/policy/DE", policyFiles(LAYERS.slice(0, 1)).get("v1/policy/DE") ?? "");
    expect((await mirror(await serve(files), folder)).status).toBe(0);
    expect(textIn(folder, SECOND)).toBe(files.get(SECOND));
  });

  test("makes a folder in which verify finds the layer that a receipt names", async () => {
    const layer = readJson<{ jurisdiction: string; version: string }>(vector("layers/example.json"));
    const folder = newFolder();
    await mirror(await serve(policyFiles([layer])), folder);
    const ended = await receipts("verify", vector("policy/allow.json"), "--metachain", folder, "--json");
    const [{ checks = [] } = {}] = (JSON.parse(ended.stdout) as { files: { checks: { name: string }[] }[] })
      .files;
    expect(checks.filter(({ name }) => name === "policy")).toMatchObject([
      { ok: true, detail: `the layer DE ${layer.version} gives ALLOW` },
    ]);
  });

  test("makes a folder that is a source of the same policy, also behind a host without index files", async () => {
    const [folder, copy] = [newFolder(), newFolder()];
    await mirror(await serve(), folder);
    expect((await receipts("mirror", folder, copy, "--tsa-ca", ANCHORS)).status).toBe(0);
    const plain = policyFiles();
    plain.set(INDEX, plain.get("v1/policy") ?? "").set("v1/policy", "<html>a list of files</html>");
    const host = await serve(plain);
    expect((await mirror(host, copy)).status).toBe(0);
    expect((await audit(copy)).stdout).toContain("2 of 2 layers published under their hashes");
  });
});

describe.concurrent("mirror raises an alarm, with status 1, and keeps the lists that it has", () => {
  test.each<[string, PolicyFiles, string]>([
    [
      "a former layer leaves its list",
      policyFiles(LAYERS.slice(1)),
      "was listed before, and is not any more",
    ],
    [
      "the list of a country is gone",
      new Map([...policyFiles()].filter(([path]) => path !== "v1/policy/DE")),
      "v1/policy/DE is not published",
    ],
    ["the whole policy is gone", new Map(), "v1/policy was published before, and is not any more"],
    [
      "a layer is told with another time",
      withList("v1/policy/DE", ({ layers, ...list }) => ({
        ...list,
        layers: (layers as object[]).map((layer) => ({ ...layer, published_at: "2026-11-23T00:00:00.000Z" })),
      })),
      "was published at another time before",
    ],
    ["a layer has other bytes", policyFiles().set(FIRST, "{}"), `${FIRST} in the folder differs`],
  ])("where %s", async (_, changed, sentence) => {
    const [server, folder] = [await serve(), newFolder()];
    await mirror(server, folder);
    server.trick = withPolicy(changed);
    const before = [INDEX, "v1/policy/DE", FIRST, SECOND].map((path) => textIn(folder, path));
    const { status, stderr } = await mirror(server, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect([INDEX, "v1/policy/DE", FIRST, SECOND].map((path) => textIn(folder, path))).toEqual(before);
  });

  test.each<[string, PolicyFiles, string]>([
    ["hashes to another name", policyFiles().set(FIRST, "{}"), "holds other bytes than those of its name"],
    [
      "is not there",
      new Map([...policyFiles()].filter(([path]) => path !== FIRST)),
      "is listed, and not published",
    ],
    [
      "is of another version than its list says",
      withList("v1/policy/DE", ({ layers, ...list }) => ({
        ...list,
        layers: (layers as object[]).map((layer) => ({ ...layer, version: "2030-01-01.1" })),
      })),
      "is not version 2030-01-01.1 of DE",
    ],
  ])("where a layer %s, which gets no name", async (_, files, sentence) => {
    const folder = newFolder();
    const { status, stderr } = await mirror(await serve(files), folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect([FIRST, INDEX].map((path) => existsSync(join(folder, path)))).toEqual([false, false]);
  });

  test("where the index names a file of the reader's machine in place of a country", async () => {
    const files = withList("v1/policy", (index) => ({
      ...index,
      jurisdictions: [{ ...(index.jurisdictions as object[])[0], jurisdiction: "../../../escaped" }],
    }));
    const [server, folder] = [await serve(files), newFolder()];
    const { status, stderr } = await mirror(server, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("which is no country")]);
    expect(server.asked.filter((path) => path.includes("escaped"))).toEqual([]);
  });
});

describe.concurrent("audit", () => {
  test("counts the layers that are published under their hashes", async () => {
    const ended = await audit((await serve()).url, "--json");
    expect([ended.status, JSON.parse(ended.stdout)]).toMatchObject([0, { layers: 2, fault_count: 0 }]);
  });

  test("says that no policy is published, which is no fault", async () => {
    const { status, stdout } = await audit(metachainFolder());
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^ {2}wording policy +none is published$/m)]);
  });

  test("names every layer that is missing or another one", async () => {
    const folder = writePolicy(metachainFolder(), policyFiles().set(FIRST, "{}").set(SECOND, "[]"));
    const { status, stdout } = await audit(folder);
    expect(status).toBe(1);
    expect(stdout.match(/wording policy +layers/g)).toHaveLength(2);
    expect(stdout).toContain("0 of 2 layers published under their hashes");
  });

  test("remembers with --state what was listed, and misses it at every later audit, once told", async () => {
    const [server, state] = [await serve(), join(newFolder(), "state.json")];
    expect((await audit(server.url, "--state", state)).status).toBe(0);
    server.trick = withPolicy(policyFiles(LAYERS.slice(1)));
    for (let time = 0; time < 2; time++) {
      const ended = await audit(server.url, "--state", state, "--json");
      const { faults } = JSON.parse(ended.stdout) as { faults: readonly { detail: string }[] };
      expect(faults.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(/version 2026-07-31\.1 of DE, was listed before, and is not any more$/),
      ]);
    }
    server.trick = withPolicy(new Map());
    const gone = await audit(server.url, "--state", state);
    expect([gone.status, gone.stdout]).toEqual([
      1,
      expect.stringContaining("v1/policy was published before"),
    ]);
  });
});
