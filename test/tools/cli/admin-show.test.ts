// `admin show` and the list of all keys, against a local stack: whose a receipt is and where it stands, and no request.
import { beforeAll, describe, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../../support/local-stack.ts";
import { type Ended, receipts } from "./command-line.ts";

const AGENT = "agents/night-shift@example";
const CALL = "call:show-1";

let stack: LocalStack;
let report: ComplianceReceipt;
let keyId: string;

beforeAll(async () => {
  stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
  await admin("tenant", "create", "acme", "--plan", "standard");
  const { stdout, stderr } = await admin("key", "create", "acme");
  keyId = /Key (\S+) of tenant/.exec(stderr)?.[1] ?? "";
  await admin("key", "create", "acme");
  const api = new ApiClient({ url: stack.url, apiKey: stdout.trim() });
  for (const subject_hash of [`sha256:${"5".repeat(64)}`, disclosure().subject_hash])
    await api.attest(disclosure({ interaction_id: CALL, agent_identity: AGENT, subject_hash }));
  const { receipts: turns } = await api.interaction(CALL);
  report = await api.includedReport(turns[0]?.event_id ?? "");
});

const admin = (...args: string[]): Promise<Ended> => receipts("admin", ...args, `--local=${stack.dataDir}`);
const adminJson = async (...args: string[]) => JSON.parse((await admin(...args, "--json")).stdout);

describe("admin show", () => {
  test("finds a receipt by its event id alone, with its tenant, place, verdict and seal", async () => {
    const [receipt] = report.receipts;
    const seal = report.merkle_proof.cross_tenant_proof?.seal_index;
    const shown = await adminJson("show", report.event_id.toUpperCase());
    expect(shown).toEqual({
      tenant_id: "acme",
      chain_id: receipt?.chain_id,
      sequence: receipt?.sequence,
      receipt: {
        event_id: report.event_id,
        issued_at: receipt?.issued_at,
        turn: 1,
        verdict: "MODIFY",
        findings: receipt?.policy.findings,
        wording_id: null,
      },
      seal: { index: seal, is_published: true },
      erasure: null,
      removal: null,
    });
    const { status, stdout } = await admin("show", report.event_id);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ +tenant +acme$/m);
    expect(stdout).toMatch(new RegExp(`^ +seal +${seal}, published$`, "m"));
    expect(stdout).toMatch(/^ +findings +wording_unknown$/m);
    expect(stdout + JSON.stringify(shown)).not.toMatch(new RegExp(`${AGENT}|${CALL}`));
  });

  test("lists the receipts of a conversation in order, and shows nothing of its requests", async () => {
    const { receipts: turns } = await adminJson("show", "acme", CALL);
    expect(turns.map(({ receipt }: { receipt: object }) => receipt)).toMatchObject([
      { turn: 1, verdict: "MODIFY" },
      { turn: 2, verdict: "ALLOW" },
    ]);
    const { status, stdout } = await admin("show", "acme", CALL);
    expect([status, stdout.trim().split("\n").length]).toEqual([0, 3]);
    expect(stdout).not.toContain(AGENT);
  });

  test.each([
    [["00000000-0000-8000-8000-000000000000"], "no tenant has a chain for the event"],
    [["not-an-id"], "not-an-id is no event id of this service"],
    [["acme", "call:none"], "acme has no receipt of this conversation"],
    [["nobody", CALL], "there is no tenant nobody"],
    [[], "is missing"],
    [["acme", CALL, "more"], "more is one argument too many"],
  ])("says of %j what is wrong", async (args, sentence) => {
    const { status, stderr } = await admin("show", ...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  test("says that a place behind the newest receipt is none yet", async () => {
    const later = `${report.event_id.slice(0, -12)}ffffffffffff`;
    expect((await admin("show", later)).status).toBe(2);
  });
});

describe("admin key list", () => {
  const today = () => new Date().toISOString().slice(0, 10);

  test("without a tenant has the keys of all, each with its tenant and the day of its last use", async () => {
    const before = today();
    const { keys } = await adminJson("key", "list");
    const uses = keys.map((key: Record<string, unknown>) => [key.tenant_id, key.last_used_on !== null]);
    expect(uses.toSorted()).toEqual([
      ["acme", false],
      ["acme", true],
      ["local", false],
    ]);
    const used = keys.find((key: Record<string, unknown>) => key.last_used_on !== null);
    expect(used.key_id).toBe(keyId);
    expect([before, today()]).toContain(used.last_used_on);
    const { stdout } = await admin("key", "list");
    expect(stdout).toMatch(
      new RegExp(`^ +acme +${keyId} +attest,report +active +\\d{4}-\\d{2}-\\d{2} `, "m"),
    );
  });

  test("of one tenant leaves the others out", async () => {
    const { keys } = await adminJson("key", "list", "acme");
    expect(keys).toHaveLength(2);
    expect((await admin("key", "list", "local")).stdout).toMatch(/^ +\S{20} +attest,report +active +never /m);
  });
});
