import { describe, expect, test } from "vitest";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import {
  changedReport,
  fileWith,
  REPORT,
  REQUEST,
  readJson,
  receipts,
  start,
  vector,
} from "./command-line.ts";

const CONVERSATION = vector("bundles/conversation.json");
const [wording] = policyLayers.flatMap(({ wordings }) => wordings);
if (wording === undefined) throw new Error("there is no wording");

interface Report {
  readonly receipts: readonly [{ readonly input_hash: string; readonly output_hash: string }];
}
const [receipt] = readJson<Report>(REPORT).receipts;

describe.concurrent("inspect", () => {
  test("tells what was disclosed, when, in which wording, and what the proof and the token say", async () => {
    const { status, stdout, stderr } = await receipts("inspect", vector("receipts/greeting.json"));
    expect(status).toBe(0);
    expect(stderr).toContain("It says nothing about whether it holds: disclosure-receipts verify does.");
    expect(stdout).toMatch(/^ {2}duty +Art\. 50\(1\) of Regulation \(EU\) 2024\/1689, in DE$/m);
    expect(stdout).toMatch(/^ {2}recorded +2\S+Z, by the service's clock$/m);
    expect(stdout).toMatch(/^ {2}wording +de-voice-introduction-1 \(de\)$/m);
    expect(stdout).toMatch(/^ {2}text +“Guten Tag\. .*künstliche Intelligenz\.”$/m);
    expect(stdout).toMatch(/^ {2}receipt before +none: this is the first receipt of its chain$/m);
    expect(stdout).toMatch(/^ {2}in the chain +leaf 0 of \d+, counted from 0$/m);
    expect(stdout).toMatch(/^ {2}in the metachain +entry \d of \d, counted from 0$/m);
    expect(stdout).toMatch(/^ {2}published +\/v1\/metachain\/roots\/0$/m);
    expect(stdout).toMatch(/^ {2}time +2\S+Z, RFC 3161, not a qualified timestamp$/m);
    expect(stdout).toMatch(/^ {2}check +openssl ts -verify -digest [0-9a-f]{64} /m);
  });

  test("says in words what the policy layer found", async () => {
    const { stdout } = await receipts("inspect", REPORT);
    expect(stdout).toMatch(/^ {2}verdict +MODIFY: Recorded, with remarks$/m);
    expect(stdout).toMatch(
      /^ {2}findings +this way of giving notice is not on the list \(method_unknown\)$/m,
    );
    expect(stdout).toMatch(/^ {16}the wording is not on the service’s list \(wording_unknown\)$/m);
  });

  test("tells which later root renews the timestamp of a report", async () => {
    const seal = readJson<Seal>(vector("seals/3.json"));
    const renewal = { renews: 2, between: [], consistency_path: seal.consistency_path, seal };
    const { stdout } = await receipts("inspect", changedReport({ renewal }));
    expect(stdout).toMatch(/^Its renewal$/m);
    expect(stdout).toMatch(/^ {2}by +published root 3, over 1 consistency path$/m);
  });

  test("tells when, by whom and why identifiers were erased, as verify does; what is no erasure is unreadable", async () => {
    const erasure = { erased_at: "2026-11-22T10:00:00.000Z", erased_by: "officer", ground: "request" };
    const file = changedReport({ erasure });
    const sentence = /were erased on 22 November 2026.* by officer \(a person asked for it\)/;
    expect((await receipts("inspect", file)).stdout).toMatch(sentence);
    expect((await receipts("verify", file)).stdout).toMatch(sentence);
    expect((await receipts("verify", "--lang", "de", file)).stdout).toContain("eine Person hat es verlangt");
    const wrong = changedReport({ erasure: { ...erasure, ground: "whim" } });
    expect((await receipts("verify", wrong)).status).toBe(2);
  });

  test("says that a pending receipt is not yet published", async () => {
    const { stdout } = await receipts("inspect", vector("receipts/greeting-pending.json"));
    expect(stdout).toMatch(/^ {2}published +not yet/m);
  });

  test("lists the turns of a bundle, and shows one in full", async () => {
    const { stdout } = await receipts("inspect", CONVERSATION);
    expect(stdout.match(/^ {2}turn [1-4] /gm)).toHaveLength(4);
    const one = await receipts("inspect", CONVERSATION, "--turn", "3");
    expect(one.stdout).toMatch(/^ {2}turn +3 of the conversation$/m);
    expect((await receipts("inspect", CONVERSATION, "--turn", "5")).status).toBe(2);
    const ofReport = await receipts("inspect", REPORT, "--turn", "3");
    expect([ofReport.status, ofReport.stderr]).toEqual([
      2,
      expect.stringContaining("--turn is for a bundle"),
    ]);
  });

  test("shows a published root", async () => {
    const { stdout } = await receipts("inspect", vector("seals/2.json"));
    expect(stdout).toMatch(/^Published root 2$/m);
    expect(stdout).toMatch(/^ {2}sealed +2/m);
  });

  test.each(["nowhere.json", REQUEST, vector("damaged/receipt-core-sequence-type.json")])(
    "ends with 2 where there is nothing to show: %s",
    async (file) => {
      const { status, stdout, stderr } = await receipts("inspect", file);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^disclosure-receipts: \S/);
    },
  );
});

describe.concurrent("hash", () => {
  test("gives the input hash of a request", async () => {
    expect(await receipts("hash", "input", REQUEST)).toEqual({
      status: 0,
      stdout: `${receipt.input_hash}\n`,
      stderr: "",
    });
  });

  test("notes that no service accepts a request, and hashes it all the same", async () => {
    const file = fileWith('{"b":1,"a":"é"}');
    const { status, stdout, stderr } = await receipts("hash", "input", file);
    // printf '{"a":"é","b":1}' | sha256sum
    expect([status, stdout]).toEqual([
      0,
      "sha256:aa58fba8483623bed37c1b02edfccbdd9a53123837c20bfa4cb4049993a2872e\n",
    ]);
    expect(stderr).toContain("note: no service accepts this request");
  });

  test("gives the output hash of a report and of the receipt in it", async () => {
    const expected = { status: 0, stdout: `${receipt.output_hash}\n`, stderr: "" };
    expect(await receipts("hash", "output", REPORT)).toEqual(expected);
    expect(await receipts("hash", "output", fileWith(JSON.stringify(receipt)))).toEqual(expected);
  });

  test("gives the digest of a wording, from the command line, a file and standard input", async () => {
    const expected = { status: 0, stdout: `${wording.digest}\n`, stderr: "" };
    expect(await receipts("hash", "wording", wording.text)).toEqual(expected);
    expect(await receipts("hash", "wording", wording.text.normalize("NFD"))).toEqual(expected);
    expect(await receipts("hash", "wording", "--file", fileWith(`${wording.text}\n`))).toEqual(expected);
    expect(await start(["hash", "wording", "--file", "-"], wording.text).ended).toEqual(expected);
  });

  test("does not trim what belongs to a wording", async () => {
    const { stdout } = await receipts("hash", "wording", "--file", fileWith(`${wording.text}\n\n`));
    expect(stdout).toMatch(/^sha256:/);
    expect(stdout).not.toContain(wording.digest);
  });

  test.each([
    [["hash", "output", CONVERSATION], "this holds several receipts"],
    [["hash", "output", REQUEST], "a receipt has event_id, policy, turn and verdict"],
    [["hash", "input", fileWith("[]")], "a request is a JSON object"],
    [["hash", "input", "nowhere.json"], "there is no such file"],
    [["hash", "wording", "a", "b"], "put a text in quotes"],
    [["hash", "wording", "a", "--file", "b"], "either a text or --file"],
    [["hash", "wording", "--file", fileWith(new Uint8Array([0xff]))], "not text in UTF-8"],
    [["hash", "input"], "a file is missing"],
  ])("refuses %j with status 2", async (args, reason) => {
    const { status, stdout, stderr } = await receipts(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(reason);
  });
});
