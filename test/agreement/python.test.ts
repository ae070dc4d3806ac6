// The verifier in Python as a program: what it prints, how it exits, and that no file makes it hang or misspeak. Its
// verdicts are in agreement.test.ts.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { EVIL_TEXT, UNPRINTABLE } from "../support/evil-text.ts";
import { hasPython, PROGRAM } from "./python.ts";
import { evidenceFile } from "./rows.ts";

const PATIENCE_MS = 30_000;
const MEBIBYTE = 1024 * 1024;
const REPORT = evidenceFile("receipts/hand-off.json");
const DAMAGED = evidenceFile("damaged/receipt-core-verdict.json");
const WITH_ALL = [
  ...["--seal", evidenceFile("seals/2.json")],
  ...["--tsa-ca", evidenceFile("authorities/service.pem")],
  ...["--request", evidenceFile("requests/hand-off.json")],
];

const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Killed, and so without a status, if it does not come to an end. */
function verify(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const options = {
    encoding: "utf8",
    timeout: PATIENCE_MS,
    input: "",
    env: { PATH: process.env.PATH },
  } as const;
  const { status, stdout, stderr } = spawnSync("python3", ["-B", PROGRAM, ...args], options);
  return { status, stdout, stderr };
}

let files = 0;
function fileWith(content: string, name = `${files++}.json`): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function made(command: string, name: string, ...args: string[]): string {
  const file = join(folder, name);
  execFileSync(command, [...args, file]);
  return file;
}

const report = JSON.parse(readFileSync(REPORT, "utf8"));
const changedReport = (change: object): string => fileWith(JSON.stringify({ ...report, ...change }));

describe.skipIf(!hasPython)("python3 examples/verify.py", () => {
  test("ends with 0 for a report that holds, and says each check", () => {
    const { status, stdout, stderr } = verify(REPORT, ...WITH_ALL);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/hand-off\.json: holds as far as it could be checked$/m);
    expect(stdout).toMatch(/^ {2}holds +published_root$/m);
    expect(stdout).toMatch(/^ {2}holds +timestamp: the root existed at 2026-11-21T01:08:00Z$/m);
    expect(stdout).toMatch(/^ {2}not checked +evidence_chain: the head is a later receipt$/m);
  });

  test("ends with 1 for one that does not, and 2 for what can't be read; of both, 1", () => {
    const { status, stdout } = verify(DAMAGED);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^ {2}FAILS +leaf_hash/m)]);
    expect(verify(fileWith("{")).status).toBe(2);
    expect(verify(fileWith("{"), DAMAGED, REPORT).status).toBe(1);
    expect(verify(fileWith("{"), REPORT).status).toBe(2);
  });

  test("prints one JSON document if asked to", () => {
    const { stdout } = verify(REPORT, DAMAGED, "--json");
    const { verdict, files: results } = JSON.parse(stdout);
    expect(verdict).toBe("does_not_hold");
    expect(results).toMatchObject([
      { file: REPORT, verdict: "holds_so_far", reason: null },
      {
        file: DAMAGED,
        verdict: "does_not_hold",
        checks: expect.arrayContaining([
          { name: "leaf_hash", ok: false, detail: "the receipt has another hash" },
        ]),
      },
    ]);
  });

  test("checks a published root against the one before", () => {
    const { stdout } = verify(evidenceFile("seals/2.json"), "--seal", evidenceFile("seals/1.json"));
    expect(stdout).toMatch(/^ {2}holds +previous_seal$/m);
  });

  test.each([
    ["certificates that are none", ["--tsa-ca", REPORT]],
    ["a root that is none", ["--seal", REPORT]],
    ["a request that is not there", ["--request", join(folder, "none.json")]],
    ["one request for two receipts", [REPORT, "--request", REPORT]],
  ])("does not begin with %s", (_, args) => {
    const { status, stdout } = verify(REPORT, ...args);
    expect([status, stdout]).toEqual([2, ""]);
  });

  test.each([
    ["a folder", () => folder],
    ["a file that is not there", () => join(folder, "none.json")],
    ["a device without an end", () => "/dev/zero"],
    ["a pipe into which nobody writes", () => made("mkfifo", "pipe.json")],
    ["a link to such a pipe", () => linkTo("pipe.json")],
    ["a link that leads to itself", () => linkTo("circle.json", "circle.json")],
    ["500 MB", () => sized(500 * MEBIBYTE)],
    ["nesting of a million", () => fileWith(`${"[".repeat(1e6)}${"]".repeat(1e6)}`)],
    ["nesting without an end", () => fileWith('{"a":'.repeat(1e6))],
    ["a number of a million digits", () => fileWith(`{"merkle_proof":${"9".repeat(1e6)}}`)],
    ["a fraction of a million digits", () => fileWith(`{"merkle_proof":0.${"3".repeat(1e6)}}`)],
    ["a million members", () => fileWith(`{${Array.from({ length: 1e6 }, (__, i) => `"${i}":0`).join()}}`)],
    [
      "a token of 5 MB",
      () =>
        changedReport({
          tsa_timestamp: { ...report.tsa_timestamp, timestamp_token: "A".repeat(5 * MEBIBYTE) },
        }),
    ],
  ])("can't be made to hang or crash by %s", (_, make) => {
    const { status, stderr } = verify(make(), "--tsa-ca", evidenceFile("authorities/service.pem"));
    expect([status, stderr]).toEqual([2, ""]);
  });

  test.each([
    [
      "every text of a receipt",
      () => [
        changedReport({
          receipts: [Object.fromEntries(Object.keys(report.receipts[0]).map((name) => [name, EVIL_TEXT]))],
        }),
      ],
    ],
    ["a name of a member", () => [changedReport({ [EVIL_TEXT]: EVIL_TEXT })]],
    ["a name of a file", () => [fileWith("{}", `${EVIL_TEXT.replaceAll("/", "")}.json`)]],
    ["a file that is not there", () => [EVIL_TEXT]],
    ["a request that is not there", () => [REPORT, "--request", EVIL_TEXT]],
    ["JSON that is asked for", () => [fileWith("{}", `${EVIL_TEXT.replaceAll("/", "")}.json`), "--json"]],
  ])("prints nothing that a terminal obeys: %s", (_, argumentsOf) => {
    const { stdout, stderr } = verify(...argumentsOf());
    expect(stdout + stderr).not.toMatch(UNPRINTABLE);
    expect(stdout + stderr).not.toMatch(/^all\.json: holds/m);
  });
});

function linkTo(target: string, name = `link-to-${target}`): string {
  const link = join(folder, name);
  symlinkSync(target, link);
  return link;
}

function sized(bytes: number): string {
  const file = fileWith("{");
  truncateSync(file, bytes);
  return file;
}
