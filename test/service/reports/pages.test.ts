// The pages of a conversation: how long they get, and that together they are the conversation.
import { afterAll, describe, expect, test } from "vitest";
import { bundleEvidenceSchema } from "../../../evidence/core/formats/evidence.ts";
import type { EvidenceBundle } from "../../../evidence/core/formats/evidence-bundle.ts";
import { PENDING_TIMESTAMP } from "../../../evidence/core/formats/metachain.ts";
import { verifyBundle } from "../../../evidence/core/verify/verify-bundle.ts";
import {
  BundlePage,
  LAYERS_BYTES,
  MAX_PAGE_BYTES,
  MAX_PAGE_TURNS,
} from "../../../service/reports/bundle-page.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { sealEach } from "../../support/seal-each.ts";
import { attestTurns, requestOf, type TestProcess } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const TOKEN_BYTES = 16_000;
/** What a synchronous call of a Lambda function may answer. */
const LAMBDA_ANSWER_BYTES = 6_291_556;

const stack = await startLedgerStack();
afterAll(stack.close);

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

async function newWorld(turns: number, laterTokens = 0) {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  await attestTurns(process, caller, turns);
  await sealEach(process.table, caller.chainIds[0] ?? "", { tokenBytes: TOKEN_BYTES, laterTokens });
  return { ledger, caller, process };
}

async function readPages(process: TestProcess, caller: Caller): Promise<EvidenceBundle[]> {
  const pages: EvidenceBundle[] = [];
  for (let next: number | null = 1; next !== null; next = pages.at(-1)?.next_turn ?? null) {
    const page = await process.interaction(caller, "call", next);
    expect(page.receipts[0]?.turn).toBe(next);
    pages.push(page);
  }
  return pages;
}

/** All but the tokens, which are random bytes here. */
async function isValid({ later_timestamps: _later, ...page }: EvidenceBundle): Promise<boolean> {
  const unstamped = { tsa_timestamp: PENDING_TIMESTAMP, additional_timestamps: [] };
  const seals = page.seals.map((seal) => ({ ...seal, ...unstamped }));
  const bundle = JSON.parse(JSON.stringify({ ...page, seals }));
  return (await verifyBundle(bundleEvidenceSchema.parse(bundle))).valid;
}

describe("a conversation of 500 turns under 500 seals with two tokens of 16,000 bytes each", () => {
  test("comes in pages below 4 MiB, which together are the conversation", async () => {
    const { process, caller } = await newWorld(MAX_PAGE_TURNS);
    const pages = await readPages(process, caller);
    for (const page of pages) {
      expect(bytesOf(page)).toBeLessThan(MAX_PAGE_BYTES);
      // As API Gateway gets it: a string in JSON.
      expect(bytesOf({ statusCode: 200, body: JSON.stringify(page) })).toBeLessThan(LAMBDA_ANSWER_BYTES);
      expect(page.seals.map(({ index }) => index)).toEqual(page.receipts.map(({ turn }) => turn - 1));
      expect(await isValid(page)).toBe(true);
    }
    expect(pages.flatMap(({ receipts }) => receipts.map(({ turn }) => turn))).toEqual(
      ascending(MAX_PAGE_TURNS, (i) => i + 1),
    );
    // Each but the last is as full as it may be, next to the layers that it carries.
    expect(pages).toHaveLength(7);
    const longest = Math.max(...pages.flatMap(({ seals }) => seals.map(bytesOf))) + 6_000;
    for (const { policy_layers, ...page } of pages.slice(0, -1)) {
      expect(policy_layers).toHaveLength(1);
      expect(bytesOf(page)).toBeGreaterThan(MAX_PAGE_BYTES - LAYERS_BYTES - longest);
    }
  });
});

test("tokens that came later count, and the same page is the same for every reader", async () => {
  const { ledger, process, caller } = await newWorld(40, 16);
  const pages = await readPages(process, caller);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) {
    expect(bytesOf(page)).toBeLessThan(MAX_PAGE_BYTES);
    expect(page.later_timestamps).toHaveLength(16 * page.receipts.length);
  }
  expect(await readPages(ledger.newProcess(), caller)).toEqual(pages);
  // A page begins with the path from the head of the turn before, so the pages together lack none.
  const paths = pages.flatMap(({ chain_consistency = [] }) => chain_consistency);
  expect(paths.map(({ from_size, to_size }) => [from_size, to_size])).toEqual(
    ascending(39, (i) => [i + 1, i + 2]),
  );
});

describe("a page", () => {
  /** A turn whose request has about this many bytes. */
  const turnOf = async (turn: number, bytes: number, published: [] = []) => {
    const ledger = await stack.newLedger({ isSigned: false });
    const caller = await ledger.newTenant("tenant");
    const report = await ledger.newProcess().attest(caller, requestOf("call"));
    const [receipt] = report.receipts;
    if (receipt === undefined) throw new Error("no receipt");
    const request = requestOf("call", { agent_identity: "ü".repeat(bytes / 2) });
    return { receipt: { ...receipt, turn }, request, report, published };
  };

  test("takes its first turn however long that is, and no other after it", async () => {
    const page = new BundlePage("call");
    const turn = await turnOf(1, 2 * MAX_PAGE_BYTES);
    expect([page.add(turn), page.add(await turnOf(2, 2)), page.length]).toEqual([true, false, 1]);
  });

  test("counts bytes, not characters", async () => {
    const page = new BundlePage("call");
    const turn = await turnOf(1, MAX_PAGE_BYTES / 2);
    expect([page.add(turn), page.add(turn), page.length]).toEqual([true, false, 1]);
  });
});
