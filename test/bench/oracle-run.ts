// A small run for the oracle of the hammer: tenants, conversations, repeats, refusals and open calls against a local
// stack, and the folder that says of them what the hammer's own journal would say.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as z from "zod";
import { COMPILED } from "../support/compiled.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const RECEIPTS = fileURLToPath(new URL("../../bin/receipts.ts", import.meta.url));
const POLL_MS = 50;
const PAUSE_MS = 500;
const MAX_TURNS = 5;
const ENOUGH_SEALS = 4;
/** The digest of `de-voice-introduction-4`. */
const SUBJECT = "sha256:cdf1a1bfb74414312dc8952df1dc4c180d454e0d19cc9267c100eb696eb71709";

const start = promisify(execFile);
const answerSchema = z.object({ event_id: z.string(), receipts: z.tuple([z.looseObject({})]) });
const chainsSchema = z.object({ chains: z.array(z.object({ chain_id: z.string() })) });
const pageSchema = z.object({
  heads: z.array(z.object({ tree_size: z.int() })),
  next: z.int().nullable(),
});
const tenantSchema = z.object({ tenant_anchor: z.string(), fingerprint: z.string() });
const metachainSchema = z.object({ size: z.int(), log: z.object({ vkey: z.string() }).nullable() });

export interface TenantOfRun {
  readonly name: string;
  readonly api_key: string;
  readonly anchor: string;
  readonly fingerprint: string;
}

export interface CallOfRun {
  readonly tenant: number;
  readonly interaction_id: string;
  readonly idempotency_key: string | null;
  readonly body: string;
  readonly asked_at: number;
  readonly answered_at: number | null;
  readonly tries: number;
  readonly status: number | null;
  readonly receipt: Readonly<Record<string, unknown>> | null;
  readonly event_id: string | null;
}

export interface RecordedRun {
  readonly url: string;
  readonly startedAt: number;
  readonly tenants: readonly TenantOfRun[];
  readonly calls: readonly CallOfRun[];
  readonly trustAnchors: string;
  readonly logVkey: string;
  readonly witnessKey: string;
}

/** A stack that is running, and the witness that its log asks. */
interface RecordedStack {
  readonly url: string;
  readonly dataDir: string;
  readonly witnessKey: string;
}

/** Attests by `conversations` conversations of each tenant, and waits until all receipts are sealed. */
export async function recordRun(
  { url, dataDir, witnessKey }: RecordedStack,
  conversations: number,
): Promise<RecordedRun> {
  const startedAt = Date.now();
  const tenants = [await newTenant(dataDir, "one", 1), await newTenant(dataDir, "two", 2)];
  const calls: CallOfRun[] = [];
  for (let number = 0; number < conversations; number++)
    for (const tenant of tenants.keys()) calls.push(...(await converse(url, tenants, tenant, number)));
  calls.push(...(await unusualCalls(url, tenants)));
  calls.push(...(await untilASealIsNamed(url, tenants)));
  const receipts = new Set(calls.flatMap(({ event_id }) => event_id ?? []));
  // One call of the unusual ones was recorded, and its answer is not in the journal.
  await untilSealed(url, tenants, receipts.size + 1);
  const trustAnchors = await (await fetch(`${url}/tsa/certificate.pem`)).text();
  const logVkey = await vkeyOf(url);
  return { url, startedAt, tenants, calls, trustAnchors, logVkey, witnessKey };
}

/** Writes what the hammer would: run.json, calls.jsonl and the trust anchors. */
export function writeRun(
  folder: string,
  run: RecordedRun,
  changes: Readonly<Record<string, unknown>> = {},
): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "ca.pem"), run.trustAnchors);
  writeFileSync(join(folder, "calls.jsonl"), run.calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
  const told = {
    format: "hammer-run/1",
    url: run.url,
    seed: 7,
    started_at: run.startedAt,
    ended_at: Date.now(),
    options: {},
    tenants: run.tenants,
    trust_anchors: "ca.pem",
    log_vkey: run.logVkey,
    witness_vkeys: [run.witnessKey],
    erased: [],
    findings: [],
  };
  writeFileSync(join(folder, "run.json"), JSON.stringify({ ...told, ...changes }), { mode: 0o600 });
}

async function admin(dataDir: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, ...COMPILED };
  return (await start(process.execPath, [RECEIPTS, "admin", ...args, `--local=${dataDir}`], { env })).stdout;
}

async function newTenant(dataDir: string, name: string, chains: number): Promise<TenantOfRun> {
  await admin(dataDir, "tenant", "create", name, "--plan", "volume", "--chains", String(chains));
  const api_key = (await admin(dataDir, "key", "create", name)).trim();
  const shown: unknown = JSON.parse(await admin(dataDir, "tenant", "show", name, "--anchor", "--json"));
  const { tenant_anchor, fingerprint } = tenantSchema.parse(shown);
  return { name, api_key, anchor: tenant_anchor, fingerprint };
}

interface Asked {
  readonly tenant: number;
  readonly interaction_id: string;
  readonly idempotency_key: string | null;
  readonly jurisdiction?: string;
  readonly subject_hash?: string;
}

async function call(url: string, tenants: readonly TenantOfRun[], asked: Asked): Promise<CallOfRun> {
  const { jurisdiction = "DE", subject_hash = SUBJECT, ...named } = asked;
  const body = JSON.stringify({
    interaction_id: asked.interaction_id,
    modality: "voice",
    article_50_clause: "1",
    disclosure_method: "spoken_introduction",
    agent_identity: "agents/hammer",
    jurisdiction,
    subject_hash,
  });
  const key = asked.idempotency_key === null ? {} : { "idempotency-key": asked.idempotency_key };
  const headers = {
    authorization: `Bearer ${tenants[asked.tenant]?.api_key}`,
    "content-type": "application/json",
    ...key,
  };
  const asked_at = Date.now();
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${url}/v1/attestation`, { method: "POST", headers, body });
    const text = await response.text();
    const told = { ...named, body, asked_at, answered_at: Date.now(), tries, status: response.status };
    if (response.status === 503) continue;
    if (response.status !== 200) return { ...told, receipt: null, event_id: null };
    const { event_id, receipts } = answerSchema.parse(JSON.parse(text));
    return { ...told, receipt: receipts[0], event_id };
  }
}

/** A conversation of one to five turns; each third call is made twice. */
async function converse(
  url: string,
  tenants: readonly TenantOfRun[],
  tenant: number,
  number: number,
): Promise<CallOfRun[]> {
  const calls: CallOfRun[] = [];
  for (let turn = 1; turn <= 1 + (number % MAX_TURNS); turn++) {
    const idempotency_key = number % 7 === 6 ? null : `key-${number}-${turn}`;
    const asked = { tenant, interaction_id: `call-${number}`, idempotency_key };
    calls.push(await call(url, tenants, asked));
    if (idempotency_key !== null && calls.length % 3 === 0) calls.push(await call(url, tenants, asked));
  }
  return calls;
}

/** A refused call, one with an unknown wording, one that was recorded and whose answer got lost, and one that never arrived. */
async function unusualCalls(url: string, tenants: readonly TenantOfRun[]): Promise<CallOfRun[]> {
  const refused = await call(url, tenants, {
    tenant: 0,
    interaction_id: "refused",
    idempotency_key: "refused",
    jurisdiction: "AT",
  });
  const unknown = await call(url, tenants, {
    tenant: 0,
    interaction_id: "unknown",
    idempotency_key: "unknown",
    subject_hash: `sha256:${"0".repeat(64)}`,
  });
  const first = await call(url, tenants, { tenant: 1, interaction_id: "lost", idempotency_key: "lost-1" });
  const lost = await call(url, tenants, { tenant: 1, interaction_id: "lost", idempotency_key: "lost-2" });
  const last = await call(url, tenants, { tenant: 1, interaction_id: "lost", idempotency_key: "lost-3" });
  const open = { answered_at: null, status: null, receipt: null, event_id: null };
  const never = { ...lost, ...open, interaction_id: "never", idempotency_key: "never" };
  return [
    refused,
    unknown,
    first,
    { ...lost, ...open },
    last,
    { ...never, body: lost.body.replace("lost", "never") },
  ];
}

/** The service looks for a published seal now and then: calls go on until a receipt names one, and some more are there. */
async function untilASealIsNamed(url: string, tenants: readonly TenantOfRun[]): Promise<CallOfRun[]> {
  const calls: CallOfRun[] = [];
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(PAUSE_MS)) {
    const idempotency_key = `late-${calls.length + 1}`;
    const made = await call(url, tenants, { tenant: 0, interaction_id: "late", idempotency_key });
    calls.push(made);
    const { size } = metachainSchema.parse(await (await fetch(`${url}/v1/metachain`)).json());
    if (made.receipt?.recorded_after != null && size >= ENOUGH_SEALS) return calls;
    if (Date.now() > deadline) throw new Error("no receipt names a seal");
  }
}

/** Waits until the published heads of all chains hold as many receipts. */
async function untilSealed(url: string, tenants: readonly TenantOfRun[], receipts: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
    const sizes = await Promise.all(tenants.map((tenant) => sealedReceipts(url, tenant)));
    if (sizes.reduce((sum, size) => sum + size, 0) >= receipts) return;
    if (Date.now() > deadline) throw new Error(`${receipts} receipts were not sealed: ${sizes}`);
  }
}

async function sealedReceipts(url: string, { api_key }: TenantOfRun): Promise<number> {
  const headers = { authorization: `Bearer ${api_key}` };
  const read = async (path: string): Promise<unknown> => (await fetch(url + path, { headers })).json();
  const { chains } = chainsSchema.parse(await read("/v1/chains"));
  const sizes = chains.map(async ({ chain_id }) => {
    let size = 0;
    for (let from: number | null = 0; from !== null; ) {
      const page = pageSchema.parse(await read(`/v1/chains/${chain_id}?from=${from}`));
      size = page.heads.at(-1)?.tree_size ?? size;
      from = page.next;
    }
    return size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function vkeyOf(url: string): Promise<string> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
    const { log } = metachainSchema.parse(await (await fetch(`${url}/v1/metachain`)).json());
    if (log !== null) return log.vkey;
    if (Date.now() > deadline) throw new Error("the log has no key");
  }
}
