// `convert`: a report alone becomes a .tlog-proof and a COSE receipt, and verify reads the proof back.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { formatNoteKey } from "../../../evidence/core/log/note.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import { newLog, signCheckpoint, signRoot } from "../../support/log-signer.ts";
import { LOG, ORIGIN, type SignedReport, signedReport, signedRootOf } from "../../support/signed-report.ts";
import {
  ANCHORS,
  fileWith,
  metachainFolder,
  newFolder,
  REPORT,
  readJson,
  receipts,
  vector,
} from "./command-line.ts";

const LOG_KEY = formatNoteKey(LOG.key);
const SIGNED = signedReport("hand-off");

const reportFile = (report: object = SIGNED): string => fileWith(JSON.stringify(report), "report.json");
const { log_checkpoint: _c, log_signed_root: _r, ...UNSIGNED } = SIGNED;

/** Runs `convert` into a folder of its own. */
async function converted(report: string, ...args: readonly string[]) {
  const folder = newFolder();
  const [proof, cose] = [join(folder, "receipt.tlog-proof"), join(folder, "receipt.cose")];
  const files = ["--tlog-proof", proof, "--cose", cose];
  const ended = await receipts("convert", report, ...files, "--tsa-ca", ANCHORS, ...args);
  return { ...ended, folder, proof, cose };
}

/** A mirror that holds the log's signatures over seal 2. */
function signedMirror({ log_checkpoint, ...report }: SignedReport): string {
  const folder = metachainFolder();
  for (const name of ["checkpoints", "signed-roots"]) mkdirSync(join(folder, "v1/metachain", name));
  writeFileSync(join(folder, "v1/metachain/checkpoints/2"), log_checkpoint);
  writeFileSync(join(folder, "v1/metachain/signed-roots/2"), signedRootOf({ log_checkpoint, ...report }));
  return folder;
}

describe("convert", () => {
  test("writes both forms from a report alone", async () => {
    const { status, stdout, stderr, proof, cose } = await converted(reportFile());
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`${proof}: entry 3 of the log's 6\n${cose}: entry 3 of the log's 6\n`);
    expect(readFileSync(proof, "utf8")).toMatch(/^c2sp\.org\/tlog-proof@v1\nextra .*\nindex 3\n/);
    expect(readFileSync(proof, "utf8")).toContain(`\n\n${ORIGIN}\n6\n`);
    expect(readFileSync(cose).subarray(0, 2).toString("hex")).toBe("d284");
  });

  test("writes a proof that inspect tells in words, without the code that it does not have", async () => {
    const { proof } = await converted(reportFile());
    const { status, stdout } = await receipts("inspect", proof);
    expect([status, stdout]).toEqual([0, expect.not.stringContaining("undefined")]);
    expect(stdout).toMatch(/^ {2}MAC +none: it is left out of this form of the receipt$/m);
  });

  test("takes what the report lacks from the public log that the reader names", async () => {
    const own = await converted(reportFile());
    const mirror = signedMirror(SIGNED);
    const other = await converted(reportFile(UNSIGNED), "--metachain", mirror);
    expect(other.status).toBe(0);
    expect(readFileSync(other.cose)).toEqual(readFileSync(own.cose));
    expect(readFileSync(other.proof)).toEqual(readFileSync(own.proof));
  });

  /** A mirror of a log that signed its newest root alone. */
  function lateMirror(): string {
    const folder = metachainFolder();
    const { tree_size: size, merkle_root } = readJson<Seal>(vector("seals/3.json"));
    const tree = { size, root: parseNode(merkle_root) };
    mkdirSync(join(folder, "v1/metachain/signed-roots"));
    writeFileSync(join(folder, "v1/metachain/checkpoint"), signCheckpoint(LOG, tree));
    writeFileSync(join(folder, "v1/metachain/signed-roots/3"), signRoot(LOG, tree.root));
    return folder;
  }

  test.each([
    ["its own root was never signed", UNSIGNED, []],
    ["the reader wants it", SIGNED, ["--newest"]],
  ])("shows the receipt under the newest checkpoint where %s", async (_, report, options) => {
    const mirror = lateMirror();
    const ended = await converted(reportFile(report), "--metachain", mirror, ...options);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout).toContain("entry 3 of the log's 7\n");
    const given = ["--tsa-ca", ANCHORS, "--log-key", LOG_KEY, "--metachain", mirror];
    const proof = await receipts("verify", ended.proof, ...given);
    expect([proof.status, proof.stdout]).toEqual([0, expect.stringContaining("with its 7 entries")]);
  });

  test("refuses a receipt that the tiles do not lead to the newest root from", async () => {
    const mirror = lateMirror();
    const tile = join(mirror, "v1/metachain/tile/0/000.p/7");
    writeFileSync(tile, readFileSync(tile).fill(1, 0, 32));
    const ended = await converted(reportFile(UNSIGNED), "--metachain", mirror);
    expect(ended).toMatchObject({ status: 1, stdout: "" });
    expect(existsSync(ended.proof)).toBe(false);
  });

  test("says what to do where the log's signatures are missing", async () => {
    const alone = await converted(REPORT);
    expect(alone).toMatchObject({ status: 2, stdout: "" });
    expect(alone.stderr).toContain("carries no signed checkpoint of the log: fetch the report again");
    const unsigned = await converted(REPORT, "--metachain", metachainFolder());
    expect(unsigned.stderr).toContain("published no signed checkpoint yet");
    expect(existsSync(unsigned.proof)).toBe(false);
  });

  test("leaves a timestamp out that leads to none of the reader's authorities, and says so", async () => {
    const proof = join(newFolder(), "receipt.tlog-proof");
    const ended = await receipts("convert", reportFile(), "--tlog-proof", proof, "--tsa-ca", "none");
    expect(ended).toMatchObject({ status: 0, stderr: expect.stringContaining("carries no timestamp") });
    expect(ended.stderr).toContain("give its root certificate with --tsa-ca FILE");
    expect(readFileSync(proof, "utf8")).not.toContain("127.0.0.1");
  });

  test.each<[string, () => string, number, string]>([
    [
      "a receipt that is not published",
      () => vector("receipts/hand-off-pending.json"),
      2,
      "not published yet",
    ],
    ["a conversation", () => vector("bundles/conversation.json"), 2, "this is a conversation"],
    ["a published root", () => vector("seals/2.json"), 2, "this is a published root"],
    ["a request", () => vector("requests/hand-off.json"), 2, "this is a request"],
    [
      "a report that was changed",
      () => reportFile({ ...SIGNED, event_id: SIGNED.receipts[0]?.chain_id }),
      1,
      "does not hold",
    ],
    [
      "a report with another tree's checkpoint",
      () => reportFile({ ...SIGNED, log_checkpoint: signedReport("greeting").log_checkpoint }),
      1,
      "the checkpoint is of a tree of 1 entry, and not of 6",
    ],
    [
      "a report whose checkpoint is none",
      () => reportFile({ ...SIGNED, log_checkpoint: "x" }),
      2,
      "signature lines",
    ],
    [
      "the only entry of a tree, as a COSE receipt",
      () => reportFile(signedReport("greeting")),
      2,
      "--newest shows the receipt in a larger tree",
    ],
  ])("refuses %s, and writes nothing", async (_, file, status, message) => {
    const ended = await converted(file());
    expect(ended).toMatchObject({ status, stdout: "", stderr: expect.stringContaining(message) });
    expect([existsSync(ended.proof), existsSync(ended.cose)]).toEqual([false, false]);
  });

  test.each([
    [["convert"], "convert takes one report"],
    [["convert", "a.json", "b.json"], "convert takes one report"],
    [["convert", "a.json"], "name a file to write"],
  ])("%j is no command line of it", async (args, message) => {
    expect(await receipts(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
  });
});

describe("verify", () => {
  test("reads a .tlog-proof back, offline, with every check of a report", async () => {
    const { proof } = await converted(reportFile());
    const args = ["--tsa-ca", ANCHORS, "--log-key", LOG_KEY, "--json"];
    const { status, stdout } = await receipts("verify", proof, ...args);
    const { verdict, files } = JSON.parse(stdout);
    const checks = new Map(files[0].checks.map(({ name, ok }: { name: string; ok: unknown }) => [name, ok]));
    expect([status, verdict, files[0].kind]).toEqual([0, "holds_so_far", "report"]);
    for (const name of ["event_inclusion", "merkle_root", "timestamp", "checkpoint"])
      expect([name, checks.get(name)]).toEqual([name, true]);
    expect(files[0].checkpoints).toMatchObject([{ origin: ORIGIN, tree_size: 6 }]);
  });

  test("holds a .tlog-proof against the published roots and the report that it came from", async () => {
    const report = reportFile();
    const { proof } = await converted(report);
    const args = ["--tsa-ca", ANCHORS, "--metachain", metachainFolder(), "--log-key", LOG_KEY, "--json"];
    const { stdout, status } = await receipts("verify", proof, report, ...args);
    const { verdict, files } = JSON.parse(stdout);
    expect([status, verdict, files.length]).toEqual([0, "holds", 2]);
  });

  test("refuses a .tlog-proof under another log's key as a stray key, and a changed one as false", async () => {
    const { proof, folder } = await converted(reportFile());
    const text = readFileSync(proof, "utf8");
    const changed = join(folder, "changed.tlog-proof");
    const signature = /(\u2014 receipts\S+ \S{20})(.)/u;
    writeFileSync(
      changed,
      text.replace(signature, (_, before, last) => `${before}${last === "A" ? "B" : "A"}`),
    );
    const ended = await receipts("verify", changed, "--tsa-ca", ANCHORS, "--log-key", LOG_KEY);
    expect(ended.status).toBe(1);
    const index = join(folder, "index.tlog-proof");
    writeFileSync(index, text.replace(/^index 3$/m, "index 2"));
    expect((await receipts("verify", index, "--tsa-ca", ANCHORS)).status).toBe(1);
  });

  test("takes the log's key as a file among the others, but only one, and none from a folder", async () => {
    const { proof, folder } = await converted(reportFile());
    const key = fileWith(LOG_KEY, "log.vkey");
    const withKey = await receipts("verify", proof, key, "--tsa-ca", ANCHORS, "-v");
    expect(withKey.stdout).toContain(`${ORIGIN} signed this root with its size of 6`);
    const two = await receipts("verify", proof, key, "--log-key", LOG_KEY);
    expect(two).toMatchObject({
      status: 2,
      stdout: expect.stringContaining("one key of a log, or one policy"),
    });
    writeFileSync(join(folder, "key.json"), LOG_KEY);
    const { stdout } = await receipts("verify", folder, "--tsa-ca", ANCHORS, "-v");
    expect(stdout).not.toContain(`${ORIGIN} signed this root`);
  });

  test("finds the proofs of a folder", async () => {
    const { folder } = await converted(reportFile());
    const { stdout } = await receipts("verify", folder, "--tsa-ca", ANCHORS, "--json");
    const { files } = JSON.parse(stdout);
    expect(files.map(({ kind }: { kind: string }) => kind)).toEqual(["report"]);
  });
});

describe("verify of a COSE receipt", () => {
  const KEY = ["--tsa-ca", ANCHORS, "--log-key", LOG_KEY];

  async function coseCheck(...args: readonly string[]) {
    const { status, stdout } = await receipts("verify", ...args, "--json");
    const { files, stray } = JSON.parse(stdout);
    const checks: { name: string; ok: boolean | null; detail: string }[] = files[0].checks;
    return { status, stray, check: checks.find(({ name }) => name === "cose_receipt") };
  }

  test("holds with the report that it came from, and with the .tlog-proof", async () => {
    const report = reportFile();
    const { proof, cose } = await converted(report);
    for (const evidence of [report, proof]) {
      const { status, check } = await coseCheck(evidence, cose, ...KEY);
      expect([status, check?.ok, check?.detail]).toEqual([
        0,
        true,
        `${ORIGIN} signed this root, and its COSE receipt leads there`,
      ]);
    }
  });

  test("stays open without the log's key, and under the key of another", async () => {
    const report = reportFile();
    const { cose } = await converted(report);
    const open = await coseCheck(report, cose, "--tsa-ca", ANCHORS);
    expect([open.status, open.check?.ok]).toEqual([0, null]);
    const other = formatNoteKey(newLog("other.example/log").key);
    const stray = await coseCheck(report, cose, "--tsa-ca", ANCHORS, "--log-key", other);
    expect([stray.status, stray.check?.ok]).toEqual([3, null]);
  });

  test("does not hold where a byte of its signature, its path or its header was changed", async () => {
    const report = reportFile();
    const { cose } = await converted(report);
    const bytes = readFileSync(cose);
    for (const at of [20, bytes.length - 1, bytes.length - 80]) {
      const changed = fileWith(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)));
      const { status, check } = await coseCheck(report, changed, ...KEY);
      expect([at, status, check?.ok]).toEqual([at, 1, false]);
    }
  });

  test("is a stray next to another receipt, and no evidence by itself", async () => {
    const { cose } = await converted(reportFile());
    const { status, stray, check } = await coseCheck(vector("receipts/goodbye.json"), cose, ...KEY);
    expect([status, check, stray]).toMatchObject([3, undefined, [{ kind: "cose_receipt", file: cose }]]);
    const sheet = ["-o", join(newFolder(), "sheet.html")];
    expect((await receipts("sheet", vector("receipts/goodbye.json"), cose, ...sheet)).status).toBe(3);
    const alone = await receipts("verify", cose, ...KEY);
    expect(alone).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("is a COSE receipt, which is"),
    });
    const cut = fileWith(readFileSync(cose).subarray(0, 100));
    expect((await receipts("verify", cut)).stdout).toContain("the CBOR ends too early");
  });
});
