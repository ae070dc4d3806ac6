// What audit, mirror and history say of a log that may not show its newest state: how old the newest quorum of witnesses is,
// and since when entries are kept back. All of it is open, and nothing is false.
import { describe, expect, onTestFinished, test } from "vitest";
import { serveHistory } from "../../support/history-server.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { policyText, signedCheckpoint, witnessSigner } from "../../support/note-signers.ts";
import { requestOf } from "../../support/test-process.ts";
import { fileWith, newFolder, receipts } from "./command-line.ts";
import { entryOf, type PublishedLog, publishedLog, writeLog } from "./published-log.ts";
import { LOG, signedLog, treeAt } from "./signed-log.ts";

const SIZES = [1, 300, 600];
const WITNESSES = [witnessSigner("witness.example/a")];
/** When the seals of these logs were made, and their checkpoints cosigned. */
const SEALED = "2026-11-21T12:00:00.000Z";
const COSIGNED = "2026-11-22T10:00:00.000Z";
const OLD = `The newest quorum of witnesses is of ${COSIGNED}: `;

const policy = ["--policy", fileWith(policyText(LOG, WITNESSES), "policy")];
const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
const cosignedNow = (size: number): string => signedCheckpoint(LOG, treeAt(size), WITNESSES, now());
const folderOf = (log: PublishedLog): string => writeLog(newFolder(), log);

describe("the newest quorum", () => {
  const audit = async (log: PublishedLog) => {
    const { status, stdout } = await receipts("audit", folderOf(log), "--json", ...policy);
    return { status, ...JSON.parse(stdout) };
  };

  test("has its age told by an audit, and is renewed by the checkpoint that is cosigned anew", async () => {
    const log = signedLog(SIZES, { witnesses: WITNESSES });
    expect(await audit(log)).toMatchObject({ status: 0, checkpoints: { quorum_at: COSIGNED } });
    const old = await receipts("audit", folderOf(log), ...policy);
    expect([old.status, old.stdout]).toEqual([0, expect.stringContaining(OLD)]);
    log.set("checkpoint", cosignedNow(600));
    const { stdout } = await receipts("audit", folderOf(log), ...policy);
    expect(stdout).toMatch(/^ {2}newest quorum +\d+ \w+ ago, /m);
    expect(stdout).not.toContain("The newest quorum");
  });

  test("counts from when the next root was sealed, however often its smaller tree is cosigned", async () => {
    const log = signedLog(SIZES);
    for (const path of ["checkpoints/0", "checkpoint"]) log.set(path, cosignedNow(1));
    expect(await audit(log)).toMatchObject({ status: 0, fault_count: 0, checkpoints: { quorum_at: SEALED } });
  });

  test("is none where it is of a larger tree than was shown", async () => {
    const log = signedLog([1, 300]).set("checkpoint", cosignedNow(600));
    expect(await audit(log)).toMatchObject({ status: 0, fault_count: 0, checkpoints: { quorum_at: null } });
  });

  test.each([[[]], [["--new"]]])("has its age told by a mirror, with %j", async (args) => {
    const [log, to] = [signedLog(SIZES, { witnesses: WITNESSES }), newFolder()];
    await receipts("mirror", folderOf(log), to, ...policy);
    const old = await receipts("mirror", folderOf(log), to, ...policy, ...args);
    expect([old.status, old.stderr]).toEqual([0, expect.stringContaining(OLD)]);
    log.set("checkpoint", cosignedNow(600));
    const { stdout, stderr } = await receipts("mirror", folderOf(log), to, ...policy, ...args);
    expect(stdout).toMatch(/^newest quorum of witnesses: \d+ \w+ ago, /m);
    expect(stderr).not.toContain("The newest quorum");
  });
});

describe("entries that are kept back", () => {
  const sentenceOf = (since: string) =>
    expect.stringContaining(`has not published its entries since ${since}: `);
  const keptBack = publishedLog(SIZES, entryOf, [1, 300]);

  test.each([[[]], [["--new"]]])("are told by a mirror, with %j", async (args) => {
    const [from, to] = [folderOf(keptBack), newFolder()];
    await receipts("mirror", from, to);
    const { status, stderr } = await receipts("mirror", from, to, ...args);
    expect([status, stderr]).toEqual([0, sentenceOf(SEALED)]);
    const whole = await receipts("mirror", folderOf(publishedLog(SIZES)), to, ...args);
    expect(whole.stderr).not.toContain("has not published");
  });

  test("are told from their first root on, however many came between two audits with --state", async () => {
    const [folder, state] = [folderOf(keptBack), ["--state", `${newFolder()}/state.json`]];
    await receipts("audit", folder, ...state);
    const later = publishedLog([...SIZES, 700], entryOf, [1, 300]);
    const seal = { ...JSON.parse(String(later.get("roots/3"))), sealed_at: new Date().toISOString() };
    const head = { ...JSON.parse(String(later.get("index.json"))), latest: seal };
    writeLog(folder, later.set("roots/3", JSON.stringify(seal)).set("index.json", JSON.stringify(head)));
    const { status, stdout } = await receipts("audit", folder, ...state);
    expect([status, stdout]).toEqual([0, sentenceOf(SEALED)]);
  });

  test("are told by history", async () => {
    const stack = await startLedgerStack();
    onTestFinished(stack.close);
    const ledger = await stack.newLedger();
    const process = ledger.newProcess();
    const caller = await ledger.newTenant("tenant");
    const server = await serveHistory(ledger, caller, "dr_live_test");
    onTestFinished(server.close);
    for (const id of ["a", "b"]) {
      await process.attest(caller, requestOf(id));
      await process.seal();
    }
    const history = () => receipts("history", server.url, "--key", "dr_live_test", "--out", newFolder());
    expect((await history()).stderr).not.toContain("has not published");
    const { latest } = await process.roots.head();
    server.lie = (path) => {
      if (path === "/v1/metachain/roots/1") return { ...latest, sealed_at: SEALED };
      return path === "/v1/metachain/tile/entries/000.p/2" ? null : undefined;
    };
    const { status, stderr } = await history();
    expect([status, stderr]).toEqual([0, sentenceOf(SEALED)]);
  });
});
