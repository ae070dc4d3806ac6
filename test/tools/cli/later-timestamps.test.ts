// Roots that were published without a timestamp, which came later as a file of its own.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PENDING_TIMESTAMP, type Seal, type TsaTimestamp } from "../../../evidence/core/formats/metachain.ts";
import { ANCHORS, newFolder, readJson, receipts, vector } from "./command-line.ts";
import { type MetachainServer, serveMetachain, type Trick } from "./metachain-server.ts";

const WITH_ANCHORS = ["--tsa-ca", ANCHORS];
const SEAL = readJson<Seal>(vector("seals/1.json"));
const LATER = "v1/metachain/timestamps/1/0";
const OF_ANOTHER_ROOT = readJson<Seal>(vector("seals/2.json")).tsa_timestamp;

/** Root 1 without its token, and that token, or another, as the first that came later. */
const lateToken =
  (timestamp = SEAL.tsa_timestamp): Trick =>
  (path, response) => {
    const bodies: Record<string, object> = {
      "/v1/metachain/roots/1": { ...SEAL, tsa_timestamp: PENDING_TIMESTAMP },
      [`/${LATER}`]: timestamp,
    };
    const body = bodies[path];
    if (body === undefined) return false;
    response.writeHead(200).end(JSON.stringify(body));
    return true;
  };

const mirror = (server: MetachainServer, folder: string) =>
  receipts("mirror", server.url, folder, ...WITH_ANCHORS);

describe("a timestamp that came after its root", () => {
  test("is verified by an audit, which says how many authorities vouch for how many roots", async () => {
    const server = await serveMetachain(lateToken());
    const { status, stdout } = await receipts("audit", server.url, ...WITH_ANCHORS);
    expect(status).toBe(0);
    expect(stdout).toMatch(/timestamps +4 tokens hold$/m);
    expect(stdout).toMatch(/authorities +1 over 4 roots$/m);
    expect(stdout).toContain("verdict: the metachain holds\n");
  });

  test("is missed by an audit where it is not there", async () => {
    const server = await serveMetachain(
      (path, response) => path !== `/${LATER}` && lateToken()(path, response),
    );
    const { status, stdout } = await receipts("audit", server.url, ...WITH_ANCHORS);
    expect(status).toBe(0);
    expect(stdout).toMatch(/authorities +1 over 3 roots, none over 1 root$/m);
    expect(stdout).toContain("holds as far as it could be checked");
  });

  test("is found out by an audit where it covers another root", async () => {
    const server = await serveMetachain(lateToken(OF_ANOTHER_ROOT));
    const { status, stdout } = await receipts("audit", server.url, ...WITH_ANCHORS);
    expect(status).toBe(1);
    expect(stdout).toMatch(/root 1 +timestamp +/);
  });

  test("counts beside those that the root was published with, and must hold as they must", async () => {
    const audit = async (published: TsaTimestamp, later: TsaTimestamp) => {
      const bodies: Record<string, object> = {
        "/v1/metachain/roots/1": { ...SEAL, additional_timestamps: [published] },
        [`/${LATER}`]: later,
      };
      const server = await serveMetachain((path, response) => {
        if (bodies[path] === undefined) return false;
        response.writeHead(200).end(JSON.stringify(bodies[path]));
        return true;
      });
      return receipts("audit", server.url, ...WITH_ANCHORS);
    };
    const good = SEAL.tsa_timestamp;
    expect((await audit(good, good)).stdout).toMatch(/timestamps +6 tokens hold$/m);
    for (const ended of [await audit(good, OF_ANOTHER_ROOT), await audit(OF_ANOTHER_ROOT, good)]) {
      expect(ended.status).toBe(1);
      expect(ended.stdout).toMatch(/root 1 +additional_timestamps +/);
    }
  });

  test("is copied by a mirror, which an audit of the folder finds whole", async () => {
    const [server, folder] = [await serveMetachain(lateToken()), newFolder()];
    expect((await mirror(server, folder)).status).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, LATER), "utf8"))).toEqual(SEAL.tsa_timestamp);
    const { stdout } = await receipts("audit", folder, ...WITH_ANCHORS);
    expect(stdout).toContain("verdict: the metachain holds\n");
  });

  test("is copied by a later run, where the root is in the folder already", async () => {
    const [server, folder] = [await serveMetachain(lateToken()), newFolder()];
    await mirror(server, folder);
    rmSync(join(folder, LATER));
    expect((await mirror(server, folder)).stdout).toContain("4 roots, 0 of them new");
    expect(existsSync(join(folder, LATER))).toBe(true);
  });

  test("is never copied where it covers another root: that is an alarm", async () => {
    const [server, folder] = [await serveMetachain(lateToken(OF_ANOTHER_ROOT)), newFolder()];
    const { status, stderr } = await mirror(server, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("ALARM: root 1 does not hold: timestamp")]);
    expect(existsSync(join(folder, LATER))).toBe(false);
  });

  test.each([
    ["another", (file: string) => writeFileSync(file, "{}"), "differs from the one that is published"],
    ["gone", () => {}, "is in the folder, and no longer published"],
  ])("raises an alarm where the published one is %s", async (kind, change, message) => {
    const [server, folder] = [await serveMetachain(lateToken()), newFolder()];
    await mirror(server, folder);
    change(join(folder, LATER));
    if (kind === "gone")
      server.trick = (path, response) => path !== `/${LATER}` && lateToken()(path, response);
    const { status, stderr } = await mirror(server, folder);
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`ALARM: ${LATER} .*${message}`));
  });
});
