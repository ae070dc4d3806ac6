// The verifier in Python as a program: what it prints, how it exits, and that no file makes it hang or misspeak. Its
// verdicts are in agreement.test.ts.
import { copyFileSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseBase64 } from "../../evidence/core/bytes.ts";
import { parseTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import { EVIL_TEXT, UNPRINTABLE } from "../support/evil-text.ts";
import { readReceipt } from "../support/vector-files.ts";
import { hasPython } from "./python.ts";
import {
  changedReport,
  DAMAGED,
  fileWith,
  folder,
  MEBIBYTE,
  made,
  REPORT,
  renumberedSeal,
  report,
  sized,
  symlinkTo,
  verify,
  WITH_ALL,
} from "./python-program.ts";
import { evidenceFile } from "./rows.ts";

const { timestamp_token } = readReceipt("receipts/hand-off.json").tsa_timestamp;
const {
  receipts: [greeting],
} = readReceipt("receipts/greeting.json");
/** The time in the report's token. */
const GEN_TIME = parseTimestampToken(parseBase64(timestamp_token ?? "")).tstInfo.genTime;

describe.skipIf(!hasPython)("disclosure_receipts verify in Python", () => {
  test("ends with 0 for a report that holds, and says each check", () => {
    const { status, stdout, stderr } = verify(REPORT, ...WITH_ALL);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/hand-off\.json \(report\): holds$/m);
    expect(stdout).toMatch(/^ {2}holds +published_root$/m);
    expect(stdout).toMatch(new RegExp(`^ {2}holds +timestamp: the root existed at ${GEN_TIME}$`, "m"));
    expect(stdout).toMatch(/^ {2}not checked +evidence_chain: the head is a later receipt$/m);
  });

  test("says so where a check that matters could not be made, and ends with 3 if told to be strict", () => {
    const { status, stdout } = verify(REPORT);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/: holds as far as it could be checked$/m)]);
    expect(verify(REPORT, "--strict").status).toBe(3);
    // A single receipt loses nothing by a check that needs other documents.
    expect(verify(REPORT, ...WITH_ALL, "--strict").status).toBe(0);
    expect(verify(DAMAGED, "--strict").status).toBe(1);
  });

  test("ends with 1 for one that does not, and 2 for what can't be read; of both, 1", () => {
    const { status, stdout } = verify(DAMAGED);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^ {2}FAILS +leaf_hash/m)]);
    expect(stdout).toMatch(/\(report\): does not hold$/m);
    expect(verify(fileWith("{", "cut.json")).stdout).toMatch(
      /cut\.json: could not be read: this can't be read as JSON/,
    );
    expect(verify(fileWith("{")).status).toBe(2);
    expect(verify(fileWith("{"), DAMAGED, REPORT).status).toBe(1);
    expect(verify(fileWith("{"), REPORT).status).toBe(2);
  });

  test("prints one JSON document if asked to", () => {
    const { stdout } = verify(REPORT, DAMAGED, "--json");
    const { verdict, files: results } = JSON.parse(stdout);
    expect(verdict).toBe("does_not_hold");
    expect(results).toMatchObject([
      { file: REPORT, kind: "report", verdict: "holds_so_far", reason: null },
      {
        file: DAMAGED,
        verdict: "does_not_hold",
        checks: expect.arrayContaining([
          { name: "leaf_hash", ok: false, detail: "the receipt has another hash" },
        ]),
      },
    ]);
  });

  test("takes no JSON for certificates that has their mark in a text, and leaves open what can't be judged", () => {
    expect(verify(changedReport({ note: "-----BEGIN PGP MESSAGE-----" }), ...WITH_ALL).status).toBe(0);
    const inBer = Buffer.concat([
      Buffer.of(0x30, 0x80),
      Buffer.from(timestamp_token ?? "", "base64").subarray(4),
      Buffer.alloc(2),
    ]).toString("base64");
    const tsa_timestamp = { ...report.tsa_timestamp, timestamp_token: inBer };
    const { status, stdout } = verify(changedReport({ tsa_timestamp }), ...WITH_ALL);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^ {2}not checked +timestamp: it is not in DER/m),
    ]);
    expect(verify(changedReport({ tsa_timestamp }), ...WITH_ALL, "--strict").status).toBe(3);
  });

  test("checks a published root against the one before", () => {
    const { stdout } = verify(evidenceFile("seals/2.json"), "--seal", evidenceFile("seals/1.json"));
    expect(stdout).toMatch(/^ {2}holds +previous_seal$/m);
    expect(stdout).toMatch(/^ {2}not checked +published_root: the published root was not given$/m);
  });

  test("compares a published root that somebody handed on with the one that is published", () => {
    const seal = evidenceFile("seals/2.json");
    const { tsa_timestamp, ...rest } = JSON.parse(readFileSync(seal, "utf8"));
    const withMore = fileWith(
      JSON.stringify({ note: 1, ...rest, tsa_timestamp: { note: 2, ...tsa_timestamp } }),
    );
    expect(verify(withMore, "--seal", seal).stdout).toMatch(/^ {2}holds +published_root$/m);
    const other = fileWith(JSON.stringify({ ...rest, tsa_timestamp, receipt_count: rest.receipt_count + 1 }));
    const { status, stdout } = verify(other, "--seal", seal);
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/^ {2}FAILS +published_root: a different root is/m),
    ]);
  });

  test("says what the proof of a fork is, which it confirms under the log's key alone", () => {
    const note = readReceipt("checkpoints/good.json").log_checkpoint;
    const fork = {
      format: "disclosure-receipts fork 1",
      checkpoints: [note, note],
      prefix_root: null,
      consistency_path: [],
    };
    const file = fileWith(JSON.stringify(fork));
    const [unknown, none] = [verify(file), verify(file, "--policy", evidenceFile("checkpoints/key.policy"))];
    expect([unknown.status, none.status]).toEqual([2, 2]);
    expect(unknown.stdout).toContain("the proof that a log signed two histories");
    expect(none.stdout).toContain("this proves no fork");
  });

  test.each([
    ["a receipt that is also a bundle", { ...report, proofs: [] }],
    ["a receipt that is also a published root", { consistency_path: [], ...report }],
  ])("refuses %s: two readers could take it for two things", (_, evidence) => {
    const { status, stdout } = verify(fileWith(JSON.stringify(evidence)));
    expect([status, stdout]).toEqual([
      2,
      expect.stringMatching(/could not be read: .* two kinds of evidence$/m),
    ]);
  });

  test.each([
    ["another call's request", "--request", "requests/reminder.json", ["input_hash"], "request"],
    [
      "another authority's certificate",
      "--tsa-ca",
      "authorities/other.pem",
      ["timestamp", "recorded_after"],
      "certificates",
    ],
  ])("tells %s from damage to the receipt, and ends with 3", (_, option, name, checks, kind) => {
    const reason = kind === "request" ? "other_request" : "other_authority";
    const file = evidenceFile(name);
    const { status, stdout } = verify(REPORT, option, file);
    expect(status).toBe(3);
    expect(stdout).toMatch(/: holds as far as it could be checked$/m);
    for (const check of checks) expect(stdout).toMatch(new RegExp(`^ {2}not checked +${check}: `, "m"));
    expect(stdout).toMatch(new RegExp(`^The .*${file}.* says nothing against the evidence`, "m"));
    const { files, stray } = JSON.parse(verify(REPORT, option, file, "--json").stdout);
    expect(stray).toMatchObject([{ kind, file }]);
    expect(files[0].checks.filter((check: { reason?: string }) => check.reason === reason)).toMatchObject(
      checks.map((check) => ({ name: check, ok: null })),
    );
    expect(verify(DAMAGED, option, file).status).toBe(1);
  });

  test("tells a layer that no receipt names, though none lacks its own, and ends with 3", () => {
    const other = evidenceFile("layers/example.json");
    const { status, stdout } = verify(REPORT, ...WITH_ALL, "--layer", other, "--json");
    expect([status, JSON.parse(stdout).stray]).toMatchObject([3, [{ kind: "policy_layer", file: other }]]);
  });

  test("finds for each receipt its own request, and the one that is no receipt's", () => {
    const requests = ["greeting", "hand-off", "reminder"].map((name) =>
      evidenceFile(`requests/${name}.json`),
    );
    const reports = [REPORT, evidenceFile("receipts/greeting.json")];
    const options = requests.flatMap((file) => ["--request", file]);
    const { status, stdout } = verify(...reports, ...options, "--json");
    const { files, stray } = JSON.parse(stdout);
    const own = files.map(({ checks }: { checks: { name: string; ok: boolean | null }[] }) =>
      checks.find(({ name }) => name === "input_hash"),
    );
    expect(own).toMatchObject([{ ok: true }, { ok: true }]);
    expect([status, stray]).toEqual([3, [expect.objectContaining({ kind: "request", file: requests[2] })]]);
  });

  test.each([
    ["certificates that are none", ["--tsa-ca", REPORT]],
    ["a root that is none", ["--seal", REPORT]],
    ["a request that is not there", ["--request", join(folder, "none.json")]],
  ])("does not begin with %s", (_, args) => {
    const { status, stdout } = verify(REPORT, ...args);
    expect([status, stdout]).toEqual([2, ""]);
  });

  test("reads none of two roots that are said to be published under one number", () => {
    const seals = [evidenceFile("seals/0.json"), renumberedSeal()];
    const options = seals.flatMap((seal) => ["--seal", seal]);
    const { status, stdout } = verify(REPORT, ...options, "--json");
    expect([status, JSON.parse(stdout).files]).toMatchObject([
      2,
      [{ file: REPORT, verdict: "holds_so_far" }, ...seals.map((file) => ({ file, verdict: "unreadable" }))],
    ]);
  });

  test("does not begin with a folder without evidence, with standard input twice, or with companions alone", () => {
    for (const args of [
      [mkdtempSync(join(folder, "none-"))],
      ["-", "-"],
      [evidenceFile("requests/hand-off.json")],
    ]) {
      const { status, stdout, stderr } = verify(...args);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).not.toBe("");
    }
  });

  test("takes a folder for the files of evidence in it, and says of a receipt with remarks what was recorded", () => {
    const made = mkdtempSync(join(folder, "evidence-"));
    for (const name of ["receipts/hand-off.json", "receipts/greeting.json", "authorities/service.pem"])
      copyFileSync(evidenceFile(name), join(made, name.replace("/", "-").replace(".pem", ".json")));
    symlinkSync(made, join(made, "circle"));
    const { status, stdout } = verify(made);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^ {2}remark +turn 3, issued at .*: MODIFY \(method_unknown, wording_unknown\); wording/m,
      ),
    ]);
    expect(stdout).toMatch(/^2 receipts of 1 conversation on 1 chain, in 2 files\.$/m);
    expect(stdout).toMatch(/authorities-service\.json is not used: it came in a folder/);
  });

  test("compares a text with the wordings, and ends with 3 if it is that of no receipt", () => {
    const { text } = JSON.parse(readFileSync(evidenceFile("layers/service.json"), "utf8")).wordings.find(
      ({ id }: { id: string }) => id === greeting?.policy.wording_id,
    );
    const given = [evidenceFile("receipts/greeting.json"), REPORT, "--json", "--wording"];
    const own = [verify(...given, text), verify(...given, `@${fileWith(`${text}\n`)}`)];
    for (const { status, stdout } of own) {
      expect(status).toBe(0);
      expect(JSON.parse(stdout).wording).toEqual({ matching: [{ file: given[0], turn: "1" }], compared: 2 });
    }
    const { status, stdout } = verify(...given, "Hello");
    expect([status, JSON.parse(stdout).stray]).toMatchObject([3, [{ kind: "wording", file: null }]]);
  });

  test("names the file without a certificate, though another has two", () => {
    const [ours, other] = ["service", "other"].map((name) =>
      readFileSync(evidenceFile(`authorities/${name}.pem`), "utf8"),
    );
    const [both, none] = [fileWith(`${ours}${other}`, "both.pem"), fileWith("no certificate", "none.pem")];
    expect(verify(REPORT, "--tsa-ca", both).status).toBe(0);
    const { status, stdout, stderr } = verify(REPORT, "--tsa-ca", both, "--tsa-ca", none);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`--tsa-ca ${none}: `);
  });

  test.each([
    ["a file that is not there", () => join(folder, "none.json")],
    ["a device without an end", () => "/dev/zero"],
    ["a pipe into which nobody writes", () => made("mkfifo", "pipe.json")],
    ["a link to such a pipe", () => symlinkTo("pipe.json")],
    ["a link that leads to itself", () => symlinkTo("circle.json", "circle.json")],
    ["500 MB", () => sized(500 * MEBIBYTE)],
    ["nesting of a million", () => fileWith(`${"[".repeat(1e6)}${"]".repeat(1e6)}`)],
    ["nesting without an end", () => fileWith('{"a":'.repeat(1e6))],
    ["a number of a million digits", () => fileWith(`{"merkle_proof":${"9".repeat(1e6)}}`)],
    ["a fraction of a million digits", () => fileWith(`{"merkle_proof":0.${"3".repeat(1e6)}}`)],
    ["a list of ten thousand", () => fileWith(`{"merkle_proof":[${"0,".repeat(9_999)}0]}`)],
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
