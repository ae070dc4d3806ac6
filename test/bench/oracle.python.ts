// The oracle of the hammer: a run of the local stack in which it finds nothing, and the same run with one thing changed,
// in the journal or in what the service shows, which it must find.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ORACLE_PATH } from "../../bench/hammer/ask-oracle.ts";
import { formatNoteKey } from "../../evidence/core/log/note.ts";
import { hasPython, PYTHON, run as runProgram, SOURCES, whyWithoutTools } from "../clients/python/python.ts";
import { describeWith } from "../interop/tools.ts";
import { FakeWitness } from "../support/fake-witness.ts";
import { type LocalStack, newFolder, startLocalStack } from "../support/local-stack.ts";
import { changedJson, type LyingProxy, missing, startLyingProxy } from "./lying-proxy.ts";
import { JOURNALS } from "./oracle-journals.ts";
import { findingsOf, HAMMER, resultOf, runOracle } from "./oracle-program.ts";
import { type RecordedRun, recordRun, writeRun } from "./oracle-run.ts";
import { SERVICES, TOMBSTONE } from "./oracle-services.ts";
import type { Tampered } from "./oracle-tampering.ts";

const CONVERSATIONS = 14;
const SAMPLE = "25";
/** What only a run has that was told so: its readers' findings and its erasures. */
const EMPTY = ["readers of the run", "erased conversations"];
const SECRETS = /call-\d|dr_live_/;

describeWith(hasPython, "python3 from 3.10 on", "the oracle", () => {
  const folder = newFolder();
  const witness = new FakeWitness("witness.test/oracle", () => new Date());
  let stack: LocalStack;
  let proxy: LyingProxy;
  let honest: RecordedRun;

  beforeAll(async () => {
    await witness.start();
    const policy = join(newFolder(), "witness-policy");
    writeFileSync(policy, `${witness.policyLine}\nquorum oracle\n`);
    stack = await startLocalStack({
      environment: { SEAL_INTERVAL_SECONDS: "1", CONSOLE: "false", WITNESS_POLICY_FILE: policy },
    });
    const { url, dataDir } = stack;
    const witnessKey = formatNoteKey(witness.signer.key);
    honest = await recordRun({ url, dataDir, witnessKey }, CONVERSATIONS);
    proxy = await startLyingProxy(stack.url);
  });
  afterAll(async () => {
    await proxy?.stop();
    await witness.stop();
  });

  async function judge(tampered: Omit<Tampered, "finds"> = {}) {
    const { calls = (all) => all, run = () => ({}), lie = () => null } = tampered;
    const told = { ...honest, url: proxy.url, calls: calls(honest.calls) };
    rmSync(folder, { recursive: true, force: true });
    writeRun(folder, told, run(honest));
    proxy.lie = lie;
    proxy.lies = 0;
    const judged = await runOracle([folder, "--sample", SAMPLE]);
    expect(judged.stdout + judged.stderr).not.toMatch(SECRETS);
    return { ...judged, findings: findingsOf(resultOf(folder)) };
  }

  test("finds nothing in a run in which nothing is wrong, and looks at something in each check", async () => {
    const { status, stdout, findings } = await judge();
    expect([...findings]).toEqual([]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/verdict: nothing found\n$/);
    const idle = resultOf(folder).checks.filter(({ count, unmade }) => count === 0 && unmade === null);
    expect(idle.map(({ name }) => name)).toEqual(EMPTY);
  });

  test("has no check that nothing here makes fail", async () => {
    await judge();
    const failing = new Set([...JOURNALS, ...SERVICES].flatMap(({ finds }) => finds.map(([check]) => check)));
    const names = resultOf(folder).checks.map(({ name }) => name);
    expect(names.filter((name) => !failing.has(name))).toEqual([]);
  });

  test.each(JOURNALS)("finds, in the journal, $title", async (tampered) => {
    const { status, findings, stdout } = await judge(tampered);
    expect(status).toBe(1);
    expect(stdout).toMatch(/verdict: findings\n$/);
    for (const [check, told] of tampered.finds) expect(findings.get(check)?.join("\n")).toMatch(told);
  });

  test.each(SERVICES)("finds, in what the service shows, $title", async (tampered) => {
    const { status, findings } = await judge(tampered);
    expect(proxy.lies).toBeGreaterThan(0);
    expect(status).toBe(1);
    for (const [check, told] of tampered.finds) expect(findings.get(check)?.join("\n")).toMatch(told);
  });

  test("finds nothing in an erased conversation whose reports say so and whose id leads nowhere", async () => {
    const ofErased = honest.calls.filter((call) => call.tenant === 0 && call.interaction_id === "call-3");
    const reports = new RegExp(`/attestation/(${ofErased.map(({ event_id }) => event_id).join("|")})$`);
    const erase = changedJson(reports, ["erasure"], () => TOMBSTONE);
    const forget = missing(/^\/v1\/interactions\/call-3$/);
    const { status, findings } = await judge({
      run: () => ({ erased: [{ tenant: 0, interaction_id: "call-3" }] }),
      lie: (path, answer) => erase(path, answer) ?? forget(path, answer),
    });
    expect([[...findings], status]).toEqual([[], 0]);
    const erased = resultOf(folder).checks.find(({ name }) => name === "erased conversations");
    expect(erased?.count).toBeGreaterThan(ofErased.length);
  });

  test("takes keys that run.json lacks from HAMMER_KEY, and prints the result as JSON", async () => {
    const keys = honest.tenants.map(({ api_key }) => api_key).join(" ");
    const tenants = honest.tenants.map(({ api_key: _, ...tenant }) => tenant);
    proxy.lie = () => null;
    writeRun(folder, { ...honest, url: proxy.url }, { tenants });
    const { status, stdout } = await runOracle([folder, "--sample", "1", "--json"], keys);
    expect([status, JSON.parse(stdout)]).toEqual([0, resultOf(folder)]);
    const without = await runOracle([folder]);
    expect([without.status, without.stderr]).toEqual([2, expect.stringMatching(/^oracle: there is no key/)]);
  });

  test("says that it can't run where the folder holds no run", async () => {
    const { status, stderr } = await runOracle([join(folder, "nothing")]);
    expect([status, stderr]).toEqual([2, "oracle: run.json can't be read (FileNotFoundError)\n"]);
    writeRun(folder, honest);
    rmSync(join(folder, "calls.jsonl"));
    expect((await runOracle([folder])).status).toBe(2);
    writeRun(folder, honest, { format: "hammer-run/2" });
    expect((await runOracle([folder])).status).toBe(2);
  });

  test("tells what a whole run shows: receipts of open calls, doubled ones, and conversations begun anew", async () => {
    const discover = ["-m", "unittest", "discover", "-s", "oracle/tests", "-t", "."];
    await runProgram("python3", discover, { cwd: HAMMER, environment: { PYTHONPATH: ORACLE_PATH } });
  });

  test("holds up to the strictest types", async ({ skip }) => {
    const why = await whyWithoutTools();
    if (why !== null) skip(why);
    const strict = [
      "-m",
      "mypy",
      "--strict",
      "--python-version",
      "3.10",
      "--cache-dir",
      newFolder(),
      "oracle",
    ];
    expect(await runProgram(PYTHON, strict, { cwd: HAMMER, environment: { MYPYPATH: SOURCES } })).toMatch(
      /^Success/,
    );
  });
});
