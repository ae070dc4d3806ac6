// `--mine`: a tenant compares the history of its chains, and the places that a bill counts, with the receipts that it kept
// of its own calls. An operator that records receipts of its own, or drops one, is found by nobody else.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { finalBill, world } from "../../support/bill-inputs.ts";
import { historyFiles, publishedFiles } from "../../support/bill-world.ts";
import { type HistoryServer, serveHistory } from "../../support/history-server.ts";
import { type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { fileWith, newFolder, receipts } from "./command-line.ts";

const KEY = "dr_live_test";
const CALLS = 9;

function folderOf(files: ReadonlyMap<string, string | Uint8Array>): string {
  const folder = newFolder();
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Each value as a file of its own. */
const folderWith = (...values: readonly unknown[]): string =>
  folderOf(new Map(values.map((value, i) => [`${i}.json`, JSON.stringify(value)])));

/** The receipt that the call was answered with, where the ledger has recorded another in its place. */
const asAnsweredBefore = (answer: ComplianceReceipt): ComplianceReceipt => ({
  ...answer,
  receipts: answer.receipts.map((receipt) => ({ ...receipt, input_hash: `sha256:${"7".repeat(64)}` })),
});

describe("history --mine", () => {
  let stack: Awaited<ReturnType<typeof startLedgerStack>>;
  let ledger: Ledger;
  let process: TestProcess;
  let caller: TestCaller;
  let server: HistoryServer;
  /** In the order of their places. */
  const answers: ComplianceReceipt[] = [];
  let chain = "";

  beforeAll(async () => {
    stack = await startLedgerStack();
    ledger = await stack.newLedger();
    process = ledger.newProcess();
    caller = await ledger.newTenant("tenant");
    server = await serveHistory(ledger, caller, KEY);
    for (let i = 0; i < CALLS; i++) answers.push(await process.attest(caller, requestOf(`call-${i % 2}`)));
    chain = caller.chainIds[0] ?? "";
    await process.seal();
    ledger.now += MINUTE;
  });
  afterAll(async () => {
    server.close();
    await stack.close();
  });

  const compare = (mine: string, out = newFolder()) =>
    receipts("history", server.url, "--key", KEY, "--out", out, "--mine", mine);

  test("finds every place to be the tenant's own where it kept answers, reports and bundles of them all", async () => {
    const bundle = await process.interaction(caller, "call-1");
    const report = await process.report(caller, answers[0]?.event_id ?? "", "newest");
    const mine = folderWith(bundle, report, ...answers.slice(1).filter((_, i) => i % 2 === 1));
    const { status, stdout } = await compare(mine);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining("9 places compared with your receipts: each is yours, none is missing"),
    ]);
  });

  test("names the places at which the operator recorded receipts of its own", async () => {
    const { status, stdout } = await compare(folderWith(...answers.filter((_, i) => ![3, 7, 8].includes(i))));
    expect(status).toBe(1);
    expect(stdout).toContain(`not yours: places 3, 7 to 8 of chain ${chain} are none of yours`);
  });

  test("names an own receipt that was dropped, and its place, where another stands", async () => {
    const dropped = answers.map((answer, i) => (i === 4 ? asAnsweredBefore(answer) : answer));
    const { status, stdout } = await compare(folderWith(...dropped));
    expect(status).toBe(1);
    expect(stdout).toContain(`place 4 of chain ${chain} is none of yours`);
    expect(stdout).toMatch(
      new RegExp(
        `^missing: receipt ${answers[4]?.event_id} \\(.*4.json\\) is not at place 4 of chain ${chain}$`,
        "m",
      ),
    );
  });

  test("names an own receipt of a chain that the service does not tell", async () => {
    const other = await process.attest(await ledger.newTenant("other"), requestOf("call"));
    const { status, stdout } = await compare(folderWith(...answers, other));
    expect([status, stdout]).toEqual([1, expect.stringContaining(`missing: receipt ${other.event_id}`)]);
  });

  test("takes receipts that no seal covers yet for newer, and reads no history as receipts", async () => {
    const mine = folderWith(...answers, await process.attest(caller, requestOf("call")));
    for (let run = 0; run < 2; run++) {
      const { status, stderr } = await compare(mine, join(mine, "history"));
      expect([status, stderr]).toEqual([
        0,
        expect.stringContaining("1 of your receipts is newer than the history"),
      ]);
    }
  });

  test("has status 2 where a file can't be read, or the folder has none", async () => {
    const damaged = await compare(folderWith(...answers, { receipts: "none" }));
    expect([damaged.status, damaged.stderr]).toEqual([
      2,
      expect.stringMatching(/9\.json: this is no receipt/),
    ]);
    expect(damaged.stdout).toMatch(/each is yours$/m);
    expect((await compare(newFolder())).stderr).toContain("there is no .json");
  });
});

describe("bill verify --mine", () => {
  const mirror = folderOf(publishedFiles(world));
  const history = folderOf(historyFiles(world, world.seals));
  const bill = fileWith(JSON.stringify(finalBill), "bill.json");
  const cores = world.chains.flatMap(({ chain }) => chain.cores.map((core) => ({ core, chain })));
  /** A core with the path that evidence has, of which nothing is looked at. */
  const kept = cores.map(({ core, chain }) => {
    const { sequence } = core;
    const [leaf_hash, root] = [chain.mth(sequence, sequence + 1), chain.mth(0, sequence + 1)].map(
      (hash) => `0x${Buffer.from(hash).toString("hex")}`,
    );
    const event_inclusion_proof = {
      leaf_hash,
      leaf_index: sequence,
      tree_size: sequence + 1,
      path: [],
      root,
    };
    const merkle_proof = {
      status: "pending",
      merkle_root: root,
      event_inclusion_proof,
      cross_tenant_proof: null,
    };
    return { event_id: core.event_id, receipts: [core], merkle_proof };
  });
  const isCounted = (i: number): boolean =>
    finalBill.lines.some(
      ({ chain_id, from, to }) =>
        cores[i]?.core.chain_id === chain_id && cores[i].core.sequence >= from && cores[i].core.sequence < to,
    );
  const counted = kept.filter((_, i) => isCounted(i));
  const verify = (mine: string, ...more: readonly string[]) =>
    receipts("bill", "verify", bill, "--metachain", mirror, "--history", history, "--mine", mine, ...more);

  test("finds all that is counted among the receipts of the month", async () => {
    const { status, stdout } = await verify(folderWith(...counted), "--strict");
    expect([status, stdout]).toEqual([0, expect.stringContaining(`${finalBill.count} places compared`)]);
  });

  test("names a counted place that is not the tenant's, whatever stands outside the month", async () => {
    const [spare, ...others] = counted;
    const { status, stdout } = await verify(folderWith(...others, ...kept.filter((_, i) => !isCounted(i))));
    const { chain_id, sequence } = spare?.receipts[0] ?? {};
    expect(status).toBe(1);
    expect(stdout).toContain("The bill holds");
    expect(stdout).toContain(`place ${sequence} of chain ${chain_id} is none of yours`);
    const json = JSON.parse((await verify(folderWith(...others), "--json")).stdout);
    expect(json).toMatchObject({
      verdict: "holds",
      mine: { foreign: [{ chain_id, runs: [[sequence, sequence]] }], missing: [] },
    });
  });

  test("needs the history", async () => {
    const { status, stderr } = await receipts("bill", "verify", bill, "--mine", folderWith(...counted));
    expect([status, stderr]).toEqual([2, expect.stringContaining("--mine needs --history DIR")]);
  });
});
