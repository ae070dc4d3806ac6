// The operator's commands against a local stack, as `npm start` runs it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalDeployment } from "../../../contract/deployment.ts";
import { readStatusSchema } from "../../../evidence/core/formats/service-status.ts";
import { chainIdOf, fingerprintOf } from "../../../evidence/core/formats/tenant-anchor.ts";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { COMPILED } from "../../support/compiled.ts";
import { FakeWitness } from "../../support/fake-witness.ts";
import { coreIn, withCore } from "../../support/leaf-items.ts";
import { type LocalStack, startLocalStack } from "../../support/local-stack.ts";
import { deleteItem, keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { type Ended, fileWith, newFolder, readJson, receipts } from "./command-line.ts";

const PROGRAM = fileURLToPath(new URL("../../../bin/receipts.ts", import.meta.url));
const API_KEY = /^dr_live_([0-9a-f]{20})_[0-9a-f]{64}\n$/;

let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
});

const admin = (...args: string[]): Promise<Ended> => receipts("admin", ...args, `--local=${stack.dataDir}`);
const adminJson = async <T>(...args: string[]): Promise<T> =>
  JSON.parse((await admin(...args, "--json")).stdout);

/** The name of the only tenant that a test uses. */
let tenants = 0;
async function newTenant(...options: string[]): Promise<string> {
  const name = `tenant-${tenants++}`;
  expect((await admin("tenant", "create", name, ...options)).status).toBe(0);
  return name;
}

async function newKey(tenant: string, ...options: string[]): Promise<{ keyId: string; apiKey: string }> {
  const { status, stdout } = await admin("key", "create", tenant, ...options);
  expect(status).toBe(0);
  const [line = "", keyId = ""] = API_KEY.exec(stdout) ?? [];
  return { keyId, apiKey: line.trim() };
}

const callWith = (apiKey: string): Promise<Response> =>
  new ApiClient({ url: stack.url, apiKey }).post("/v1/attestation", JSON.stringify(disclosure()));

function programIn(dataDir: string, ...args: string[]): { status: number | null; stdout: string } {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...COMPILED };
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: "utf8" });
  return { status, stdout };
}

describe("tenants", () => {
  test("of the local stack are listed, its own among them", async () => {
    const name = await newTenant("--chains", "3", "--plan", "standard");
    const { status, stdout } = await admin("tenant", "list");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}local +local +1 +active +on /m);
    expect(stdout).toMatch(new RegExp(`^ {2}${name} +standard +3 +active +on `, "m"));
  });

  test("without a name get one, and with one are created once", async () => {
    const { tenant_id: id } = await adminJson<{ tenant_id: string }>("tenant", "create");
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    const name = await newTenant("--chains", "2");
    const { stderr: hint } = await admin("tenant", "create", name, "--chains", "2");
    expect(hint).toMatch(
      new RegExp(`^Its first key: disclosure-receipts admin key create ${name} --local=\\S+$`, "m"),
    );
    const first = await adminJson("tenant", "create", name, "--chains", "2");
    expect(await adminJson("tenant", "create", name, "--chains", "2")).toEqual(first);
    const { status, stderr } = await admin("tenant", "create", name, "--chains", "3");
    expect([status, stderr]).toEqual([2, expect.stringContaining("exists already")]);
  });

  test("are shown with a fingerprint, and with the anchor only where it is asked for", async () => {
    const name = await newTenant("--chains", "2");
    const shown = await adminJson<{ fingerprint: string; chain_ids: string[] }>("tenant", "show", name);
    expect(shown.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(shown).not.toHaveProperty("tenant_anchor");
    const { tenant_anchor: anchor } = await adminJson<{ tenant_anchor: string }>(
      "tenant",
      "show",
      name,
      "--anchor",
    );
    expect(fingerprintOf(anchor)).toBe(shown.fingerprint);
    expect(shown.chain_ids).toEqual([0, 1].map((shard) => chainIdOf(anchor, shard)));
    const plain = await admin("tenant", "show", name);
    expect(plain.stdout).toContain(shown.fingerprint);
    expect(plain.stdout + plain.stderr).not.toContain(anchor);
    const { stdout, stderr } = await admin("tenant", "show", name, "--anchor");
    expect(stdout).toContain(anchor);
    expect(stderr).toContain("Whoever has the anchor finds every chain of this tenant");
    expect((await admin("tenant", "list")).stdout).not.toContain(shown.fingerprint);
    expect((await admin("tenant", "list", "--anchor")).status).toBe(2);
  });

  test("that are suspended are refused by the API, until they are resumed", async () => {
    const name = await newTenant();
    const { stdout } = await admin("tenant", "suspend", name);
    expect(stdout).toMatch(/state +suspended 20/);
    const { apiKey } = await newKey(name);
    const refused = await callWith(apiKey);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ detail: "the account is suspended" });
    await admin("tenant", "resume", name);
    expect((await callWith((await newKey(name)).apiKey)).status).toBe(200);
  });

  test("have their stamps in the call switched off and on, and limited", async () => {
    const name = await newTenant();
    const stampingOf = async (value: string) =>
      (await adminJson<{ inline_stamps_per_minute: number | null }>("tenant", "stamping", name, value))
        .inline_stamps_per_minute;
    expect(await stampingOf("off")).toBe(0);
    expect(await stampingOf("90")).toBe(90);
    expect(await stampingOf("on")).toBeNull();
    await stampingOf("off");
    const response = await callWith((await newKey(name)).apiKey);
    expect(await response.json()).toMatchObject({ tsa_timestamp: { status: "pending" } });
  });

  test("change their plan", async () => {
    const name = await newTenant();
    expect((await admin("tenant", "plan", name, "standard")).status).toBe(0);
    expect((await admin("tenant", "list")).stdout).toMatch(new RegExp(`^ {2}${name} +standard `, "m"));
  });
});

describe("keys", () => {
  test("are shown once, alone on standard output, and open what they are for", async () => {
    const name = await newTenant();
    const { status, stdout, stderr } = await admin("key", "create", name, "--scopes", "attest");
    expect(status).toBe(0);
    expect(stdout).toMatch(API_KEY);
    expect(stderr).toContain("This is shown once");
    expect((await callWith(stdout.trim())).status).toBe(200);
    const listed = await admin("key", "list", name);
    expect(listed.stdout).toMatch(new RegExp(`^ {2}${stdout.split("_")[2]} +attest +active`, "m"));
    expect(listed.stdout).not.toContain(stdout.split("_")[3]?.trim());
  });

  test("that are revoked are refused", async () => {
    const name = await newTenant();
    const { keyId, apiKey } = await newKey(name);
    for (let i = 0; i < 2; i++) expect((await admin("key", "revoke", keyId)).status).toBe(0);
    expect((await callWith(apiKey)).status).toBe(403);
    expect((await admin("key", "list", name)).stdout).toMatch(/revoked 20/);
  });

  test("that are rotated have a successor, and an end", async () => {
    const name = await newTenant();
    const { keyId, apiKey } = await newKey(name, "--scopes", "report");
    const rotated = await admin("key", "rotate", keyId, "--grace", "90m");
    expect(rotated.stdout).toMatch(API_KEY);
    expect(rotated.stderr).toContain(`The old key ${keyId} works until `);
    const { keys } = await adminJson<{ keys: { key_id: string; expires_at: string; scopes: string[] }[] }>(
      "key",
      "list",
      name,
    );
    const [old, successor] = keys;
    expect(old?.key_id).toBe(keyId);
    expect(Math.round((Date.parse(old?.expires_at ?? "") - Date.now()) / 60_000)).toBe(90);
    expect(successor).toMatchObject({ expires_at: null, scopes: ["report"] });
    // The old key is known still: it lacks the scope, and nothing else.
    expect(await (await callWith(apiKey)).json()).toMatchObject({ detail: expect.stringContaining("scope") });
  });

  test("end at a day or an instant", async () => {
    const name = await newTenant();
    const { expires_at } = await adminJson<{ expires_at: string }>(
      "key",
      "create",
      name,
      "--expires",
      "2099-02-03",
    );
    expect(expires_at).toBe("2099-02-03T00:00:00.000Z");
    for (const wrong of ["2001-01-01", "tomorrow", "2099-13-01"]) {
      expect((await admin("key", "create", name, "--expires", wrong)).status).toBe(2);
    }
  });
});

describe("status and verify", () => {
  const witnesses: FakeWitness[] = [];
  afterAll(() => Promise.all(witnesses.map(({ stop }) => stop())));

  /** A stack of the test's own, with receipts that are sealed, and a log that is witnessed. */
  async function newSealed() {
    const witness = await new FakeWitness("witness.example/harbor", () => new Date()).start();
    witnesses.push(witness);
    const policy = fileWith(`${witness.policyLine}\nquorum harbor\n`, "witnesses.txt");
    const environment = { SEAL_INTERVAL_SECONDS: "1", WITNESS_POLICY_FILE: policy };
    const own = await startLocalStack({ environment });
    const at = `--local=${own.dataDir}`;
    const api = new ApiClient(own);
    for (let i = 0; i < 5; i++) await api.attest(disclosure({ interaction_id: `call-${i}` }));
    for (;;) {
      const { backlog, seal, log } = JSON.parse((await receipts("admin", "status", at, "--json")).stdout);
      const isSealed = backlog.receipts === 0 && seal?.is_published;
      if (isSealed && log?.checkpoint?.size === seal.tree_size) return { own, at };
    }
  }

  /** The stack's table, past the service. */
  function tableOf({ dataDir }: LocalStack) {
    const { tableName, endpoints, accessKey } = readJson<LocalDeployment>(join(dataDir, "deployment.json"));
    const credentials = { accessKeyId: accessKey, secretAccessKey: "local" };
    const dynamoDb = new DynamoDBClient({ endpoint: endpoints.dynamoDb, region: "local", credentials });
    return { clients: { dynamoDb }, name: tableName } as unknown as Parameters<typeof readItem>[0];
  }

  test("say that all is well, with real tokens, and that all of it holds", async () => {
    const { own, at } = await newSealed();
    const status = await receipts("admin", "status", at);
    expect([status.status, status.stderr]).toEqual([0, ""]);
    const { log } = readStatusSchema.parse(await (await fetch(`${own.url}/v1/status`)).json());
    expect(log).toMatchObject({ status: "published", quorum: { status: "recent" } });
    expect(status.stdout).toMatch(
      /^ {2}last seal +\d+, \d+ seconds? ago, \d+ entr(?:y|ies), (?:not )?published(?: yet)?$/m,
    );
    expect(status.stdout).toMatch(/^ {2}token +holds: http.* certificate until 20/m);
    expect(status.stdout).toMatch(/^ {2}log +localhost\/v1\/metachain$/m);
    expect(status.stdout).toMatch(/^ {2}checkpoint +\d+ entr(?:y|ies), \d+ seconds? ago, with its quorum$/m);
    expect(status.stdout).toMatch(/^ {2}newest quorum +\d+ seconds? ago, 20/m);
    expect(status.stdout).toMatch(/^ {2}witness +harbor: \d+ entr(?:y|ies), \d+ seconds? ago$/m);
    expect(status.stdout).toMatch(/^verdict: all is well$/m);
    const verify = await receipts("admin", "verify", "--macs", at);
    expect([verify.status, verify.stderr]).toEqual([0, ""]);
    expect(verify.stdout).toMatch(/^ {2}log files +\d+$/m);
    expect(verify.stdout).toMatch(/^ {2}receipts +5$/m);
    expect(verify.stdout).toMatch(/^ {2}codes +5 verified$/m);
    expect(verify.stdout).toMatch(/^verdict: all of it holds$/m);
  });

  test("find a damaged leaf, name it, and end with status 1", async () => {
    const { own, at } = await newSealed();
    const table = tableOf(own);
    const leaves = (await keysUnder(table, "chain#")).filter(([pk]) => pk !== "chain#metachain");
    const [, , third = ["", ""]] = leaves;
    const leaf = await readItem(table, third);
    const core = coreIn(leaf);
    await writeItem(table, withCore(leaf, { ...core, disclosure: { ...core.disclosure, modality: "chat" } }));
    const { status, stdout } = await receipts("admin", "verify", at);
    expect(status).toBe(1);
    expect(stdout).toContain(
      `${third[0].replace("chain#", "")}  2  a receipt core does not match its leaf hash`,
    );
    expect(stdout).toMatch(/^verdict: it does not hold$/m);
    const json = await receipts("admin", "verify", "--tenant", "local", at, "--json");
    expect([json.status, JSON.parse(json.stdout)]).toEqual([
      1,
      expect.objectContaining({ verdict: "does_not_hold", fault_count: 1 }),
    ]);
    for (const key of leaves) await deleteItem(table, key);
    const gone = await receipts("admin", "status", at);
    expect([gone.status, gone.stdout]).toEqual([
      1,
      expect.stringContaining("receipts that were sealed are missing"),
    ]);
  });

  test("take the certificates of other authorities where they are given", async () => {
    const { at } = await newSealed();
    const other = fileWith(
      readFileSync(new URL("../../vectors/evidence/authorities/other.pem", import.meta.url)),
    );
    const { status, stdout } = await receipts("admin", "status", at, "--tsa-ca", other);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^ {2}token +does not hold/m)]);
  });

  test("refuse a tenant and a chain that there is not", async () => {
    for (const scope of [
      ["--tenant", "nobody"],
      ["--chain", "0".repeat(32)],
    ]) {
      const { status, stderr } = await admin("verify", ...scope);
      expect([status, stderr]).toEqual([2, expect.stringContaining(`there is no ${scope[0]?.slice(2)}`)]);
    }
  });
});

describe("a local stack", () => {
  const refusal = (folder: string): string => `no local stack runs on the data folder ${folder}`;

  test("that never ran there, or runs no more, is one clear line", async () => {
    const nowhere = newFolder();
    const { status, stderr } = await receipts("admin", "status", `--local=${nowhere}`);
    expect([status, stderr.trim().split("\n")]).toEqual([2, [expect.stringContaining(refusal(nowhere))]]);
    for (const end of ["stop", "kill"] as const) {
      const own = await startLocalStack();
      await own[end]();
      const ended = await receipts("admin", "status", `--local=${own.dataDir}`);
      expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(refusal(own.dataDir))]);
    }
  });

  test("whose file is damaged is one clear line", async () => {
    const folder = newFolder();
    for (const damaged of ["{}", "{", '{"pid":1}']) {
      writeFileSync(join(folder, "deployment.json"), damaged);
      const { status, stderr } = await receipts("admin", "status", `--local=${folder}`);
      expect([status, stderr]).toEqual([2, expect.stringContaining("can't be read")]);
    }
  });

  test("is the one of DATA_DIR for --local alone", async () => {
    const { status, stdout } = await programIn(stack.dataDir, "admin", "tenant", "list", "--local");
    expect([status, stdout]).toEqual([0, expect.stringContaining("local")]);
  });
});
