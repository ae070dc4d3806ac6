import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ANCHORS,
  changedReport,
  fileWith,
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
const PATIENCE_MS = 60_000;

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

// With what an ordinary small machine has, so that memory counts too.
describe("a hostile file", () => {
  test.each([
    ["a token of 10 MB", () => withToken(10 * MEBIBYTE), "larger than 8 MiB"],
    ["a path of a million hashes", () => withPath(1_000_000), "larger than 8 MiB"],
    ["a path of 100,000 hashes", () => withPath(100_000), "path: Too big"],
    [
      "nesting of a million arrays",
      () => fileWith("[".repeat(1e6) + "]".repeat(1e6)),
      "the nesting is too deep",
    ],
    ["nesting that never ends", () => fileWith('{"a":'.repeat(1e6)), "the body is not JSON"],
    ["a device without an end", () => "/dev/zero", "larger than 8 MiB"],
  ])("is refused with status 2: %s", { timeout: PATIENCE_MS }, async (_, make, reason) => {
    const { status, stdout, stderr } = await program("verify", make(), "--tsa-ca", ANCHORS);
    expect([status, stderr]).toEqual([2, ""]);
    expect(stdout).toContain(reason);
  });

  test("with a token of 5 MB does not hold, and is no trouble", { timeout: PATIENCE_MS }, async () => {
    const { status, stdout } = await program("verify", withToken(5 * MEBIBYTE), "--tsa-ca", ANCHORS);
    expect(status).toBe(1);
    expect(stdout).toMatch(/✗ {2}timestamp/);
  });

  test("is no trouble among others in a folder, nor are links that lead in circles", async () => {
    const folder = newFolder();
    symlinkSync(folder, join(folder, "circle.json"));
    symlinkSync("/dev/zero", join(folder, "zero.json"));
    writeFileSync(join(folder, "report.json"), JSON.stringify(report));
    const { status, stdout } = await receipts("verify", folder);
    expect(status).toBe(2);
    expect(stdout).toMatch(/circle\.json: could not be read: this is a folder/);
    expect(stdout).toMatch(/zero\.json: could not be read: this is larger than 8 MiB/);
    expect(stdout).toMatch(/report\.json \(report\): holds/);
  });
});

describe("what is printed", () => {
  // Clear the screen, set the title, move up; C1 CSI; right-to-left override; zero width; line separators.
  const EVIL = "\u001b[2J\u001b]0;owned\u0007\u001b[1A\u009b31m\u202e\u200b\u2028\r\nverdict: holds";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out
  const DANGEROUS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/;

  const evilReceipt = (): string => {
    const [receipt] = report.receipts;
    const disclosure = { ...receipt.disclosure, disclosure_method: EVIL, jurisdiction: EVIL };
    return changedReport({ receipts: [{ ...receipt, key_id: EVIL, disclosure, policy: { version: EVIL } }] });
  };

  test.each([
    ["a receipt", () => ["verify", evilReceipt()]],
    ["a receipt, as JSON", () => ["verify", evilReceipt(), "--json"]],
    ["a name of a member", () => ["verify", changedReport({ merkle_proof: { [EVIL]: 1 } })]],
    ["a name of a file", () => ["verify", fileWith("{}", `${EVIL.replaceAll("/", "")}.json`), "--json"]],
    ["a file that is not there", () => ["inspect", EVIL]],
    ["a command", () => [EVIL]],
    ["an option", () => ["verify", `--${EVIL}`]],
  ])("holds nothing that a terminal obeys: %s", async (_, make) => {
    const { stdout, stderr } = await receipts(...make());
    expect(stdout + stderr).not.toMatch(DANGEROUS);
    expect(stdout + stderr).not.toMatch(/^verdict: holds/m);
  });

  test("shows what inspect would otherwise have passed on", async () => {
    const [receipt] = report.receipts;
    const disclosure = { ...receipt.disclosure, disclosure_method: EVIL };
    const { stdout } = await receipts("inspect", changedReport({ receipts: [{ ...receipt, disclosure }] }));
    expect(stdout).not.toMatch(DANGEROUS);
    expect(stdout).toContain("\\u{1b}[2J\\u{1b}]0;owned\\u{7}");
  });

  test("is cut where a field is far too long", async () => {
    const [receipt] = report.receipts;
    const file = changedReport({ receipts: [{ ...receipt, key_id: "k".repeat(MEBIBYTE) }] });
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
      response.end(JSON.stringify({ size, latest, roots: "/v1/metachain/roots/{index}" }));
      return true;
    });
    const { status, stdout } = await receipts("audit", server.url);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ {2}gaps +100 roots are missing$/m);
    expect(server.asked.length).toBeLessThan(200);
  });
});
