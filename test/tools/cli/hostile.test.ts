import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVIL_TEXT, UNPRINTABLE } from "../../support/evil-text.ts";
import {
  ANCHORS,
  changedReport,
  fileWith,
  metachainFolder,
  newFolder,
  program,
  REPORT,
  readJson,
  receipts,
} from "./command-line.ts";
import { replace, serveMetachain } from "./metachain-server.ts";

const MEBIBYTE = 1024 * 1024;
const NODE = `0x${"5".repeat(64)}`;
/** Far more than any of these takes, and far less than a person calls hanging. */
const PATIENCE_MS = 180_000;

interface Report {
  readonly merkle_proof: { readonly event_inclusion_proof: object };
  readonly tsa_timestamp: object;
  readonly receipts: readonly [{ readonly disclosure: object }];
}
const report = readJson<Report>(REPORT);

const withToken = (bytes: number): string =>
  changedReport({
    tsa_timestamp: { ...report.tsa_timestamp, timestamp_token: Buffer.alloc(bytes, 0x30).toString("base64") },
  });

const withPath = (length: number): string => {
  const { merkle_proof: proof } = report;
  const event_inclusion_proof = { ...proof.event_inclusion_proof, path: Array(length).fill(NODE) };
  return changedReport({ merkle_proof: { ...proof, event_inclusion_proof } });
};

function linkTo(file: string): string {
  const link = join(newFolder(), "link.json");
  symlinkSync(file, link);
  return link;
}

/** A metachain's folder, as somebody handed it on, in which the report's root is this file. */
function metachainWith(root: string): string {
  const folder = metachainFolder();
  const place = join(folder, "v1/metachain/roots/2");
  rmSync(place);
  symlinkSync(root, place);
  return folder;
}

// With what an ordinary small machine has, so that memory counts too.
describe("a hostile file", () => {
  test.each([
    ["a token of 10 MB", () => withToken(10 * MEBIBYTE), "larger than 8 MiB"],
    ["a path of a million hashes", () => withPath(1_000_000), "larger than 8 MiB"],
    [
      "a token of 5 MB",
      () => withToken(5 * MEBIBYTE),
      "a text or a list in this file is longer than any in a receipt",
    ],
    [
      "a path of 100,000 hashes",
      () => withPath(100_000),
      "a text or a list in this file is longer than any in a receipt",
    ],
    [
      "nesting of a million arrays",
      () => fileWith("[".repeat(1e6) + "]".repeat(1e6)),
      "the nesting is too deep",
    ],
    ["nesting that never ends", () => fileWith('{"a":'.repeat(1e6)), "this is not JSON"],
    ["a device without an end", () => "/dev/zero", "larger than 8 MiB"],
  ])("is refused with status 2: %s", { timeout: PATIENCE_MS }, async (_, make, reason) => {
    const { status, stdout, stderr } = await program("verify", make(), "--tsa-ca", ANCHORS);
    expect([status, stderr]).toEqual([2, ""]);
    expect(stdout).toContain(reason);
  });

  test("of 500 MB is not even read", { timeout: PATIENCE_MS }, async () => {
    const file = fileWith("{");
    truncateSync(file, 500 * MEBIBYTE);
    const { status, stdout } = await program("verify", file);
    expect([status, stdout]).toEqual([2, expect.stringContaining("larger than 8 MiB")]);
  });

  test.each([
    ["evidence", (pipe: string) => ["verify", pipe]],
    ["a link to evidence", (pipe: string) => ["verify", linkTo(pipe)]],
    ["certificates", (pipe: string) => ["verify", REPORT, "--tsa-ca", pipe]],
    ["a request", (pipe: string) => ["verify", REPORT, "--request", pipe]],
    ["a published root", (pipe: string) => ["verify", REPORT, "--metachain", metachainWith(pipe)]],
    ["the state of an audit", (pipe: string) => ["audit", metachainFolder(), "--state", pipe]],
    ["what is inspected", (pipe: string) => ["inspect", pipe]],
  ])("that is a pipe into which nobody writes is not waited for: %s", async (_, argumentsWith) => {
    const pipe = join(newFolder(), "pipe.json");
    execFileSync("mkfifo", [pipe]);
    expect((await receipts(...argumentsWith(pipe))).status).toBe(2);
  });

  test("is no trouble among others in a folder, nor are links that lead in circles", async () => {
    const folder = newFolder();
    symlinkSync(folder, join(folder, "circle.json"));
    symlinkSync("/dev/zero", join(folder, "zero.json"));
    writeFileSync(join(folder, "report.json"), JSON.stringify(report));
    const { status, stdout } = await receipts("verify", folder);
    expect(status).toBe(2);
    expect(stdout).toMatch(/circle\.json: could not be read: this is a folder/);
    expect(stdout).toMatch(/zero\.json: could not be read: this is not a file but a pipe or a device/);
    expect(stdout).toMatch(/report\.json \(report\): holds as far as it can be checked now/);
  });
});

describe("what is printed", () => {
  const evilReceipt = (): string => {
    const [receipt] = report.receipts;
    const disclosure = { ...receipt.disclosure, disclosure_method: EVIL_TEXT, jurisdiction: EVIL_TEXT };
    return changedReport({
      receipts: [{ ...receipt, key_id: EVIL_TEXT, disclosure, policy: { version: EVIL_TEXT } }],
    });
  };

  test.each([
    ["a receipt", () => ["verify", evilReceipt()]],
    ["a receipt, as JSON", () => ["verify", evilReceipt(), "--json"]],
    ["a name of a member", () => ["verify", changedReport({ merkle_proof: { [EVIL_TEXT]: 1 } })]],
    ["a name of a file", () => ["verify", fileWith("{}", `${EVIL_TEXT.replaceAll("/", "")}.json`), "--json"]],
    ["a file that is not there", () => ["inspect", EVIL_TEXT]],
    ["a command", () => [EVIL_TEXT]],
    ["an option", () => ["verify", `--${EVIL_TEXT}`]],
  ])("holds nothing that a terminal obeys: %s", async (_, make) => {
    const { stdout, stderr } = await receipts(...make());
    expect(stdout + stderr).not.toMatch(UNPRINTABLE);
    expect(stdout + stderr).not.toMatch(/^verdict: holds/m);
  });

  test("shows what inspect would otherwise have passed on", async () => {
    const [receipt] = report.receipts;
    const disclosure = { ...receipt.disclosure, disclosure_method: EVIL_TEXT };
    const { stdout } = await receipts("inspect", changedReport({ receipts: [{ ...receipt, disclosure }] }));
    expect(stdout).not.toMatch(UNPRINTABLE);
    expect(stdout).toContain("\\u{1b}[2J\\u{1b}]0;owned\\u{7}");
  });

  test("is cut where a field is far too long", async () => {
    const [receipt] = report.receipts;
    const file = changedReport({ receipts: [{ ...receipt, key_id: "k".repeat(60_000) }] });
    const { stdout } = await receipts("inspect", file);
    expect(stdout.length).toBeLessThan(60_000);
    expect(stdout).toMatch(/k… \(\d+ characters more\)/);
  });

  test("as JSON is still the same JSON", async () => {
    const file = fileWith("{}", "\u009b\u202e😀.json");
    const { stdout } = await receipts("verify", file, "--json");
    expect((JSON.parse(stdout) as { files: { file: string }[] }).files[0]?.file).toBe(file);
  });
});

describe("a hostile metachain", () => {
  test("gets no more bytes than a root needs", async () => {
    const sent = { bytes: 0 };
    const server = await serveMetachain((_, response) => {
      const chunk = Buffer.alloc(MEBIBYTE / 4, 0x20);
      const more = (): void => {
        if (response.destroyed) return;
        sent.bytes += chunk.length;
        response.write(chunk, () => setImmediate(more));
      };
      more();
      return true;
    });
    const { status, stdout } = await receipts("verify", REPORT, "--metachain", server.url);
    expect(status).toBe(2);
    expect(stdout).toContain("larger than 1 MiB");
    expect(sent.bytes).toBeLessThan(64 * MEBIBYTE);
  });

  test("is the one that the reader named, whatever addresses stand in the evidence", async () => {
    const [server, trap] = [await serveMetachain(), await serveMetachain()];
    const addresses = { metachain: trap.url, roots: `${trap.url}/{index}`, base_url: trap.url };
    const tsa_timestamp = { ...report.tsa_timestamp, tsa_url: trap.url };
    const file = changedReport({ ...addresses, tsa_timestamp, links: [{ href: "file:///etc/passwd" }] });
    const { status } = await receipts("verify", file, "--metachain", server.url, "--tsa-ca", ANCHORS);
    expect([status, server.asked, trap.asked]).toEqual([
      0,
      ["/v1/metachain/roots/2", "/v1/metachain/roots/1"],
      [],
    ]);
  });

  test.each([
    "file:///etc/passwd",
    "http://169.254.169.254/latest/meta-data/",
    "//169.254.169.254/",
    "http://reader:secret@127.0.0.1/",
    "data:application/json,{}",
    "https://",
  ])("that sends its reader on to %s is not followed", async (location) => {
    const server = await serveMetachain(replace(/roots/, "", 302, { location }));
    const { status, stdout } = await receipts("verify", REPORT, "--metachain", server.url);
    expect([status, stdout]).toEqual([2, expect.stringContaining("redirects to another host")]);
  });

  test.each(["file:///etc", "ftp://127.0.0.1/", "http://reader:secret@127.0.0.1/", "http://127.0.0.1/?a=b"])(
    "has no such address: %s",
    async (address) => {
      expect((await receipts("verify", REPORT, "--metachain", address)).status).toBe(2);
    },
  );

  test.each([
    ["no seal", "{}"],
    ["no JSON", "<html>"],
    ["deep nesting", "[".repeat(500_000)],
    ["another seal than asked for", JSON.stringify(readJson(REPORT.replace("receipts/hand-off", "seals/1")))],
  ])("that answers with %s can't be read", async (_, body) => {
    const server = await serveMetachain(replace(/roots/, body));
    expect((await receipts("verify", REPORT, "--metachain", server.url)).status).toBe(2);
  });

  test("that claims to be endless is not walked for ever", async () => {
    const server = await serveMetachain((path, response) => {
      if (path !== "/v1/metachain") return false;
      const { latest } = { latest: { ...readJson<object>(REPORT.replace("receipts/hand-off", "seals/3")) } };
      const size = Number.MAX_SAFE_INTEGER;
      response.end(JSON.stringify({ size, latest, roots: "/v1/metachain/roots/{index}", log: null }));
      return true;
    });
    const { status, stdout } = await receipts("audit", server.url);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ {2}gaps +100 roots are missing$/m);
    expect(server.asked.length).toBeLessThan(300);
  });
});
