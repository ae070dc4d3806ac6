import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  ANCHORS,
  type Ended,
  fileWith,
  metachainFolder,
  newFolder,
  program,
  readJson,
  receipts,
  SEALS,
  start,
  vector,
} from "./command-line.ts";
import { replace, serveMetachain, slowly } from "./metachain-server.ts";

interface Report {
  readonly verdict: string;
  readonly size: number;
  readonly roots: number;
  readonly gaps: number;
  readonly paths: number;
  readonly tokens: number;
  readonly unchecked: number;
  readonly unanchored: number;
  readonly receipts: number;
  readonly fault_count: number;
  readonly faults: readonly {
    readonly index: number | null;
    readonly check: string;
    readonly detail: string;
  }[];
}

const WITH_ANCHORS = ["--tsa-ca", ANCHORS];
const HEAD = "v1/metachain/index.json";
const rootFile = (folder: string, index: number): string => join(folder, `v1/metachain/roots/${index}`);
const reportOf = ({ stdout }: Ended): Report => JSON.parse(stdout) as Report;

const audit = async (...args: string[]): Promise<Report & { status: number | null }> => {
  const ended = await receipts("audit", ...args, ...WITH_ANCHORS, "--json");
  return { ...reportOf(ended), status: ended.status };
};

const faultsOf = ({ faults }: Report): string[] => faults.map(({ index, check }) => `${index} ${check}`);

describe.concurrent("audit", () => {
  test("visits every root of a service and ends with a table and status 0", async () => {
    const server = await serveMetachain();
    const { status, stdout, stderr } = await program("audit", server.url, ...WITH_ANCHORS);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ {2}roots +4 of 4$/m);
    expect(stdout).toMatch(/^ {2}entries +7 of 7 lead to their roots$/m);
    expect(stdout).toMatch(/^ {2}consistency +3 paths hold$/m);
    expect(stdout).toMatch(/^ {2}timestamps +4 tokens hold$/m);
    expect(stdout).toMatch(/^ {2}gaps +none$/m);
    expect(stdout).toMatch(/^ {2}head +is the last root$/m);
    expect(stdout).toMatch(/^verdict: the metachain holds$/m);
    expect(server.asked.sort()).toEqual(
      [
        "/v1/metachain",
        "/v1/metachain/checkpoint",
        ...[0, 1, 2, 3].map((index) => `/v1/metachain/roots/${index}`),
        // The last tile is asked for once more, to see that the newest root's files are there.
        ...["0/000.p/7", "0/000.p/7", "entries/000.p/7"].map((path) => `/v1/metachain/tile/${path}`),
        ...[0, 1, 2, 3].map((index) => `/v1/metachain/timestamps/${index}/0`),
        "/v1/policy",
        "/v1/policy/index.json",
      ].sort(),
    );
  });

  test("reads a mirror's folder, and says so when no token could be checked", async () => {
    const { status, stdout } = await receipts("audit", metachainFolder());
    expect(status).toBe(0);
    expect(stdout).toContain("0 tokens hold, those of 4 roots were not checked");
    expect(stdout).toContain("holds as far as it could be checked");
  });

  test("finds the head of a mirror on a host that knows no index files", async () => {
    const server = await serveMetachain(replace(/metachain$/, "<html>a list of files</html>"));
    server.trick = (path, response) =>
      replace(/metachain$/, "<html>a list of files</html>")(path, response) ||
      replace(/metachain\/index\.json$/, readFileSync(join(metachainFolder(), HEAD), "utf8"))(path, response);
    expect(await audit(server.url)).toMatchObject({ status: 0, roots: SEALS, verdict: "holds" });
  });

  test("holds for a metachain without a single root", async () => {
    expect(await audit(metachainFolder(0))).toMatchObject({ status: 0, size: 0, roots: 0 });
  });

  test("finds a gap, and goes on behind it", async () => {
    const folder = metachainFolder();
    rmSync(rootFile(folder, 1));
    const report = await audit(folder);
    expect(report).toMatchObject({ status: 1, roots: 3, gaps: 1, verdict: "does_not_hold" });
    expect(faultsOf(report)).toEqual(["1 published"]);
  });

  test("finds a root that does not extend the one before", async () => {
    const folder = metachainFolder();
    copyFileSync(vector("damaged/seal-merkle_root.json"), rootFile(folder, 2));
    expect(faultsOf(await audit(folder))).toEqual([
      "2 consistency",
      "2 timestamp",
      "2 entries",
      "3 previous_seal",
    ]);
  });

  test("ends with 3 where the tokens are of another authority than the certificates given, which is no fault of theirs", async () => {
    const other = ["--tsa-ca", vector("authorities/other.pem")];
    const report = await receipts("audit", metachainFolder(), "--json", ...other);
    expect([report.status, reportOf(report)]).toMatchObject([
      3,
      { verdict: "holds_so_far", faults: [], unanchored: SEALS },
    ]);
    const { stdout } = await receipts("audit", metachainFolder(), ...other);
    expect(stdout).toContain("The tokens of 4 roots lead to none of the certificates used.");
  });

  test.each([
    [[], 0],
    [["--strict"], 3],
    [["--strict", ...WITH_ANCHORS], 0],
  ])(
    "with %j and tokens of an authority that this program does not know ends with %i",
    async (args, status) => {
      expect((await receipts("audit", metachainFolder(), ...args)).status).toBe(status);
    },
  );

  test("finds a head that is not the last root", async () => {
    const folder = metachainFolder();
    const head = readJson<{ latest: object }>(join(folder, HEAD));
    writeFileSync(
      join(folder, HEAD),
      JSON.stringify({ ...head, latest: { ...head.latest, receipt_count: 99 } }),
    );
    expect(faultsOf(await audit(folder))).toEqual(["null head"]);
  });

  test("says of a head only what it has seen: it claims more roots than are asked for", async () => {
    const folder = metachainFolder();
    const { latest } = readJson<{ latest: object }>(join(folder, HEAD));
    const head = {
      size: 250,
      latest: { ...latest, index: 249 },
      roots: "/v1/metachain/roots/{index}",
      log: null,
    };
    writeFileSync(join(folder, HEAD), JSON.stringify(head));
    const { status, stdout } = await receipts("audit", folder);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ {2}gaps +100 roots are missing$/m);
    expect(stdout).toMatch(/^ {2}head +is not the last root$/m);
  });

  test.each(["{}", "[", "<html>"])("finds a root that can't be read: %s", async (content) => {
    const folder = metachainFolder();
    writeFileSync(rootFile(folder, 3), content);
    expect(faultsOf(await audit(folder))).toContain("3 published");
  });

  test("ends with 2 where there is no metachain", async () => {
    expect((await receipts("audit", newFolder())).status).toBe(2);
    const server = await serveMetachain(replace(/./, "not here", 404));
    const { status, stderr } = await receipts("audit", server.url);
    expect(status).toBe(2);
    expect(stderr).toContain("no metachain is published");
  });

  test("tries again what fails for a moment", async () => {
    let failures = 2;
    const server = await serveMetachain((path, response) => {
      if (!path.endsWith("/2") || failures-- <= 0) return false;
      response.writeHead(503, { "retry-after": "0" }).end();
      return true;
    });
    expect(await audit(server.url)).toMatchObject({ status: 0, roots: SEALS });
  });
});

describe("audit --state", () => {
  const newState = (): string => join(newFolder(), "state.json");

  test("visits only new roots the next time, and one to see that nothing was rewritten", async () => {
    const [server, state] = [await serveMetachain(), newState()];
    server.size = 3;
    expect(await audit(server.url, "--state", state)).toMatchObject({ status: 0, roots: 3 });
    server.size = 4;
    server.asked.length = 0;
    expect(await audit(server.url, "--state", state)).toMatchObject({
      status: 0,
      roots: 4,
      paths: 3,
      tokens: 4,
    });
    expect(server.asked.filter((path) => !path.includes("/tile/"))).toEqual([
      "/v1/metachain",
      "/v1/metachain/checkpoint",
      "/v1/metachain/roots/2",
      "/v1/metachain/roots/3",
      "/v1/metachain/timestamps/3/0",
      "/v1/policy",
      "/v1/policy/index.json",
    ]);
  });

  test("goes on where it was when it is killed", async () => {
    const state = newState();
    const server = await serveMetachain((path) =>
      path.endsWith("/3") ? new Promise<boolean>(() => {}) : false,
    );
    const killed = start(["audit", server.url, ...WITH_ANCHORS, "--state", state]);
    while (!server.asked.some((path) => path.endsWith("/3"))) await delay(10);
    killed.kill();
    expect((await killed.ended).status).toBeNull();
    server.trick = slowly(0);
    expect(await audit(server.url, "--state", state)).toMatchObject({
      status: 0,
      roots: 4,
      paths: 3,
      tokens: 4,
    });
  });

  test("keeps what it found when the metachain fails half-way, and ends with 2", async () => {
    const state = newState();
    const server = await serveMetachain(replace(/roots\/2$/, "", 403));
    const { status, stderr } = await receipts("audit", server.url, ...WITH_ANCHORS, "--state", state);
    expect([status, stderr]).toEqual([2, expect.stringContaining("the answer is 403")]);
    expect(readJson(state)).toMatchObject({ next: 2, tally: { roots: 2 } });
    server.trick = slowly(0);
    expect(await audit(server.url, "--state", state)).toMatchObject({ status: 0, roots: 4, tokens: 4 });
  });

  test("finds that the last root was replaced, or that the log became shorter", async () => {
    const [folder, state] = [metachainFolder(), newState()];
    await audit(folder, "--state", state);
    const seal = readJson<object>(rootFile(folder, 3));
    writeFileSync(rootFile(folder, 3), JSON.stringify({ ...seal, receipt_count: 99 }));
    expect(faultsOf(await audit(folder, "--state", state))).toEqual(["3 history"]);
    writeFileSync(join(folder, HEAD), readFileSync(join(metachainFolder(2), HEAD)));
    expect(faultsOf(await audit(folder, "--state", state))).toContain("null head");
  });

  test("does not forget a fault", async () => {
    const [folder, state] = [metachainFolder(), newState()];
    const good = readFileSync(rootFile(folder, 1));
    rmSync(rootFile(folder, 1));
    expect(await audit(folder, "--state", state)).toMatchObject({ status: 1, gaps: 1 });
    writeFileSync(rootFile(folder, 1), good);
    expect(await audit(folder, "--state", state)).toMatchObject({ status: 1, gaps: 1 });
  });

  test("refuses the state of another metachain, of other certificates, and what is none", async () => {
    const [folder, state] = [metachainFolder(), newState()];
    await audit(folder, "--state", state);
    const run = async (...args: string[]): Promise<[number | null, string]> => {
      const { status, stderr } = await receipts("audit", ...args);
      return [status, stderr];
    };
    const other = ["--tsa-ca", vector("authorities/other.pem")];
    expect(await run(metachainFolder(), ...WITH_ANCHORS, "--state", state)).toEqual([
      2,
      expect.stringContaining("of another metachain"),
    ]);
    expect(await run(folder, ...other, "--state", state)).toEqual([
      2,
      expect.stringContaining("with other certificates"),
    ]);
    expect(await run(folder, "--state", fileWith("{}"))).toEqual([
      2,
      expect.stringContaining("not the state of an audit"),
    ]);
    const damaged = fileWith(JSON.stringify({ ...readJson<object>(state), tally: { roots: "1" } }));
    expect(await run(folder, ...WITH_ANCHORS, "--state", damaged)).toEqual([
      2,
      expect.stringContaining("is damaged"),
    ]);
  });
});
