// `history` against a real ledger behind a server that can be made to lie: what a tenant has afterwards, and what it finds.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ChainPage, SealedHead } from "../../../evidence/core/formats/chain-history.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { chainIdOf, fingerprintOf } from "../../../evidence/core/formats/tenant-anchor.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { hasPython } from "../../agreement/python.ts";
import { verify as verifyInPython } from "../../agreement/python-program.ts";
import { copyLog, type HistoryServer, serveHistory } from "../../support/history-server.ts";
import { type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { attestTurns, requestOf, type TestProcess } from "../../support/test-process.ts";
import { fileWith, newFolder, receipts } from "./command-line.ts";

const KEY = "dr_live_test";
const stack = await startLedgerStack();

let ledger: Ledger;
let process: TestProcess;
let caller: TestCaller;
let anchor: string;
let server: HistoryServer;
/** Fetched when the ledger had two seals. */
let earlier: string;

async function seal(): Promise<void> {
  ledger.now += MINUTE;
  await process.seal();
}

beforeAll(async () => {
  ledger = await stack.newLedger();
  process = ledger.newProcess();
  caller = await ledger.newTenant("tenant", 2);
  anchor = await new TenantRegistry(process.table, ledger.clock).anchor("tenant");
  const other = await ledger.newTenant("other");
  server = await serveHistory(ledger, caller, KEY);
  for (const turns of [3, 260]) {
    await attestTurns(process, caller, turns);
    await process.attest(other, requestOf("call"));
    await seal();
  }
  earlier = newFolder();
  expect((await fetchInto(earlier)).status).toBe(0);
  await attestTurns(process, caller, 2);
  for (const id of ["a", "b", "c", "d"]) await process.attest(caller, requestOf(id));
  await seal();
});
afterEach(() => {
  server.lie = () => undefined;
  server.asked.length = 0;
});
afterAll(async () => {
  server.close();
  await stack.close();
});

const fetchInto = (folder: string, ...more: string[]) =>
  receipts("history", server.url, "--key", KEY, "--out", folder, "--anchor", anchor, ...more);

function copyOfEarlier(): string {
  const folder = newFolder();
  cpSync(earlier, folder, { recursive: true });
  return folder;
}

const long = (): string => caller.chainIds[long.shard] ?? "";
long.shard = 0;

describe("history", () => {
  test("fetches every chain of the anchor, and finds each head in the public log", async () => {
    const { status, stdout, stderr } = await fetchInto(newFolder());
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^one history: 2 chains, 269 receipts under [45] heads$/m);
    expect(stdout).toMatch(
      /^[45] new heads found in the public log of \d entries \(seal 2\), each in its place/m,
    );
    expect(stdout).toContain("the log has no other chain under this anchor");
  });

  test("reads only what is new when it is run again", async () => {
    const folder = copyOfEarlier();
    server.asked.length = 0;
    const { status, stdout } = await fetchInto(folder);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^one history: 2 chains, 269 receipts/m);
    const tiles = server.asked.filter((path) => path.startsWith("/v1/chains") && path.includes("/entries/"));
    expect(tiles.every((path) => !path.endsWith("/entries/000"))).toBe(true);
    expect(tiles.length).toBeGreaterThan(0);
    const again = await fetchInto(folder);
    expect(again.stdout).toMatch(/^0 new heads found/m);
  });

  test("takes the service's own list of chains where there is no anchor", async () => {
    const { status, stdout } = await receipts("history", server.url, "--key", KEY, "--out", newFolder());
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^one history: 2 chains, 269 receipts/)]);
    expect(stdout).not.toContain("no other chain");
  });

  test("says what is wrong with the command line, the key or the address", async () => {
    const wrong = async (...args: string[]) => {
      const { status, stderr } = await receipts("history", ...args);
      return `${status} ${stderr}`;
    };
    expect(await wrong(server.url, "--out", newFolder())).toMatch(/^2 .*--key is missing/s);
    expect(await wrong(server.url, "--key", KEY)).toMatch(/^2 .*--out is missing/s);
    expect(await wrong("http://192.0.2.1", "--key", KEY, "--out", "x")).toMatch(/^2 .*an https URL/s);
    expect(await wrong(server.url, "--key", "other", "--out", newFolder())).toMatch(
      /^2 .*the answer is 401/s,
    );
    expect(await wrong(server.url, "--key", KEY, "--out", newFolder(), "--anchor", "x")).toMatch(
      /^2 .*32 lower-case hex digits/s,
    );
  });

  test("does not go on without the anchor that a folder was begun with", async () => {
    const { status, stderr } = await receipts("history", server.url, "--key", KEY, "--out", copyOfEarlier());
    expect([status, stderr]).toEqual([2, expect.stringContaining("give --anchor")]);
  });
});

describe("history is an alarm", () => {
  const alarmOf = async (folder: string): Promise<string> => {
    const { status, stderr } = await fetchInto(folder);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^ALARM: /)]);
    return stderr;
  };
  const honestPage = async (): Promise<ChainPage> => {
    const response = await fetch(`${server.url}/v1/chains/${long()}?from=0`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    return (await response.json()) as ChainPage;
  };
  let page: ChainPage;
  beforeAll(async () => {
    for (const [shard, chain] of caller.chainIds.entries()) {
      const heads = await fetch(`${server.url}/v1/chains/${chain}`, {
        headers: { authorization: `Bearer ${KEY}` },
      });
      const found = (await heads.json()) as ChainPage;
      if (found.heads.length >= 3) long.shard = shard;
    }
    page = await honestPage();
    expect(page.heads.length).toBe(3);
  });
  const lieWith = (change: (heads: SealedHead[]) => SealedHead[]) => {
    server.lie = (path) =>
      path === `/v1/chains/${long()}`
        ? { ...page, heads: change(page.heads.map((h) => ({ ...h }))) }
        : undefined;
  };

  test("where the newest head is kept back", async () => {
    lieWith((heads) => heads.slice(0, -1));
    expect(await alarmOf(newFolder())).toMatch(/has head 2 of chain .*, which the history does not tell/);
  });

  test("where a head is skipped, or the heads are numbered anew", async () => {
    lieWith((heads) => heads.toSpliced(1, 1));
    expect(await alarmOf(newFolder())).toMatch(/head 1 is missing/);
    lieWith((heads) => heads.toSpliced(1, 1).map((head, i) => ({ ...head, head_index: i })));
    expect(await alarmOf(newFolder())).toMatch(/has not head 1 of chain \w+ at entry \d/);
  });

  test("where a head is said to lie elsewhere in the public log", async () => {
    lieWith((heads) => heads.map((head) => ({ ...head, leaf_index: head.leaf_index + 1 })));
    expect(await alarmOf(newFolder())).toMatch(/has not head 0 of chain \w+ at entry \d/);
  });

  test("where a leaf hash is another", async () => {
    server.lie = (path) =>
      path === `/v1/chains/${long()}/entries/000` ? new Uint8Array(256 * 64) : undefined;
    expect(await alarmOf(newFolder())).toMatch(/is not the root of its/);
  });

  test("where the service tells another past than the folder has", async () => {
    lieWith((heads) =>
      heads.slice(1).map((head, i) => (i === 0 ? { ...head, root: `0x${"a".repeat(64)}` } : head)),
    );
    expect(await alarmOf(copyOfEarlier())).toMatch(/tells another history of chain/);
    lieWith(() => []);
    expect(await alarmOf(copyOfEarlier())).toMatch(
      /tells another history of chain|no longer tells the heads/,
    );
  });

  test("where a chain is no longer told", async () => {
    server.lie = (path) => (path === `/v1/chains/${caller.chainIds[1]}` ? null : undefined);
    const hidden = await fetchInto(copyOfEarlier());
    expect([hidden.status, hidden.stderr]).toEqual([1, expect.stringMatching(/no longer tells chain/)]);
  });

  test("where a chain of the anchor is kept beside, even from a fresh folder", async () => {
    server.lie = (path) => (path === `/v1/chains/${chainIdOf(anchor, 1)}` ? null : undefined);
    const { status, stderr } = await fetchInto(newFolder());
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/has head 0 of chain \w+, which the history does not tell/),
    ]);
  });

  test("where the public log is not what its root says", async () => {
    server.lie = (path) => {
      const [, width] = /^\/v1\/metachain\/tile\/entries\/000\.p\/(\d+)$/.exec(path) ?? [];
      return width === undefined ? undefined : honestEntries(Number(width));
    };
    expect(await alarmOf(newFolder())).toMatch(/entries are not those under/);
  });
  const honestEntries = (width: number): Uint8Array => {
    const entry = new Uint8Array(66);
    entry[1] = 64;
    return Buffer.concat(Array.from({ length: width }, () => entry));
  };

  test("where the folder itself was changed", async () => {
    const folder = copyOfEarlier();
    const tile = join(folder, "chains", long(), "entries/000");
    expect(existsSync(tile)).toBe(true);
    const bytes = readFileSync(tile);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(tile, bytes);
    expect(await alarmOf(folder)).toMatch(/is not the root of its/);
  });
});

describe("verify with a history", () => {
  interface Report {
    readonly files: readonly { readonly checks: readonly { name: string; ok: boolean | null }[] }[];
  }

  /** What the checks against the history come to, for a report of the ledger's own or one that is given. */
  async function verdictsOf(folder: string, evidence: object, ...more: string[]) {
    const file = fileWith(JSON.stringify(evidence));
    const { stdout, stderr } = await receipts("verify", file, "--history", folder, "--json", ...more);
    return stdout === "" ? stderr : outcomesIn(stdout);
  }

  function outcomesIn(stdout: string) {
    const { checks = [] } = (JSON.parse(stdout) as Report).files[0] ?? {};
    return Object.fromEntries(
      checks.flatMap(({ name, ok }) =>
        ["chain_history", "public_heads", "other_chains", "tenant"].includes(name) ? [[name, ok]] : [],
      ),
    );
  }

  let folder: string;
  let report: ComplianceReceipt;
  beforeAll(async () => {
    folder = newFolder();
    await fetchInto(folder);
    const bundle = await process.interaction(caller, "call", 200);
    report = await process.report(caller, bundle.receipts[0]?.event_id ?? "");
  });

  test("finds a receipt in its place, its chain's heads in the public log, and the tenant by the fingerprint", async () => {
    const online = ["--metachain", server.url, "--tenant", fingerprintOf(anchor)];
    expect(await verdictsOf(folder, report, ...online)).toEqual({
      chain_history: true,
      public_heads: true,
      other_chains: true,
      tenant: true,
    });
    expect(await verdictsOf(folder, report)).toEqual({ chain_history: true, public_heads: null });
  });

  test("refutes a receipt that the history has not, and one of another tenant", async () => {
    const { event_inclusion_proof: proof } = report.merkle_proof;
    const other = { ...proof, leaf_hash: `0x${"a".repeat(64)}` };
    const forged = { ...report, merkle_proof: { ...report.merkle_proof, event_inclusion_proof: other } };
    expect(await verdictsOf(folder, forged)).toMatchObject({ chain_history: false });
    const fingerprint = fingerprintOf("a".repeat(32));
    expect(await verdictsOf(folder, report, "--tenant", fingerprint)).toMatchObject({ tenant: false });
  });

  test.skipIf(!hasPython)("comes to the same in Python", async () => {
    const log = newFolder();
    await copyLog(server.url, log);
    const given = ["--log", log, "--tenant", fingerprintOf(anchor)];
    const inPython = (evidence: object) => {
      const file = fileWith(JSON.stringify(evidence));
      const { stdout, stderr } = verifyInPython(file, "--history", folder, ...given, "--json");
      expect(stderr).toBe("");
      return outcomesIn(stdout);
    };
    const good = { chain_history: true, public_heads: true, other_chains: true, tenant: true };
    expect(inPython(report)).toEqual(good);
    const { event_inclusion_proof: proof } = report.merkle_proof;
    const forged = { ...proof, leaf_index: proof.leaf_index - 1 };
    expect(inPython({ merkle_proof: { ...report.merkle_proof, event_inclusion_proof: forged } })).toEqual({
      ...good,
      chain_history: false,
    });
    const unsealed = await process.attest(caller, requestOf("call"));
    const open = { chain_history: null, public_heads: null, other_chains: null };
    expect(inPython(unsealed)).toEqual({ ...good, ...open });
  });

  test("holds with a history that is older than the log, as far as that reaches", async () => {
    const shorter = newFolder();
    cpSync(folder, shorter, { recursive: true });
    const file = join(shorter, "chains", long(), "heads/0.json");
    const heads = JSON.parse(readFileSync(file, "utf8")) as SealedHead[];
    writeFileSync(file, JSON.stringify(heads.slice(0, -1)));
    expect(await verdictsOf(shorter, report, "--metachain", server.url)).toMatchObject({
      chain_history: true,
      public_heads: true,
    });
  });

  test("says what is wrong with the folder or the fingerprint", async () => {
    expect(await verdictsOf(newFolder(), report)).toMatch(/has no history/);
    expect(await verdictsOf(folder, report, "--tenant", "x")).toMatch(/a fingerprint is sha256:/);
    const { stderr } = await receipts("verify", fileWith("{}"), "--tenant", fingerprintOf(anchor));
    expect(stderr).toMatch(/--tenant needs the history/);
  });
});
