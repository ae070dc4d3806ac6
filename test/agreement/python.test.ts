// The verifier in Python as a program: what it prints, how it exits, and that no file makes it hang or misspeak. Its
// verdicts are in agreement.test.ts.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { formatEventId } from "../../core/formats/event-id.ts";
import { hashChainHead } from "../../core/formats/metachain.ts";
import type { Receipt } from "../../core/formats/receipt.ts";
import { formatNode } from "../../core/merkle/hash.ts";
import { EVIL_TEXT, UNPRINTABLE } from "../support/evil-text.ts";
import { evidenceFor, forgeReceipts, linkTo } from "../support/lying-service.ts";
import { hasPython, PROGRAM } from "./python.ts";
import { evidenceFile } from "./rows.ts";

const PATIENCE_MS = 30_000;
const MEBIBYTE = 1024 * 1024;
const REPORT = evidenceFile("receipts/hand-off.json");
const DAMAGED = evidenceFile("damaged/receipt-core-verdict.json");
const OTHER_CHAIN = "5".repeat(32);
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

/** Another root under number 0. */
function renumberedSeal(): string {
  const seal = JSON.parse(readFileSync(evidenceFile("seals/1.json"), "utf8"));
  return fileWith(JSON.stringify({ ...seal, index: 0 }));
}

const report = JSON.parse(readFileSync(REPORT, "utf8"));
const changedReport = (change: object): string => fileWith(JSON.stringify({ ...report, ...change }));

describe.skipIf(!hasPython)("python3 examples/verify.py", () => {
  test("ends with 0 for a report that holds, and says each check", () => {
    const { status, stdout, stderr } = verify(REPORT, ...WITH_ALL);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/hand-off\.json \(report\): holds$/m);
    expect(stdout).toMatch(/^ {2}holds +published_root$/m);
    expect(stdout).toMatch(/^ {2}holds +timestamp: the root existed at 2026-11-21T01:08:00Z$/m);
    expect(stdout).toMatch(/^ {2}not checked +evidence_chain: the head is a later receipt$/m);
  });

  test("says so where a check that matters could not be made, and ends with 3 if told to be strict", () => {
    const { status, stdout } = verify(REPORT);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/: holds as far as it could be checked$/m)]);
    expect(verify(REPORT, "--strict").status).toBe(3);
    // What no single receipt can hold takes nothing from it.
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
    ["another call's request", "--request", "requests/reminder.json", "input_hash", "request"],
    ["another authority's certificate", "--tsa-ca", "authorities/other.pem", "timestamp", "trust_anchor"],
  ])("tells %s from damage to the receipt, and ends with 3", (_, option, name, check, kind) => {
    const file = evidenceFile(name);
    const { status, stdout } = verify(REPORT, option, file);
    expect(status).toBe(3);
    expect(stdout).toMatch(/: holds as far as it could be checked$/m);
    expect(stdout).toMatch(new RegExp(`^ {2}not checked +${check}: `, "m"));
    expect(stdout).toMatch(new RegExp(`^The .*${file}.* says nothing against `, "m"));
    const { files, stray } = JSON.parse(verify(REPORT, option, file, "--json").stdout);
    expect(stray).toMatchObject([{ kind, file }]);
    expect(
      files[0].checks.filter(({ companion }: { companion?: string }) => companion !== undefined),
    ).toMatchObject([{ name: check, ok: null, companion: kind }]);
    expect(verify(DAMAGED, option, file).status).toBe(1);
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
    ["two roots of one number", ["--seal", evidenceFile("seals/0.json"), "--seal", renumberedSeal()]],
    ["a request that is not there", ["--request", join(folder, "none.json")]],
  ])("does not begin with %s", (_, args) => {
    const { status, stdout } = verify(REPORT, ...args);
    expect([status, stdout]).toEqual([2, ""]);
  });

  test.each([
    ["a folder", () => folder],
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

describe.skipIf(!hasPython)("python3 examples/verify.py with a bundle of two histories", () => {
  interface Turn {
    readonly chain: readonly Receipt[];
    readonly index: number;
  }

  /** Each turn has a good proof, in the tree of its own chain. */
  function bundleOf(...turns: readonly Turn[]): string {
    const proven = turns.map(({ chain, index }) => ({ ...evidenceFor(chain, index), head: chain.at(-1) }));
    const proofs = proven.map(({ event_id, merkle_proof, head }) => ({
      event_id,
      merkle_proof,
      evidence_chain: head && { chain_id: head.chain_id, head_hash: linkTo(head), sequence: head.sequence },
    }));
    const receipts = proven.flatMap(({ receipts: own = [] }) => own);
    const requests = receipts.map(() => null);
    return fileWith(JSON.stringify({ interaction_id: "call-1", receipts, requests, proofs, seals: [] }));
  }

  const failing = (file: string): string[] =>
    JSON.parse(verify(file, "--json").stdout).files[0].checks.flatMap(
      ({ name, ok }: { name: string; ok: boolean | null }) => (ok === false ? [name] : []),
    );

  const chain = forgeReceipts([{}, {}, {}]);

  test("holds nothing against one whose proofs are of one history", () => {
    expect(failing(bundleOf({ chain, index: 0 }, { chain: chain.slice(0, 2), index: 1 }))).toEqual([]);
  });

  test("finds that a path shows another receipt at the place of the next turn", () => {
    const forked = forgeReceipts([{}, { verdict: "BLOCK" }]);
    expect(failing(bundleOf({ chain, index: 0 }, { chain: forked, index: 1 }))).toEqual(["one_history"]);
  });

  test("finds a turn that is an earlier receipt of its chain than the turn before it", () => {
    const [, , last] = forgeReceipts([{}, {}, { turn: 1, previous_turn_hash: null }]);
    if (last === undefined) throw new Error("three lies make three receipts");
    const later = forgeReceipts([{ turn: 2, previous_turn_hash: linkTo(last), issued_at: last.issued_at }]);
    const file = bundleOf({ chain: [...chain.slice(0, 2), last], index: 2 }, { chain: later, index: 0 });
    expect(failing(file)).toEqual(["turn_links"]);
  });
});

describe.skipIf(!hasPython)("python3 examples/verify.py with several files", () => {
  const conversation = JSON.parse(readFileSync(evidenceFile("bundles/conversation.json"), "utf8"));

  /** The turns from `first` to `last` of the conversation, as the service pages them. */
  function page(first: number, last: number): string {
    const cut = <T>(list: readonly T[]): T[] => list.slice(first - 1, last);
    const { receipts, requests, proofs } = conversation;
    const next_turn = last < receipts.length ? last + 1 : null;
    const lists = { receipts: cut(receipts), requests: cut(requests), proofs: cut(proofs) };
    return fileWith(JSON.stringify({ ...conversation, ...lists, next_turn }));
  }

  const pending = (chain: readonly Receipt[], index: number, name: string): string =>
    fileWith(JSON.stringify(evidenceFor(chain, index)), name);

  test("joins the pages of a conversation, and checks the links from one to the next", () => {
    const { status, stdout } = verify(page(3, 4), page(1, 2));
    expect(status).toBe(0);
    expect(stdout).toMatch(/^The receipts together: holds$/m);
    expect(stdout).toMatch(/^ {2}holds +turn_links: 3 links from turn to turn$/m);
    expect(stdout).not.toContain("This is not all");
  });

  test.each([
    [[[1, 2]], "turns from 3 on"],
    [[[2, 4]], "turn 1"],
    [
      [
        [1, 1],
        [4, 4],
      ],
      "turns 2 to 3",
    ],
  ] as const)("names the turns that are missing from %j", (pages, missing) => {
    const sentence = `This is not all of conversation ${conversation.interaction_id}: not here are ${missing}.`;
    const { missing: named } = JSON.parse(verify(...pages.map(([a, b]) => page(a, b)), "--json").stdout);
    expect(named).toEqual([sentence]);
  });

  test("finds two receipts at one place of a chain, though each has a good proof", () => {
    const [chain, forked] = [forgeReceipts([{}, {}]), forgeReceipts([{}, { verdict: "BLOCK" }])];
    const { status, stdout } = verify(pending(chain, 1, "one.json"), pending(forked, 1, "other.json"));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^The receipts together: does not hold$/m);
    expect(stdout).toMatch(/^ {2}FAILS +chain_links: two receipts claim one place of a chain$/m);
    expect(stdout).toMatch(
      /^ {2}FAILS +one_history: receipt 1 of chain \w+ is .* in .*one\.json and .* in .*other\.json$/m,
    );
  });

  test("does not accuse two services whose roots differ under one number, and names both files", () => {
    const chain = forgeReceipts([
      { chain_id: OTHER_CHAIN, event_id: formatEventId(OTHER_CHAIN, { shard: 0, sequence: 0 }) },
    ]);
    const { merkle_proof, ...rest } = evidenceFor(chain, 0);
    const leaf = { chain_id: OTHER_CHAIN, tree_size: 1, root: merkle_proof.merkle_root };
    const root = formatNode(hashChainHead(leaf));
    const cross_tenant_proof = { seal_index: 2, leaf, leaf_index: 0, tree_size: 1, path: [], root };
    const proof = { ...merkle_proof, status: "included", merkle_root: root, cross_tenant_proof };
    const other = fileWith(JSON.stringify({ ...rest, merkle_proof: proof }), "other-service.json");
    const { status, stdout } = verify(REPORT, other);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^The receipts together: holds as far as it could be checked$/m);
    expect(stdout).toMatch(
      /^ {2}not checked +one_history: .*hand-off\.json and .*other-service\.json: they are of two services/m,
    );
  });
});

function symlinkTo(target: string, name = `link-to-${target}`): string {
  const link = join(folder, name);
  symlinkSync(target, link);
  return link;
}

function sized(bytes: number): string {
  const file = fileWith("{");
  truncateSync(file, bytes);
  return file;
}
