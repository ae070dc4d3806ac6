import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import type { Check } from "../../../evidence/core/verify/check.ts";
import {
  ANCHORS,
  changedReport,
  type Ended,
  fileWith,
  metachainFolder,
  newFolder,
  program,
  REPORT,
  REQUEST,
  readJson,
  receipts,
  start,
  vector,
} from "./command-line.ts";
import { replace, serveMetachain } from "./metachain-server.ts";

interface Report {
  readonly verdict: string;
  readonly files: readonly {
    readonly file: string;
    readonly kind: string | null;
    readonly verdict: string;
    readonly checks: readonly Check[];
    readonly reason: string | null;
  }[];
  readonly together: { readonly verdict: string; readonly checks: readonly Check[] } | null;
}

const METACHAIN = metachainFolder();
const WITH_ALL = ["--metachain", METACHAIN, "--tsa-ca", ANCHORS];
const CONVERSATION = vector("bundles/conversation.json");

const reportOf = ({ stdout }: Ended): Report => JSON.parse(stdout) as Report;

const namesOf = (report: Report, ok: boolean | null): string[] =>
  report.files.flatMap(({ checks }) => checks.filter((check) => check.ok === ok).map(({ name }) => name));

describe.concurrent("verify", () => {
  test("says that a report holds, check by check, with status 0", async () => {
    const args = ["verify", REPORT, ...WITH_ALL, "--request", REQUEST, "-v"];
    const { status, stdout, stderr } = await program(...args);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/hand-off\.json \(report\): This receipt holds\.$/m);
    expect(stdout).toMatch(/^ {2}✓ {2}published_root +the root is that of seal 2$/m);
    expect(stdout).toMatch(/^ {2}✓ {2}timestamp +the root existed at/m);
  });

  test("says what no proof says: how many were recorded with remarks on the wording", async () => {
    const remarks =
      "The service recorded 1 of 4 notices with remarks: this way of giving notice is not on the list: 1";
    expect((await receipts("verify", CONVERSATION)).stdout).toContain(`\n${remarks}`);
    expect((await receipts("verify", CONVERSATION, CONVERSATION)).stdout).toContain(`\n${remarks}`);
    expect(reportOf(await receipts("verify", CONVERSATION, "--json"))).toMatchObject({
      verdict: "holds_so_far",
      summary: { remarked: 1, remarks: [{ kind: "method_unknown" }, { kind: "wording_unknown" }] },
    });
    expect(
      reportOf(await receipts("verify", vector("receipts/chat-message-pending.json"), "--json")),
    ).toMatchObject({ summary: { remarked: 0, remarks: [] } });
  });

  test("says what it could not check when only the file is there, with status 0", async () => {
    const { status, stdout } = await receipts("verify", REPORT);
    expect(status).toBe(0);
    expect(stdout).toContain("This receipt holds as far as it can be checked now.");
    expect(stdout).toMatch(
      /^ {2}– {2}Published root: Not yet compared with the list of published roots\. \(--metachain URL, --seal FILE\)/m,
    );
    expect(stdout).toMatch(
      /^ {2}– {2}Timestamp: It leads to none of the timestamp authorities .+\(--tsa-ca FILE\)$/m,
    );
    expect(stdout).toMatch(/^ {2}– {2}Request: The request is not enclosed\. .+\(--request FILE\)$/m);
  });

  test("says which part of a changed receipt is wrong, with status 1", async () => {
    const { status, stdout } = await program(
      "verify",
      vector("damaged/receipt-core-verdict.json"),
      ...WITH_ALL,
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/: This receipt does not hold\.$/m);
    expect(stdout).toMatch(/^ {2}3 of 11 checks failed:$/m);
    expect(stdout).toMatch(/^ {2}✗ {2}leaf_hash +the receipt was changed/m);
    expect(stdout).toMatch(/^ {2}The receipt does not hold, so none of this is proven\.$/m);
    expect(stdout).not.toContain("Existed by");
  });

  test("ends with 1 where a list goes on and has nothing under the root's number", async () => {
    const folder = metachainFolder();
    rmSync(join(folder, "v1/metachain/roots/2"));
    const ended = await receipts("verify", REPORT, "--metachain", folder, "--json");
    expect([ended.status, namesOf(reportOf(ended), false)]).toEqual([1, ["published_root"]]);
  });

  test("says that a mirror which ends before the root is older than the report", async () => {
    const { status, stdout } = await receipts("verify", REPORT, "--metachain", metachainFolder(2));
    const older = expect.stringContaining("Published root: The log or the history at hand is older");
    expect([status, stdout]).toEqual([0, older]);
  });

  test.each([
    ["{", "this is not JSON"],
    ["[1]", "this is no receipt, report, bundle or published root"],
    ["{}", "this is no receipt, report, bundle or published root"],
    ['{"merkle_proof":1}', "merkle_proof: "],
    ["", "this file is empty"],
    ["%PDF-1.7\n", "this is a PDF file"],
    [new Uint8Array([0xff]), "this is not a text file"],
    [
      '{"type":"about:blank","title":"No or unknown API key","status":401}',
      "this is not a receipt but the service's refusal: 401 No or unknown API key",
    ],
  ])("names a file that it can't read and says what it is, with status 2: %j", async (content, reason) => {
    const file = fileWith(content);
    const { status, stdout } = await receipts("verify", file);
    expect(status).toBe(2);
    expect(stdout).toContain(`${file}: could not be read: ${reason}`);
  });

  test("says in German why it can't read a file where it speaks German", async () => {
    const file = fileWith("%PDF-1.7\n");
    const { status, stdout } = await receipts("verify", file, "--lang", "de");
    expect(status).toBe(2);
    expect(stdout).toContain(`${file}: nicht lesbar: Das ist ein PDF.`);
  });

  test.each(["nowhere.json", newFolder()])("ends with 2 where there is no file: %s", async (path) => {
    const { status, stdout, stderr } = await program("verify", path);
    expect(status).toBe(2);
    expect(stdout + stderr).toMatch(/there is no/);
  });

  test("reads standard input", async () => {
    const { status, stdout } = await start(["verify", "-", ...WITH_ALL], JSON.stringify(readJson(REPORT)))
      .ended;
    expect([status, stdout.split("\n")[0]]).toEqual([0, "- (report): This receipt holds."]);
  });

  test("names every part of a bundle by its place", async () => {
    const ended = await receipts("verify", CONVERSATION, ...WITH_ALL, "--json");
    expect(ended.status).toBe(0);
    expect(reportOf(ended).files[0]).toMatchObject({ kind: "bundle", verdict: "holds" });
    expect(namesOf(reportOf(ended), true)).toEqual(
      expect.arrayContaining([
        "receipts/3/leaf_hash",
        "seals/2/consistency",
        "turn_links",
        "published_seals",
      ]),
    );
  });

  test("says of a published root that does not hold that the rest is the file's word, and names no time", async () => {
    const changed = vector("damaged/seal-tree_size.json");
    const { status, stdout } = await receipts("verify", changed, "--tsa-ca", ANCHORS);
    expect(status).toBe(1);
    expect(stdout).toMatch(/so what follows is only what the file says\.\n +Published root no\. 2\./);
    expect(stdout).not.toMatch(/Existed by|What the timestamp rests on/);
  });

  test("checks a published root against the one before it and against what is published", async () => {
    const seal = vector("seals/2.json");
    const ended = await receipts("verify", seal, ...WITH_ALL, "--json");
    expect(namesOf(reportOf(ended), true)).toEqual([
      "previous_seal",
      "consistency",
      "timestamp",
      "additional_timestamps",
      "published_root",
    ]);
  });

  test("refuses a root that is published in another form, and leaves it open without a metachain or with an older one", async () => {
    const seal = readJson<Seal>(vector("seals/2.json"));
    const changed = fileWith(JSON.stringify({ ...seal, receipt_count: seal.receipt_count + 1 }));
    const published = async (...args: string[]) => {
      const [file] = reportOf(await receipts("verify", ...args, "--json")).files;
      return file?.checks.find(({ name }) => name === "published_root");
    };
    const another = { ok: false, detail: "a different root is published under 2" };
    expect(await published(changed, "--metachain", METACHAIN)).toMatchObject(another);
    const older = { ok: null, detail: "the list of published roots at hand ends before 2" };
    expect(await published(vector("seals/2.json"), "--metachain", metachainFolder(2))).toMatchObject(older);
    const open = { ok: null, detail: "not compared with the published root 2" };
    expect(await published(changed)).toMatchObject(open);
  });

  test("refuses a certificate file that holds none, before it says a word about a token", async () => {
    const { status, stdout, stderr } = await receipts("verify", REPORT, "--tsa-ca", REQUEST);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`--tsa-ca ${REQUEST}: expected a PEM certificate`);
  });
});

describe.concurrent("verify, with many files", () => {
  test("finds what does not hold among what does, lists that alone, and ends with 1", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "below"));
    for (let i = 0; i < 30; i++) copyFileSync(REPORT, join(folder, `good-${i}.json`));
    copyFileSync(vector("damaged/receipt-merkle_root.json"), join(folder, "below/bad.json"));
    copyFileSync(REQUEST, join(folder, "request.txt"));
    const { status, stdout, stderr } = await receipts("verify", folder, ...WITH_ALL);
    expect([status, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(/^1 of 31 files does not hold\.\n\S+below\/bad\.json \(report\): does not hold$/m);
    expect(stdout).not.toContain("good-7");
    expect(stdout).toMatch(/^In all: 1 × does not hold, 30 × holds$/m);
  });

  test("prefers 1 over 2: damage that was found is the stronger news", async () => {
    const bad = vector("damaged/receipt-core-verdict.json");
    expect((await receipts("verify", bad, "nowhere.json")).status).toBe(1);
  });

  test("ends with 2 where one of them can't be read", async () => {
    expect((await receipts("verify", REPORT, "nowhere.json")).status).toBe(2);
  });

  test("follows the links between receipts of one chain", async () => {
    const ended = await receipts("verify", vector("receipts"), "--json");
    const { together } = reportOf(ended);
    expect(together?.checks.map(({ name, ok }) => [name, ok])).toEqual([
      ["chain_links", true],
      ["one_history", true],
    ]);
  });

  test("leaves open whether a root follows the one before, where that one can't be had", async () => {
    const folder = metachainFolder();
    rmSync(join(folder, "v1/metachain/roots/1"));
    const ended = await receipts("verify", vector("seals/2.json"), "--metachain", folder, "--json");
    const [file] = reportOf(ended).files;
    expect(file?.checks.find(({ name }) => name === "previous_seal")?.ok).toBeNull();
    expect(file?.checks.find(({ name }) => name === "published_root")?.ok).toBe(true);
  });

  test("finds two roots under one number, each with a good proof of its own", async () => {
    const report = readJson<{ merkle_proof: { cross_tenant_proof: object } }>(
      vector("receipts/reminder.json"),
    );
    const { merkle_proof: proof } = report;
    const elsewhere = { ...proof, cross_tenant_proof: { ...proof.cross_tenant_proof, seal_index: 2 } };
    const forked = fileWith(JSON.stringify({ ...report, merkle_proof: elsewhere }));
    const ended = await receipts("verify", REPORT, forked, "--json");
    const report2 = reportOf(ended);
    expect(report2.files.map(({ verdict }) => verdict)).toEqual(["holds_so_far", "holds_so_far"]);
    expect(ended.status).toBe(0);
    expect(report2.together).toMatchObject({ verdict: "holds_so_far" });
    expect(report2.together?.checks.at(-1)?.detail).toContain("there are two versions of seal 2 (");
  });
});

describe.concurrent("verify, with a metachain over HTTP", () => {
  test("asks for the two roots that a receipt names and for nothing else", async () => {
    const server = await serveMetachain();
    const files = [REPORT, REPORT, vector("receipts/greeting-pending.json")];
    expect((await receipts("verify", ...files, "--metachain", server.url)).status).toBe(0);
    expect(server.asked).toEqual(["/v1/metachain/roots/2", "/v1/metachain/roots/1"]);
  });

  test("asks for nothing before the first root", async () => {
    const server = await serveMetachain();
    const file = vector("seals/0.json");
    expect((await receipts("verify", file, "--metachain", server.url)).status).toBe(0);
    expect(server.asked).toEqual(["/v1/metachain/roots/0"]);
  });

  test("contacts nobody with --offline", async () => {
    const server = await serveMetachain();
    const { status, stdout } = await receipts("verify", REPORT, "--metachain", server.url, "--offline");
    expect([status, server.asked]).toEqual([0, []]);
    expect(stdout).toContain("Not compared, since you asked to contact nobody.");
  });

  test("ends with 2 where the metachain can't be reached, and checks all the rest", async () => {
    const server = await serveMetachain(replace(/./, "no", 500, { "retry-after": "0" }));
    const ended = await receipts("verify", REPORT, "--metachain", server.url, "--json");
    expect(ended.status).toBe(2);
    expect(reportOf(ended).files[0]?.reason).toContain("the answer is 500");
    expect(namesOf(reportOf(ended), true)).toContain("merkle_root");
  });

  test("says that damage is damage even where the metachain can't be reached", async () => {
    const server = await serveMetachain(replace(/./, "no", 403));
    const bad = changedReport({ event_id: "00000000-0004-8000-b1e8-b2e940ac0d29" });
    expect((await receipts("verify", bad, "--metachain", server.url)).status).toBe(1);
  });

  test("never follows a redirect to another host", async () => {
    const other = await serveMetachain();
    const server = await serveMetachain((path, response) => {
      response.writeHead(302, { location: `${other.url}${path}` }).end();
      return true;
    });
    const ended = await receipts("verify", REPORT, "--metachain", server.url, "--json");
    expect([ended.status, other.asked]).toEqual([2, []]);
    expect(reportOf(ended).files[0]?.reason).toContain("redirects to another host");
  });

  test("follows a redirect on the same host, within a bound", async () => {
    const trick = replace(/roots/, "", 301, { location: "/elsewhere" });
    const server = await serveMetachain((path, response) => {
      if (path !== "/elsewhere") return trick(path, response);
      response.writeHead(301, { location: "/elsewhere" }).end();
      return true;
    });
    const ended = await receipts("verify", REPORT, "--metachain", server.url, "--json");
    expect(ended.status).toBe(2);
    expect(reportOf(ended).files[0]?.reason).toContain("in circles");
    expect(server.asked.length).toBeLessThan(10);
  });
});
