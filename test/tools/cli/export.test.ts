// `export` against a local stack behind a proxy that can be made to refuse or lie: the folder is whole, and verify takes it.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { startLocalStack } from "../../support/local-stack.ts";
import { fileWith, newFolder, readJson, receipts, start } from "./command-line.ts";

const RECEIPTS = 60;
const REPORT = /^\/v1\/attestation\//;

let api: ApiClient;
let key: string;
let anchors: string;
let eventIds: string[];
let url: string;
/** Answers a request itself and returns true, or leaves it to the stack. */
let trick: (path: string, response: ServerResponse) => boolean | Promise<boolean> = () => false;
const asked: string[] = [];

const proxy = createServer(async ({ url: path = "", headers }, response) => {
  asked.push(path);
  if (await trick(path, response)) return;
  const { authorization, accept } = headers;
  const answer = await fetch(api.url + path, {
    headers: { ...(authorization && { authorization }), ...(accept && { accept }) },
  });
  response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
});

beforeAll(async () => {
  api = new ApiClient(await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } }));
  const calls = Array.from({ length: RECEIPTS }, (_, i) =>
    api.attestAmongMany(disclosure({ interaction_id: `call-${i % 20}` })),
  );
  eventIds = (await Promise.all(calls)).map(({ event_id }) => event_id);
  for (const eventId of eventIds) await api.includedReport(eventId);
  const pem = await api.call("GET", "/tsa/certificate.pem", { key: null });
  anchors = fileWith(await pem.text(), "ca.pem");
  key = `@${fileWith(api.apiKey, "key")}`;
  const { promise, resolve } = Promise.withResolvers<void>();
  proxy.listen(0, "127.0.0.1", resolve);
  await promise;
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(() => {
  trick = () => false;
  asked.length = 0;
});
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

const argsFor = (folder: string, ...more: string[]) => [
  "export",
  url,
  "--key",
  key,
  "--out",
  folder,
  ...more,
];
/** The place of a receipt that others of its chain follow. */
async function placeOf(index: number) {
  const { event_id, receipts: listed } = await api.report(eventIds[index] ?? "");
  const [receipt] = listed;
  return { event_id, chain_id: String(receipt?.chain_id), sequence: Number(receipt?.sequence) };
}
const exportTo = (folder: string, ...more: string[]) => receipts(...argsFor(folder, ...more));
const reportsIn = (folder: string): string[] =>
  existsSync(join(folder, "reports"))
    ? readdirSync(join(folder, "reports"), { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".json"),
      )
    : [];
const idsIn = (folder: string) => reportsIn(folder).map((name) => name.replace(/^.*[/\\]|\.json$/g, ""));

/** Runs the command that the export printed; the stack's authority is none of the known ones. */
async function check(stdout: string) {
  const [, words = ""] = /^Check it with: .*?(verify .*)$/m.exec(stdout) ?? [];
  return receipts(...words.split(" "), "--tsa-ca", anchors, "--strict");
}

const pathsIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" });

async function expectCompleted(folder: string): Promise<void> {
  trick = () => false;
  const { status, stdout } = await exportTo(folder);
  expect([status, await check(stdout)]).toMatchObject([0, { status: 0 }]);
}

describe("export", () => {
  test("fetches every report, and what it takes to check them without the service", async () => {
    const folder = newFolder();
    const { status, stdout } = await exportTo(folder);
    expect([status, idsIn(folder).sort()]).toEqual([0, eventIds.toSorted()]);
    expect(stdout).toMatch(new RegExp(`^exported: ${RECEIPTS} reports \\(${RECEIPTS} fetched now\\)`, "m"));
    expect(stdout).toMatch(new RegExp(`^one history: \\d+ chains?, ${RECEIPTS} receipts`, "m"));
    expect(await check(stdout)).toMatchObject({ status: 0 });
    const [name = ""] = reportsIn(folder);
    const file = join(folder, "reports", name);
    writeFileSync(file, readFileSync(file, "utf8").replace('"turn":', '"turn":1'));
    expect((await check(stdout)).status).not.toBe(0);
  });

  test("takes a range of time, and its history is whole even so", async () => {
    const folder = newFolder();
    const { status, stdout } = await exportTo(folder, "--to", "2020-01-01");
    expect([status, idsIn(folder)]).toEqual([0, []]);
    expect(stdout).toMatch(new RegExp(`^one history: .* ${RECEIPTS} receipts`, "m"));
    expect(stdout).not.toContain("Check it with");
    expect(asked.filter((path) => REPORT.test(path))).toEqual([]);
  });

  test("killed wherever it is and started again, it has whole files only, and goes on", async () => {
    const folder = newFolder();
    const paths = () => reportsIn(folder).map((name) => join(folder, "reports", name));
    trick = () => delay(5, false);
    for (const moment of [10, 35]) {
      const run = start(argsFor(folder));
      while (paths().length < moment) await delay(2);
      run.kill();
      await run.ended;
      for (const file of paths())
        expect(readJson<ComplianceReceipt>(file).merkle_proof.status).toBe("included");
    }
    const before = new Map(paths().map((file) => [file, statSync(file).mtimeMs]));
    asked.length = 0;
    const { status, stdout } = await exportTo(folder);
    expect([status, idsIn(folder).sort()]).toEqual([0, eventIds.toSorted()]);
    expect(asked.filter((path) => REPORT.test(path))).toHaveLength(RECEIPTS - before.size);
    for (const [file, time] of before) expect(statSync(file).mtimeMs).toBe(time);
    expect(await check(stdout)).toMatchObject({ status: 0 });
  });

  test("fetches a report again that was pending, and one that is gone, and no other", async () => {
    const folder = newFolder();
    await exportTo(folder);
    const [pending = "", gone = ""] = reportsIn(folder).map((name) => join(folder, "reports", name));
    const report = readJson<ComplianceReceipt>(pending);
    const merkle_proof = {
      ...report.merkle_proof,
      status: "pending",
      cross_tenant_proof: null,
    };
    writeFileSync(pending, JSON.stringify({ ...report, merkle_proof }));
    rmSync(gone);
    asked.length = 0;
    const { status, stdout } = await exportTo(folder);
    expect(stdout).toMatch(/ reports \(2 fetched now\)/);
    expect([status, asked.filter((path) => REPORT.test(path))]).toMatchObject([0, { length: 2 }]);
    expect(readJson<ComplianceReceipt>(pending)).toMatchObject({ merkle_proof: { status: "included" } });
  });

  test("says which reports are pending, and that a later run fetches them", async () => {
    trick = async (path, response) => {
      if (path !== `/v1/attestation/${eventIds[0]}`) return false;
      const report = await api.report(eventIds[0] ?? "");
      const proof = {
        ...report.merkle_proof,
        status: "pending",
        cross_tenant_proof: null,
      };
      response.end(JSON.stringify({ ...report, merkle_proof: proof }));
      return true;
    };
    const { status, stderr } = await exportTo(newFolder());
    expect(status).toBe(0);
    expect(stderr).toMatch(/^1 report is pending: .*Run it again/m);
  });

  test("waits as long as a rate limit says, more often than it would try again after a failure", async () => {
    const refused = new Map<string, number>();
    trick = (path, response) => {
      const times = refused.get(path) ?? 0;
      refused.set(path, times + 1);
      if (path !== `/v1/attestation/${eventIds[0]}` || times >= 6) return false;
      response.writeHead(429, { "retry-after": "0" }).end("{}");
      return true;
    };
    const folder = newFolder();
    expect((await exportTo(folder)).status).toBe(0);
    expect(idsIn(folder)).toHaveLength(RECEIPTS);
  });

  test("names the receipts that the service's list leaves out, with status 1", async () => {
    const [hidden, removed] = [await placeOf(7), await placeOf(20)];
    trick = async (path, response) => {
      if (path === `/v1/attestation/${removed.event_id}`) {
        response.writeHead(410).end("{}");
        return true;
      }
      if (!path.startsWith("/v1/receipts?")) return false;
      const answer = await fetch(api.url + path, { headers: { authorization: `Bearer ${api.apiKey}` } });
      const list = (await answer.json()) as { receipts: { event_id: string }[] };
      const left = new Set([hidden.event_id, removed.event_id]);
      response.end(
        JSON.stringify({ ...list, receipts: list.receipts.filter(({ event_id }) => !left.has(event_id)) }),
      );
      return true;
    };
    const { status, stderr } = await exportTo(newFolder());
    const said = [
      `leaves out receipts of chain ${hidden.chain_id}, which it has: ${hidden.sequence}`,
      `receipts of chain ${removed.chain_id} have no report any more, as the service says: ${removed.sequence}`,
    ];
    expect([status, said.filter((line) => !stderr.includes(line))]).toEqual([1, []]);
    const dated = await exportTo(newFolder(), "--from", "2020-01-01");
    expect([dated.status, dated.stderr.includes(String(said[0]))]).toEqual([1, true]);
  });

  test("an answer about another event is an alarm, and gets no file", async () => {
    const [asks = "", answers = ""] = eventIds;
    trick = async (path, response) => {
      if (path !== `/v1/attestation/${asks}`) return false;
      response.end(JSON.stringify(await api.report(answers)));
      return true;
    };
    const folder = newFolder();
    const { status, stderr } = await exportTo(folder);
    expect([status, idsIn(folder).includes(asks)]).toEqual([1, false]);
    expect(stderr).toContain(`ALARM: reports/`);
  });

  test.each([
    ["a root", /\/metachain\/roots\/\d+$/],
    ["a wording layer", /\/policy\/layers\//],
    ["the entries", /\/tile\/entries\//],
  ])("keeps no page that a host answers in place of %s, and a later run completes it", async (_, path) => {
    const folder = newFolder();
    trick = (asks, response) => {
      if (!path.test(asks)) return false;
      response.end("<html>not here</html>");
      return true;
    };
    expect((await exportTo(folder)).status).toBe(2);
    expect(pathsIn(folder).filter((name) => path.test(`/${name}`))).toEqual([]);
    await expectCompleted(folder);
  });

  test("keeps no root but the one that its reports lead to", async () => {
    const folder = newFolder();
    trick = async (path, response) => {
      if (!path.includes("/metachain/roots/")) return false;
      const root: object = await (await fetch(api.url + path)).json();
      response.end(JSON.stringify({ ...root, merkle_root: `0x${"00".repeat(32)}` }));
      return true;
    };
    const { status, stderr } = await exportTo(folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("that a report leads to")]);
    expect(pathsIn(folder).filter((name) => name.includes("/roots/"))).toEqual([]);
    await expectCompleted(folder);
  });

  test("keeps no entries that don't lead to the root", async () => {
    const folder = newFolder();
    trick = async (path, response) => {
      if (!path.includes("/tile/entries/")) return false;
      const bytes = Buffer.from(await (await fetch(api.url + path)).arrayBuffer());
      // The last byte is one of a hash, so the bundle can be read.
      response.end(Buffer.concat([bytes.subarray(0, -1), Buffer.of(Number(bytes.at(-1)) ^ 1)]));
      return true;
    };
    const { status, stderr } = await exportTo(folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("ALARM: ")]);
    expect(pathsIn(folder).filter((name) => /^\.incoming|\/tile\/entries/.test(name))).toEqual([]);
    await expectCompleted(folder);
  });

  test("killed before it has walked the entries, it has none, and goes on", async () => {
    const folder = newFolder();
    let isRead = false;
    trick = async (path) => {
      // The bundle of the newest entries is asked for before the chains are.
      if (path !== "/v1/chains") return false;
      isRead = true;
      return new Promise<boolean>(() => {});
    };
    const run = start(argsFor(folder));
    while (!isRead) await delay(5);
    run.kill();
    await run.ended;
    expect(asked.filter((path) => path.includes("/tile/entries/"))).not.toEqual([]);
    expect(pathsIn(folder).filter((name) => name.includes("/tile/"))).toEqual([]);
    await expectCompleted(folder);
  });

  test("fetches a root and a layer again that can't be read", async () => {
    const folder = newFolder();
    await exportTo(folder);
    const damaged = pathsIn(folder).filter((name) => /\/(?:roots|layers)\//.test(name));
    for (const name of damaged) writeFileSync(join(folder, name), "<html>");
    expect(damaged.length).toBeGreaterThan(1);
    await expectCompleted(folder);
  });

  test.each([
    [[], "export takes the service's URL"],
    [["http://127.0.0.1:1"], "--out is missing"],
    [["http://127.0.0.1:1", "--out", "x"], "--key is missing: give the key, or @FILE\n"],
    [
      ["http://127.0.0.1:1", "--out", "x", "--key", `@${fileWith("k".repeat(4_097), "key")}`],
      "this is larger than 4,096 bytes",
    ],
    [["http://127.0.0.1:1", "--out", "x", "--key", "k", "--from", "yesterday"], "--from takes a date"],
    [["http://elsewhere.example", "--out", "x", "--key", "k"], "the service's address is an https URL"],
  ])("refuses %j", async (args, sentence) => {
    const { status, stderr } = await receipts("export", ...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});
