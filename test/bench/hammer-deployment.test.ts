// Whether a deployment can be hammered is known before it is: its address, and each key's two scopes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CannotStart, readKeys } from "../../bench/hammer/deployment.ts";
import { readOptions } from "../../bench/hammer/options.ts";
import { type Listening, listen } from "../../host/server/http-server.ts";

const folder = mkdtempSync(join(tmpdir(), "hammer-test-"));
const keysFor = (url: string, ...keys: string[]) =>
  readKeys(
    readOptions(["--url", url, ...keys.flatMap((key) => ["--key", key])]) ?? expect.fail("there are options"),
  );

describe("a deployment", () => {
  let service: Listening;
  /** Every key may do what its name says, and nothing else. */
  beforeAll(async () => {
    service = await listen(({ url, method, headers: { authorization = "" } }) => {
      if (url === "/v1/metachain") return { status: 200, body: "{}" };
      const isAllowed = authorization.includes(method === "POST" ? "attest" : "report");
      if (!isAllowed) return { status: 403, body: JSON.stringify({ detail: "the key lacks a scope" }) };
      return method === "POST" ? { status: 400, body: "{}" } : { status: 200, body: '{"chains":[]}' };
    });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  test("is called with keys that may record and read, as text or from a file", async () => {
    const file = join(folder, "key");
    writeFileSync(file, "attest+report\n");
    expect(await keysFor(service.url, "report+attest", `@${file}`)).toEqual([
      "report+attest",
      "attest+report",
    ]);
  });

  test.each([
    [["attest+report", "attest"], "key 2 can't read reports: "],
    [["report"], "key 1 can't record disclosures: the answer is 403"],
    [[`@${folder}/nothing`], "can't be called: "],
  ])("is not called with %j", async (keys, line) => {
    const refused = await keysFor(service.url, ...keys).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CannotStart);
    expect(String(refused)).toContain(line);
  });

  test("is not called where nothing answers, nor elsewhere in clear text", async () => {
    const { url, close } = await listen(() => ({ status: 200 }));
    await close();
    await expect(keysFor(url, "attest+report")).rejects.toThrow(`${url} can't be called: `);
    await expect(keysFor("http://receipts.invalid", "attest+report")).rejects.toThrow(
      "can't be called: the service's address is an https URL",
    );
  });
});

test("a service on this machine has its own keys", async () => {
  expect(await readKeys(readOptions([]) ?? expect.fail("there are options"))).toEqual([]);
});
