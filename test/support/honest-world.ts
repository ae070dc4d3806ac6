// What tenants and readers keep of an honest service at random moments, as files: answers, requests, reports, bundles,
// histories, mirrors, exports and bills, with policies and certificates. The real commands fetch them.
import { cpSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_PLANS, type Plan } from "../../contract/plans.ts";
import { monthNamed } from "../../evidence/core/formats/month.ts";
import { fingerprintOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { formatNoteKey } from "../../evidence/core/log/note.ts";
import { buildBillPage } from "../../service/bill/build-bill.ts";
import { formatCursor, parseCursor } from "../../service/reports/list-cursor.ts";
import { listReceipts } from "../../service/reports/receipt-list.ts";
import { findRenewals } from "../../service/reports/renewals.ts";
import { type ReportServices, readReport } from "../../service/reports/reports.ts";
import type { Table } from "../../service/table/table.ts";
import { type Answer, serveLedger } from "./history-server.ts";
import { type Called, HonestDays, orRefused } from "./honest-days.ts";
import type { LedgerStack, TestCaller } from "./ledger-stack.ts";
import { newLog } from "./log-signer.ts";

const EVENTS = 70;
/** What is kept between two events. */
const KEPT_SHARE = 0.4;
const OPEN_QUERY = { from: null, to: null, verdict: null, wording: null };

/** A file or folder, and whose it is; null for what is public. */
export interface Kept {
  readonly path: string;
  readonly tenant: string | null;
}

export type KeptKind = "evidence" | "requests" | "seals" | "histories" | "mirrors" | "exports" | "bills";

export interface HonestWorld extends Readonly<Record<KeptKind, readonly Kept[]>> {
  /** PEM files of the authorities. */
  readonly anchors: readonly string[];
  /** The log's key, with quorums that hold or not, and the policy of another log. */
  readonly policies: readonly string[];
  readonly fingerprints: ReadonlyMap<string, string>;
  readonly endsAt: number;
}

export interface WorldTools {
  readonly stack: LedgerStack;
  readonly receipts: (
    ...args: readonly string[]
  ) => Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Sets the clock of this process, by which the commands judge. */
  readonly setClock: (now: number) => void;
}

export async function honestWorld(seed: number, tools: WorldTools): Promise<HonestWorld> {
  const ledger = await tools.stack.newLedger();
  const days = new HonestDays(seed, ledger);
  await days.begin();
  const { table, macs, readLogSignatures } = days.process;
  const trustAnchors = days.authorities.map(({ authority }) => authority.anchor);
  const findRenewal = findRenewals({ table, trustAnchors, clock: ledger.clock });
  const services = { table, macs, findRenewal, readLogSignatures };
  const callers = new Map(days.callers.map((caller) => [caller.tenantId, caller]));
  const server = await serveLedger(days.process, callers, answerWith(services));
  const keeper = new Keeper(days, services, { ...tools, url: server.url });
  try {
    for (let event = 0; event < EVENTS; event++) {
      tools.setClock(ledger.now);
      await days.happen();
      tools.setClock(ledger.now);
      if (days.chance(KEPT_SHARE)) await keeper.keepSomething();
    }
    return await keeper.all();
  } finally {
    server.close();
  }
}

/** As far as `export` and `bill fetch` ask. */
const answerWith =
  (services: ReportServices & { readonly table: Table }): Answer =>
  async (caller, path, query) => {
    const { table } = services;
    const [, , resource, id = ""] = path.split("/");
    if (resource === "attestation") return readReport(services, caller, id);
    if (resource === "usage") {
      const plans = new Map<string, Plan>([["test", DEFAULT_PLANS.standard]]);
      const month = monthNamed(query.get("month") ?? "");
      return buildBillPage({ table, plans }, caller.tenantId, month, Number(query.get("from_shard")));
    }
    if (resource !== "receipts") return undefined;
    const cursor = query.get("cursor");
    const start = cursor === null ? { shard: 0, sequence: 0 } : parseCursor(cursor, OPEN_QUERY);
    const { receipts, next } = await listReceipts(table, caller, OPEN_QUERY, start);
    return { receipts, next: next && formatCursor(next, OPEN_QUERY) };
  };

class Keeper {
  readonly #days: HonestDays;
  readonly #services: ReportServices;
  readonly #tools: WorldTools & { readonly url: string };
  readonly #folder: string;
  readonly #kept: Record<KeptKind, Kept[]> = {
    evidence: [],
    requests: [],
    seals: [],
    histories: [],
    mirrors: [],
    exports: [],
    bills: [],
  };
  #names = 0;

  constructor(days: HonestDays, services: ReportServices, tools: WorldTools & { readonly url: string }) {
    this.#days = days;
    this.#services = services;
    this.#tools = tools;
    this.#folder = mkdtempSync(join(tools.stack.folder, "kept-"));
  }

  async keepSomething(): Promise<void> {
    const { called, callers } = this.#days;
    const of = this.#days.pick(called);
    if (of === undefined) return;
    const caller = this.#days.pick(callers) ?? of.caller;
    await this.#days.oneOf([
      [3, async () => this.#answer(of)],
      [8, () => this.#report(of)],
      [5, () => this.#bundle(of)],
      [3, () => this.#fetch("histories", caller, ["history"], this.#anchorOf(caller))],
      [2, () => this.#mirror()],
      [1, () => this.#fetch("exports", caller, ["export"])],
      [1.5, () => this.#bill(caller, of)],
    ]);
  }

  async all(): Promise<HonestWorld> {
    const { ledger, callers, authorities, called } = this.#days;
    await this.#mirror();
    // Of a month whose receipts were removed there is no bill any more.
    const of = called.at(-1);
    if (of !== undefined) {
      this.#answer(of);
      await this.#bill(of.caller, of);
    }
    const roots = join(this.#kept.mirrors.at(-1)?.path ?? "", "v1/metachain/roots");
    if (existsSync(roots))
      this.#kept.seals.push(...readdirSync(roots).map((name) => ({ path: join(roots, name), tenant: null })));
    return {
      ...this.#kept,
      anchors: authorities.map(({ name, authority }) => this.#write(`${name}.pem`, pemOf(authority.anchor))),
      policies: this.#policies(),
      fingerprints: new Map(
        callers.map(({ tenantId, tenantAnchor }) => [tenantId, fingerprintOf(tenantAnchor)]),
      ),
      endsAt: ledger.now,
    };
  }

  #answer({ answer, request, caller }: Called): void {
    this.#keepJson("evidence", "answer", answer, caller);
    this.#keepJson("requests", "request", request, caller);
  }

  async #report({ answer, caller }: Called): Promise<void> {
    const head = this.#days.chance(0.3) ? "newest" : "first";
    const report = await orRefused(readReport(this.#services, caller, answer.event_id, head));
    if (report !== null) this.#keepJson("evidence", `report-${head}`, report, caller);
  }

  async #bundle({ request, caller }: Called): Promise<void> {
    const from = this.#days.chance(0.7) ? 1 : 2;
    const bundle = await orRefused(this.#days.process.interaction(caller, request.interaction_id, from));
    // Behind the last turn there is an empty page, which is no evidence.
    if (bundle !== null && bundle.receipts.length > 0)
      this.#keepJson("evidence", `bundle-from-${from}`, bundle, caller);
  }

  #anchorOf = ({ tenantAnchor }: TestCaller): string[] =>
    this.#days.chance(0.6) ? ["--anchor", tenantAnchor] : [];

  async #mirror(): Promise<void> {
    const path = this.#folderAfter("mirrors", null);
    await this.#keepFetched("mirrors", path, null, ["mirror", this.#tools.url, path]);
  }

  async #bill(caller: TestCaller, { answer }: Called): Promise<void> {
    const month = (answer.receipts[0]?.issued_at ?? "").slice(0, 7);
    await this.#fetch("bills", caller, ["bill", "fetch"], ["--month", month]);
  }

  /** Now and then a run goes on with what an earlier one left. */
  #folderAfter(kind: KeptKind, tenant: string | null): string {
    const folder = this.#path(kind);
    const earlier = this.#kept[kind].filter((one) => one.tenant === tenant);
    const before = this.#days.chance(0.5) ? this.#days.pick(earlier) : undefined;
    if (before !== undefined) cpSync(before.path, folder, { recursive: true });
    return folder;
  }

  async #fetch(
    kind: "histories" | "exports" | "bills",
    { tenantId }: TestCaller,
    command: readonly string[],
    more: readonly string[] = [],
  ): Promise<void> {
    const path = kind === "bills" ? this.#path("bill.json") : this.#folderAfter(kind, tenantId);
    const out = kind === "bills" ? "--output" : "--out";
    const args = [...command, this.#tools.url, "--key", tenantId, out, path, ...more];
    await this.#keepFetched(kind, path, tenantId, args);
  }

  /** An honest service is fetched from without an alarm; where it has nothing yet, there is nothing to keep. */
  async #keepFetched(
    kind: KeptKind,
    path: string,
    tenant: string | null,
    args: readonly string[],
  ): Promise<void> {
    const { status, stdout, stderr } = await this.#tools.receipts(...args);
    if (status === 1) throw new Error(`${args.join(" ")}\n${stdout}${stderr}`);
    if (status === 0) this.#kept[kind].push({ path, tenant });
  }

  #keepJson(kind: "evidence" | "requests", name: string, value: object, { tenantId }: TestCaller): void {
    this.#kept[kind].push({ path: this.#write(`${name}.json`, JSON.stringify(value)), tenant: tenantId });
  }

  #policies(): string[] {
    const { ledger, witnesses } = this.#days;
    const lines = witnesses.map(({ signer }, i) => `witness w${i} ${formatNoteKey(signer.key)}`);
    const log = `log ${formatNoteKey(ledger.key.log.key)}`;
    const group = (quorum: string) =>
      [log, ...lines, `group all ${quorum} w0 w1 w2`, "quorum all", ""].join("\n");
    const other = `log ${formatNoteKey(newLog("other.test/log").key)}\nquorum none\n`;
    return [group("any"), group("2"), group("all"), `${log}\nquorum none\n`, other].map((text) =>
      this.#write("log.policy", text),
    );
  }

  #write(name: string, content: string): string {
    const path = this.#path(name);
    writeFileSync(path, content);
    return path;
  }

  #path(name: string): string {
    const day = new Date(this.#days.ledger.now).toISOString().slice(0, 10);
    return join(this.#folder, `${String(this.#names++).padStart(4, "0")}-${day}-${name}`);
  }
}

const pemOf = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString("base64")}\n-----END CERTIFICATE-----\n`;
