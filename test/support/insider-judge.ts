// Judges what became of a world that an insider wrote into: that nothing false is public, and that whatever was lost is told.

import { canonicalize } from "../../evidence/core/canonical-json.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { monthNamed } from "../../evidence/core/formats/month.ts";
import { withoutAuthentication } from "../../evidence/core/formats/receipt.ts";
import { fingerprintOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import type { TenantHistory } from "../../evidence/core/verify/tenant-history.ts";
import { examineBill } from "../../evidence/reader/bill.ts";
import { walkIn } from "../../evidence/reader/bill-walk.ts";
import { PublishedSeals } from "../../evidence/reader/published-seals.ts";
import { outcomeOf } from "./deaths.ts";
import type { Given } from "./honest-service.ts";
import { judgeLog } from "./insider-log.ts";
import { type InsiderWorld, MONTH } from "./insider-world.ts";
import type { TestCaller } from "./ledger-stack.ts";
import { examineReceipts, fetchTenant, type PublicSource, publicSource } from "./public-reader.ts";
import type { TestProcess } from "./test-process.ts";

const NOT_SEALED = "is not sealed";
const NOT_FOUND = "is not_found";

/** Sentences about what is false or was lost in silence; none in a world that passes. */
export async function judgeWorld(world: InsiderWorld, hasAnchor: boolean): Promise<string[]> {
  const source = publicSource(world.ledger);
  const found = [...(await judgeLog(world, source)), ...(await judgeBills(world, source))];
  for (const caller of world.callers)
    found.push(...(await judgeTenant({ world, source, caller, hasAnchor })));
  return found;
}

/** A stored bill counts what was recorded, or its reader refutes it. */
async function judgeBills({ ledger, callers, given, storedBills, told }: InsiderWorld, source: PublicSource) {
  const judge = async ({ tenantId, tenantAnchor }: TestCaller): Promise<string[]> => {
    const stored = await outcomeOf(storedBills.get(monthNamed(MONTH), tenantId));
    if (stored.kind !== "answered" || stored.answer === null) return [];
    const bill = stored.answer;
    const inMonth = ({ caller, receipt }: Given) =>
      caller.tenantId === tenantId && receipt.receipts[0]?.issued_at.startsWith(MONTH);
    const recorded = new Set(given.filter(inMonth).map(({ receipt }) => receipt.event_id)).size;
    if (bill.count === recorded || (bill.count < recorded && told.length > 0)) return [];
    const { outcome } = await examineBill(bill, {
      now: ledger.clock().toISOString(),
      published: new PublishedSeals(source),
      walkLog: walkIn(source),
      fingerprint: fingerprintOf(tenantAnchor),
    });
    if (outcome === "does_not_hold") return [];
    return [`${tenantId} is billed for ${bill.count} receipts and has ${recorded}: ${outcome}`];
  };
  return (await Promise.all(callers.map(judge))).flat();
}

/** Tokens of these tests are none: what is left open by a reader who judges no time. */
const isRefuted = ({ ok, name }: { readonly ok: boolean | null; readonly name: string }): boolean =>
  ok === false && !/timestamp/.test(name);

interface Judged {
  readonly world: InsiderWorld;
  readonly source: PublicSource;
  readonly caller: TestCaller;
  /** Who has the anchor walks for the 4,096 chains that it gives. */
  readonly hasAnchor: boolean;
}

async function judgeTenant({ world, source, caller, hasAnchor }: Judged): Promise<string[]> {
  const { ledger } = world;
  const isOwn = (one: Given) => one.caller === caller;
  const [kept, given] = [world.kept.filter(isOwn), world.given.filter(isOwn)];
  const fetched = await fetchTenant(ledger, caller).catch((error: unknown) => world.note("history", error));
  const history = fetched && { ...fetched, tenantAnchor: hasAnchor ? fetched.tenantAnchor : null };
  const process = ledger.newProcess();
  const reports = await Promise.all(
    given.map(async (one) => ({ one, report: await reportOf(world, process, one) })),
  );
  const sealed = reports.flatMap(({ report }) => (typeof report === "object" ? [report] : []));
  const whole = [...kept.map(({ receipt }) => receipt), ...sealed];
  const found = await examineReceipts(ledger, source, caller, whole, history);
  const faults = found.flatMap(({ checks, problem }) => [
    ...checks.filter(isRefuted).map(({ name, detail }) => `a report does not hold: ${name}: ${detail}`),
    ...(problem === null ? [] : [`a report can't be read: ${problem.detail}`]),
  ]);
  for (const { one, report } of reports) {
    if (typeof report === "object" || (await isTold({ world, source, history }, one, report))) continue;
    const place = `${caller.tenantId}/${caller.chainIds.indexOf(one.receipt.receipts[0]?.chain_id ?? "")}`;
    faults.push(`receipt ${one.receipt.receipts[0]?.sequence} of ${place} ${report}, and nobody tells`);
  }
  return faults;
}

/** Whether an alarm or a fault tells of a receipt that has no report under a seal, or its reader finds it. */
async function isTold(
  { world, source, history }: Pick<Judged, "world" | "source"> & { readonly history: TenantHistory | null },
  { caller, receipt }: Given,
  what: string,
): Promise<boolean> {
  const told = what === NOT_SEALED ? world.toldByLastRun : world.told;
  if (told.length > 0) return true;
  const [finding] = await examineReceipts(world.ledger, source, caller, [receipt], history);
  // The newest receipts can be taken away before they are sealed: whoever was given one has no proof of it.
  return finding?.checks.some(isRefuted) === true || (what === NOT_FOUND && !isIn(history, receipt));
}

/** Says whether the chain's sealed leaves have the receipt. */
function isIn(
  history: TenantHistory | null,
  { receipts: [receipt], merkle_proof }: ComplianceReceipt,
): boolean {
  const chain = receipt && history?.chains.get(receipt.chain_id);
  const hash = chain ? chain.leafHash(receipt.sequence) : null;
  return hash !== null && formatNode(hash) === merkle_proof.event_inclusion_proof.leaf_hash;
}

/** The report under a seal, or what became of the receipt. */
async function reportOf(world: InsiderWorld, process: TestProcess, { caller, receipt }: Given) {
  const found = await outcomeOf(process.report(caller, receipt.event_id));
  if (found.kind !== "answered") {
    if (found.kind === "refused") world.note("report", found.error);
    return found.kind === "refused" ? `is ${found.error.code}` : "is not answered";
  }
  const [was, is] = [receipt, found.answer].map(({ receipts: [one] }) =>
    canonicalize(withoutAuthentication(one ?? {})),
  );
  if (was !== is) return "is another one";
  return found.answer.merkle_proof.status === "included" ? found.answer : NOT_SEALED;
}
