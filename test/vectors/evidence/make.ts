// Makes the good vectors: runs the real service on this machine, attests three tenants' disclosures over four seals,
// and keeps what a caller and the public see. Run by hand in this folder, before damage.ts; see SOURCES.md.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AttestationRequest } from "../../../evidence/core/formats/attestation-request.ts";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { parseJson } from "../../../evidence/core/canonical-json.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { formatDigest, hashBytes, parseNode } from "../../../evidence/core/merkle/hash.ts";
import type { Metachain, Seal } from "../../../evidence/core/formats/metachain.ts";
import { lookupLayer } from "../../../evidence/core/policy/policy.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { readSettings } from "../../../host/local/settings.ts";
import { type LocalStack, startStack } from "../../../host/local/stack.ts";
import { startTimestampAuthority } from "../../../host/local/timestamp-authority.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { ApiKeys } from "../../../service/tenants/api-keys.ts";
import { openTable } from "../../../service/opening/connections.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { SCOPES } from "../../../service/tenants/tenants.ts";
import { Timestamps } from "../../../service/timestamps/timestamps.ts";
import { emptyFolder, type Json, print, write } from "./edit.ts";

const FOLDER = new URL("./", import.meta.url);
const SEAL_INTERVAL_SECONDS = 4;
const POLL_MS = 100;
/** After this, a process looks for a newer seal, and receipts name it: see service/seals/stamped-seals.ts. */
const SEAL_MEMORY_MS = 31_000;
/** The most names that are tried for a tenant whose chains come after another's. */
const MAX_NAMES = 1_000;
const STAMP_BUDGET_MS = 5_000;
const HOUR_MS = 60 * 60 * 1000;
/** Place and size in the metachain, and size of the chain, of three receipts; size of the chain for one of four at once. */
const SHAPE = "1,3,3 3,6,9 6,7,10 9";
const CONVERSATION = "call-2026-000117";

type Attested = { readonly name: string; readonly eventId: string; readonly apiKey: string };

let stack: LocalStack;
const attested: Attested[] = [];
const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-vectors-"));
async function makeVectors({ apiKey }: LocalStack): Promise<void> {
  for (const name of ["requests", "receipts", "seals", "bundles", "authorities"]) emptyFolder(name);
  mkdirSync(new URL("layers", FOLDER), { recursive: true });
  save("layers/service", lookupLayer(policyLayers, "DE"));
  const table = openTable();
  const first = (await new TenantRegistry(table, table.clock).chains("local"))[0]?.chainId ?? "";
  const [clinic, bank] = [await newTenant("clinic", 1, first), await newTenant("bank", 2, first)];
  const voice = { modality: "voice", interaction_id: CONVERSATION } as const;
  const chat = { modality: "chat", interaction_id: "chat-000944", agent_identity: "widget/3.2" } as const;

  await sealed(await attest("greeting", apiKey, { ...voice, ...wording("de-voice-introduction-1") }));
  await sleep(SEAL_MEMORY_MS);

  await attest("chat-message", apiKey, { ...chat, ...wording("de-chat-notice-1") });
  const reminder = await attest("reminder", apiKey, { ...voice, ...wording("de-voice-reminder-1") });
  const clinicCall = { ...voice, interaction_id: "clinic-7", ...wording("de-voice-introduction-2") };
  await attest("other-tenant", clinic, clinicCall);
  await sealed(reminder);
  await sleep(SEAL_MEMORY_MS);

  await attest("hand-off", apiKey, {
    ...voice,
    disclosure_method: "spoken_handover",
    subject_hash: formatDigest(hashBytes(utf8("Ich verbinde Sie jetzt mit unserem KI-Assistenten."))),
  });
  await attest("walkthrough", apiKey, {
    modality: "walkthrough",
    interaction_id: "tour-0031",
    ...wording("de-walkthrough-introduction-1"),
  });
  await attest("other-tenant-again", clinic, { ...clinicCall, ...wording("de-voice-reminder-2") });
  // The tenant has two chains; this conversation falls on its second one.
  const shard = { ...voice, interaction_id: "bank-0000", ...wording("de-voice-introduction-3") };
  await attest("second-chain", bank, shard);
  await Promise.all(
    ["a", "b", "c", "d"].map((letter) =>
      attest(`together-${letter}`, apiKey, { ...chat, ...wording("de-chat-label-1") }),
    ),
  );
  for (const one of attested.slice(1)) await sealed(one);
  await sleep(SEAL_MEMORY_MS);

  const late = { disclosed_at: new Date(Date.now() - HOUR_MS).toISOString() };
  const goodbye = await attest("goodbye", apiKey, { ...voice, ...wording("de-voice-reminder-2"), ...late });
  save("receipts/goodbye-unstamped", await get(`/v1/attestation/${goodbye.eventId}`, apiKey));
  save("bundles/conversation-unsealed", await get(`/v1/interactions/${CONVERSATION}`, apiKey));
  await sealed(goodbye);
  save("bundles/conversation", await get(`/v1/interactions/${CONVERSATION}`, apiKey));

  const { size } = (await get("/v1/metachain")) as Metachain;
  for (let index = 0; index < size; index++) {
    save(`seals/${index}`, await get(`/v1/metachain/roots/${index}`));
  }
  const { secret } = JSON.parse(readFileSync(join(folder, "mac-key.json"), "utf8")) as { secret: string };
  save("mac-key", { secret });
  await makeAuthorities();
  requireShape();
}

/** Chain ids decide the order under a root, and the damages are written for one order. */
function requireShape(): void {
  const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")) as T;
  const placeOf = (name: string) => {
    const { cross_tenant_proof: cross } = read<ComplianceReceipt>(`receipts/${name}`).merkle_proof;
    return [cross?.leaf_index, cross?.tree_size, cross?.leaf.tree_size].join();
  };
  const written = read<ComplianceReceipt>("receipts/together-b-pending").merkle_proof.event_inclusion_proof;
  const shape = [placeOf("reminder"), placeOf("hand-off"), placeOf("goodbye"), written.tree_size].join(" ");
  if (shape !== SHAPE) throw new Error(`the receipts fell in another order: run this again (${shape})`);
}

/** Its last chain comes after `before`: anchors are random, so names are tried until one has such a chain. */
async function newTenant(name: string, chains: number, before: string): Promise<string> {
  const table = openTable();
  for (let n = 0; n < MAX_NAMES; n++) {
    const tenantId = `${name}-${n}`;
    const registry = new TenantRegistry(table, table.clock);
    await registry.create({ tenantId, plan: "vectors", chains });
    if (((await registry.chains(tenantId)).at(-1)?.chainId ?? "") < before) continue;
    return (await new ApiKeys(table, table.clock).create({ tenantId, scopes: SCOPES, expiresAt: null })).apiKey;
  }
  throw new Error("no tenant has a chain that comes after the first one's");
}

/** What a request says about a wording of evidence/policy/de.json. */
function wording(id: string): Pick<AttestationRequest, "disclosure_method" | "subject_hash"> {
  const found = policyLayers.flatMap(({ wordings }) => wordings).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`there is no wording ${id}`);
  return { disclosure_method: found.methods[0] ?? "", subject_hash: found.digest };
}

async function attest(name: string, apiKey: string, facts: Partial<AttestationRequest>): Promise<Attested> {
  const request = {
    article_50_clause: "1",
    agent_identity: "voice-agent/2.4.1",
    jurisdiction: "DE",
    ...facts,
  };
  const answer = await ask("/v1/attestation", apiKey, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  save(`requests/${name}`, request);
  save(`receipts/${name}-pending`, answer);
  const done = { name, apiKey, eventId: (answer as ComplianceReceipt).event_id };
  attested.push(done);
  return done;
}

/** Waits for the published root over a receipt and keeps the report. */
async function sealed({ name, apiKey, eventId }: Attested): Promise<void> {
  for (;;) {
    const report = (await get(`/v1/attestation/${eventId}`, apiKey)) as ComplianceReceipt;
    if (report.merkle_proof.status === "included") return save(`receipts/${name}`, report);
    await sleep(POLL_MS);
  }
}

/** The anchors, and tokens that the service would never have taken. */
async function makeAuthorities(): Promise<void> {
  const anchor = readFileSync(join(folder, "timestamp-authority-ca.pem"), "utf8");
  const root = JSON.parse(readFileSync(new URL("seals/2.json", FOLDER), "utf8")) as Seal;
  const other = await stampElsewhere("other", root, 0);
  const early = await stampElsewhere("early", root, HOUR_MS);
  write("authorities/service.pem", anchor);
  write("authorities/other.pem", other);
  write("authorities/early.pem", early);
  write("authorities/service-and-other.pem", anchor + other);
}

/** A token over the same root by another authority, whose clock is `lateMs` late. Returns its anchor. */
async function stampElsewhere(name: string, { merkle_root }: Seal, lateMs: number): Promise<string> {
  const clock = () => new Date(Date.now() - lateMs);
  const authority = await startTimestampAuthority({ directory: join(folder, name), clock });
  const onFailure = (_url: string, error: unknown): never => {
    throw error;
  };
  const trustAnchors = parseCertificatesPem(authority.certificatePem);
  const options = { authorities: [authority.url], trustAnchors, clock, onFailure };
  const subject = { root: parseNode(merkle_root), notBefore: clock().toISOString() };
  const timestamp = await new Timestamps(options).stamp(subject, STAMP_BUDGET_MS);
  await authority.close();
  save(`authorities/${name}-token`, timestamp);
  return authority.certificatePem;
}

const get = (path: string, apiKey?: string): Promise<unknown> => ask(path, apiKey, {});

async function ask(path: string, apiKey: string | undefined, init: RequestInit): Promise<unknown> {
  const headers = new Headers(init.headers);
  if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  const response = await fetch(stack.url + path, { ...init, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return parseJson(new Uint8Array(await response.arrayBuffer()));
}

function save(name: string, value: unknown): void {
  write(`${name}.json`, print(value as Json));
}

stack = await startStack(
  readSettings({ PORT: "0", DATA_DIR: folder, SEAL_INTERVAL_SECONDS: String(SEAL_INTERVAL_SECONDS) }),
);
try {
  await makeVectors(stack);
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
