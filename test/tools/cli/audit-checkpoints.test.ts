// The audit of a log that signs its roots: its checkpoints against the roots, its key, and proofs of a fork.
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { forkFileName } from "../../../evidence/core/log/fork.ts";
import {
  logSigner,
  noteOf,
  policyText,
  signedCheckpoint,
  witnessSigner,
} from "../../support/note-signers.ts";
import { fileWith, newFolder, receipts, vector } from "./command-line.ts";
import { entryOf, type PublishedLog, publishedLog, writeLog } from "./published-log.ts";
import { LOG, signedLog, treeAt } from "./signed-log.ts";

const SIZES = [1, 300, 600];
const WITNESSES = [witnessSigner("witness.example/a")];

interface Report {
  readonly verdict: string;
  readonly checkpoints: object;
  readonly fork: string | null;
  readonly faults: readonly {
    readonly index: number | null;
    readonly check: string;
    readonly detail: string;
  }[];
}

async function audit(
  log: PublishedLog | string,
  ...args: string[]
): Promise<Report & { status: number | null }> {
  const folder = typeof log === "string" ? log : writeLog(newFolder(), log);
  const { status, stdout } = await receipts(
    "audit",
    folder,
    "--json",
    "--fork",
    join(newFolder(), "fork.json"),
    ...args,
  );
  return { ...(JSON.parse(stdout) as Report), status };
}

const faultsOf = ({ faults }: Report): string[] =>
  faults.map(({ index, check, detail }) => `${index} ${check}: ${detail}`);

/** The log, with this checkpoint as its newest. */
const withNewest = (log: PublishedLog, note: string): PublishedLog => log.set("checkpoint", note);
const KEY = ["--log-key", LOG.vkey];
const another = (index: number): Buffer => entryOf(index === 7 ? 7_000 : index);

describe.concurrent("an audit of a log that signs its roots", () => {
  test("counts its checkpoints, from the first root on that has one", async () => {
    const log = signedLog(SIZES, { witnesses: WITNESSES });
    log.delete("checkpoints/0");
    const policy = fileWith(policyText(LOG, WITNESSES), "policy");
    const report = await audit(log, "--policy", policy);
    expect([report.status, faultsOf(report), report.fork]).toEqual([0, [], null]);
    expect(report.checkpoints).toMatchObject({ first: 1, signed: 2, cosigned: 2, verified: true });
    const { stdout } = await receipts("audit", writeLog(newFolder(), log), "--policy", policy);
    expect(stdout).toMatch(
      /^ {2}checkpoints +2 roots are signed, from root 1 on; 2 with the quorum of your policy$/m,
    );
  });

  test("counts no cosignature of a time to come", async () => {
    const log = signedLog(SIZES, { witnesses: WITNESSES });
    log.set("checkpoints/2", signedCheckpoint(LOG, treeAt(600), WITNESSES, "2999-01-01T00:00:00Z"));
    const report = await audit(log, "--policy", fileWith(policyText(LOG, WITNESSES), "policy"));
    expect(report.checkpoints).toMatchObject({ signed: 3, cosigned: 2 });
  });

  test("says where a log signs none", async () => {
    const { stdout } = await receipts("audit", writeLog(newFolder(), publishedLog(SIZES)), ...KEY);
    expect(stdout).toMatch(/^ {2}checkpoints +none: /m);
  });

  test("says how many of the newest roots are not signed", async () => {
    const folder = writeLog(newFolder(), signedLog(SIZES, { signed: [1] }));
    const { stdout } = await receipts("audit", folder, ...KEY);
    expect(stdout).toContain("1 root is signed, from root 0 on, but not 2 roots at the end");
  });

  test.each<[string, (log: PublishedLog) => void, string]>([
    [
      "is of another root",
      (log) => log.set("checkpoints/1", signedCheckpoint(LOG, treeAt(300, another))),
      "1 checkpoint: the log signed another root for 300 entries",
    ],
    [
      "is of another size",
      (log) => log.set("checkpoints/1", signedCheckpoint(LOG, treeAt(299))),
      "1 checkpoint: the checkpoint is of a tree of 299 entries, and not of 300",
    ],
    [
      "is signed by another key",
      (log) => log.set("checkpoints/1", signedCheckpoint(logSigner(LOG.name, "stolen"), treeAt(300))),
      "1 checkpoint: no log of the policy signed the checkpoint",
    ],
    [
      "is no checkpoint",
      (log) => log.set("checkpoints/1", "nonsense"),
      "1 checkpoint: a signed note has no signature lines",
    ],
  ])("names the root whose checkpoint %s", async (_, change, expected) => {
    const log = signedLog(SIZES);
    change(log);
    const report = await audit(log, ...KEY);
    expect([report.status, faultsOf(report)]).toEqual([1, [expected]]);
  });

  test("takes a newest checkpoint that is older than the last root, but of the same log", async () => {
    const report = await audit(withNewest(signedLog(SIZES), signedCheckpoint(LOG, treeAt(300))), ...KEY);
    expect([report.status, faultsOf(report)]).toEqual([0, []]);
  });

  test("takes a newest checkpoint that is newer than the head, once its files are there", async () => {
    const head = signedLog([1, 300]);
    for (const [path, content] of signedLog(SIZES)) if (path.startsWith("tile/")) head.set(path, content);
    const newer = withNewest(head, signedCheckpoint(LOG, treeAt(600)));
    expect(faultsOf(await audit(newer, ...KEY))).toEqual([]);
    const early = withNewest(signedLog([1, 300]), signedCheckpoint(LOG, treeAt(600)));
    expect(faultsOf(await audit(early, ...KEY))).toEqual([]);
  });
});

describe.concurrent("a log that signed two histories", () => {
  test.each([
    ["of one size", signedLog(SIZES), treeAt(600, another)],
    ["of a smaller size", signedLog(SIZES), treeAt(300, another)],
  ])("is found by a newest checkpoint %s, and proved", async (_, log, tree) => {
    const report = await audit(withNewest(log, signedCheckpoint(LOG, tree)), ...KEY);
    expect([report.status, report.verdict]).toEqual([1, "does_not_hold"]);
    expect(faultsOf(report)).toEqual([
      expect.stringContaining("null checkpoint: the newest checkpoint is of another log"),
    ]);
    const { status, stdout } = await receipts("verify", report.fork ?? "", ...KEY);
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining(`The log ${LOG.name} signed two histories`),
    ]);
  });

  test("is found by a newest checkpoint of a larger size, whose files show it, and proved", async () => {
    const [log, forked] = [signedLog([1, 300]), publishedLog([600], another)];
    for (const path of ["tile/0/001", "tile/0/002.p/88", "tile/1/000.p/2"])
      log.set(path, forked.get(path) ?? expect.unreachable(path));
    const report = await audit(withNewest(log, signedCheckpoint(LOG, treeAt(600, another))), ...KEY);
    expect(faultsOf(report)).toEqual([expect.stringContaining("different roots for 300 entries")]);
    expect((await receipts("verify", report.fork ?? "", ...KEY)).status).toBe(1);
  });

  test("is found by the checkpoint of an earlier root, and proved by a later one", async () => {
    const log = signedLog(SIZES).set("checkpoints/1", signedCheckpoint(LOG, treeAt(300, another)));
    const report = await audit(log, ...KEY);
    const fork = JSON.parse(readFileSync(report.fork ?? "", "utf8"));
    expect(fork).toMatchObject({ format: "disclosure-receipts fork 1", prefix_root: treeAt(300).root });
    expect((await receipts("verify", report.fork ?? "", ...KEY)).status).toBe(1);
  });

  test("is told with the file that proves it, which is named after the log unless the reader names it", async () => {
    const folder = writeLog(
      newFolder(),
      withNewest(signedLog(SIZES), signedCheckpoint(LOG, treeAt(600, another))),
    );
    const file = join(newFolder(), forkFileName(LOG.name));
    const { stdout } = await receipts("audit", folder, ...KEY, "--fork", file);
    expect(stdout).toContain(`FORK: The log ${LOG.name} signed two histories`);
    expect(stdout).toContain(file);
    expect(existsSync(file)).toBe(true);
  });

  test("is not proved by checkpoints that nobody verified", async () => {
    const log = signedLog(SIZES, { named: false });
    const report = await audit(withNewest(log, signedCheckpoint(LOG, treeAt(600, another))));
    expect([report.status, report.fork]).toEqual([1, null]);
  });
});

describe("verify, of a proof of a fork,", () => {
  const written = async (): Promise<string> => {
    const log = withNewest(signedLog(SIZES), signedCheckpoint(LOG, treeAt(600, another)));
    return (await audit(log, ...KEY)).fork ?? "";
  };

  test("needs the log's key, and believes no other", async () => {
    const file = await written();
    expect(await receipts("verify", file)).toMatchObject({
      status: 2,
      stdout: expect.stringContaining("--log-key"),
    });
    const stolen = logSigner(LOG.name, "stolen").vkey;
    expect((await receipts("verify", file, "--log-key", stolen)).status).not.toBe(0);
  });

  describe("among other files,", () => {
    const RECEIPT = vector("receipts/greeting.json");
    const SENTENCE = `The log ${LOG.name} signed two histories that contradict each other.`;

    test("confirms it, with status 1, by name and in a folder", async () => {
      const fork = await written();
      const folder = newFolder();
      for (const file of [fork, RECEIPT]) copyFileSync(file, join(folder, basename(file)));
      for (const files of [[RECEIPT, fork], [folder], [fork, fork]]) {
        const { status, stdout } = await receipts("verify", ...files, ...KEY);
        expect([status, stdout]).toEqual([1, expect.stringContaining(SENTENCE)]);
      }
      const [, key = ""] = KEY;
      const { status, stdout } = await receipts("verify", fork, fileWith(key));
      expect([status, stdout]).toEqual([1, expect.stringContaining(SENTENCE)]);
    });

    test("says what it lacks without a key or under another, with status 2", async () => {
      const fork = await written();
      const lacking = await receipts("verify", RECEIPT, fork);
      expect([lacking.status, lacking.stdout]).toEqual([
        2,
        expect.stringContaining("under the log's key: --log-key"),
      ]);
      const other = ["--log-key", logSigner("elsewhere.example").vkey];
      const strange = await receipts("verify", RECEIPT, fork, ...other);
      expect([strange.status, strange.stdout]).toEqual([
        2,
        expect.stringContaining("the policy knows no log"),
      ]);
    });

    test("is no part of a sheet", async () => {
      const { status, stderr } = await receipts(
        "sheet",
        RECEIPT,
        await written(),
        "-o",
        join(newFolder(), "s.html"),
      );
      expect([status, stderr]).toEqual([2, expect.stringContaining("proves that a log forked")]);
    });
  });

  test("does not confirm two checkpoints of one history", async () => {
    const checkpoints = [signedCheckpoint(LOG, treeAt(300)), signedCheckpoint(LOG, treeAt(300))];
    const none = {
      format: "disclosure-receipts fork 1",
      checkpoints,
      prefix_root: null,
      consistency_path: [],
    };
    const { status, stdout } = await receipts("verify", fileWith(JSON.stringify(none)), ...KEY);
    expect([status, stdout]).toEqual([2, expect.stringContaining("the larger tree extends the smaller one")]);
  });

  test("reports it as JSON", async () => {
    const { stdout } = await receipts("verify", await written(), ...KEY, "--json");
    const trees = [600, 600].map((size) => expect.objectContaining({ size }));
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "does_not_hold",
      files: [{ kind: "fork", verdict: "does_not_hold", fork: { origin: LOG.name, trees } }],
    });
  });
});

describe.concurrent("without a key of the reader's, an audit", () => {
  test("verifies under the key that the log names, and says so", async () => {
    const { status, stdout } = await receipts("audit", writeLog(newFolder(), signedLog(SIZES)));
    expect([status, stdout]).toEqual([0, expect.stringContaining("by the key that the log itself names")]);
    const stolen = signedCheckpoint(logSigner(LOG.name, "stolen"), treeAt(300));
    expect(faultsOf(await audit(signedLog(SIZES).set("checkpoints/1", stolen)))).toHaveLength(1);
  });

  test("notices that the log names another key than before", async () => {
    const folder = writeLog(newFolder(), signedLog(SIZES));
    const state = join(newFolder(), "state.json");
    expect((await audit(folder, "--state", state)).status).toBe(0);
    writeLog(folder, signedLog(SIZES, { log: logSigner(LOG.name, "new") }));
    const report = await audit(folder, "--state", state);
    expect(faultsOf(report)).toContainEqual(
      expect.stringMatching(/^null checkpoint: the log named the key .* before/),
    );
  });

  test("demands that texts fit and that one key signed all, where the log names none", async () => {
    const log = signedLog(SIZES, { named: false });
    const { checkpoints } = await audit(log);
    expect(checkpoints).toMatchObject({ signed: 3, verified: false });
    log.set("checkpoints/2", signedCheckpoint(logSigner(LOG.name, "stolen"), treeAt(600)));
    expect(faultsOf(await audit(log))).toEqual([expect.stringContaining("2 checkpoint: it is signed by")]);
    log.set("checkpoints/2", noteOf("nothing\n"));
    expect((await audit(log)).status).toBe(1);
  });
});

describe.concurrent("an audit with --state", () => {
  test("notices that a log which signed its roots shows no checkpoint any more", async () => {
    const folder = writeLog(newFolder(), signedLog(SIZES));
    const state = join(newFolder(), "state.json");
    expect((await audit(folder, ...KEY, "--state", state)).status).toBe(0);
    rmSync(join(folder, "v1/metachain/checkpoint"));
    const report = await audit(folder, ...KEY, "--state", state);
    expect([report.status, faultsOf(report)]).toEqual([
      1,
      ["null checkpoint: the log had a signed checkpoint at the last audit, and has none now"],
    ]);
  });

  test("looks again for checkpoints that came after their root", async () => {
    const folder = writeLog(newFolder(), signedLog([1, 300, 600], { signed: [1] }));
    const state = join(newFolder(), "state.json");
    const first = await audit(folder, ...KEY, "--state", state);
    expect(first.checkpoints).toMatchObject({ first: 0, signed: 1 });
    writeLog(folder, signedLog(SIZES));
    expect((await audit(folder, ...KEY, "--state", state)).checkpoints).toMatchObject({ signed: 3 });
    const other = await receipts("audit", folder, "--state", state);
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining("another log policy")]);
  });
});
