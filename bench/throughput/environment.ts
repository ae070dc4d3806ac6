// One environment of the service, put together as the attest function does. The bench knows the service's parts by
// this file alone.
import { createHash, createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { DEFAULT_PLANS } from "../../contract/plans.ts";
import { attestationRequestSchema } from "../../evidence/core/formats/attestation-request.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import { type AttestationServices, attest } from "../../service/attestations/attestations.ts";
import { ChainStamps } from "../../service/attestations/chain-stamps.ts";
import { Appenders } from "../../service/ledger/appender-pool.ts";
import { DayKeys } from "../../service/ledger/day-keys.ts";
import { Macs } from "../../service/ledger/macs.ts";
import { MANY_CALLS, ONE_CALL_AT_A_TIME, type ProcessKind } from "../../service/ledger/process-kind.ts";
import { MonthQuota } from "../../service/limits/month-quota.ts";
import { REMEMBERED_DAYS, TIMEOUTS } from "../../service/opening/connections.ts";
import { EffectiveLayers } from "../../service/policy/effective-layers.ts";
import { StampedSeals } from "../../service/seals/stamped-seals.ts";
import { Table } from "../../service/table/table.ts";
import { type Caller, SCOPES } from "../../service/tenants/tenants.ts";
import type { Stamp } from "../../service/timestamps/ports.ts";
import { DISCLOSURE } from "../disclosure.ts";
import { type Delays, delayDynamoDb, inTheMiddle } from "./delays.ts";
import type { ModelledService } from "./model.ts";
import type { Runtime, Totals } from "./row.ts";

const KINDS: Readonly<Record<Runtime, ProcessKind>> = { functions: ONE_CALL_AT_A_TIME, web: MANY_CALLS };

/** KMS is asked once a day and process, which no row sees. */
const modelled = ({ maxBackoffMs, headLifeMs }: ProcessKind): ModelledService => ({
  macsInAppend: 0,
  macsInAnswer: 0,
  backoffCapMs: maxBackoffMs,
  remembersMs: headLifeMs,
});

/**
 * The model takes this for granted about the service: how often an attestation asks KMS, how long it backs off, and how
 * long a process trusts its memory of a chain.
 */
export const MODELLED: Readonly<Record<Runtime, ModelledService>> = {
  functions: modelled(KINDS.functions),
  web: modelled(KINDS.web),
};

export const CONNECTION = {
  region: "local",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
  requestHandler: TIMEOUTS,
};
const KEY_ID = randomUUID();
const ANCHOR_HEX = 32;
const PLAN = "bench";
const STAMP_BUDGET_MS = 1_000;

/** The settings of an environment. */
export interface EnvironmentOptions {
  readonly runtime: Runtime;
  readonly endpoint: string;
  readonly tableName: string;
  /** Names the row's tenant. */
  readonly tenant: string;
  readonly chains: number;
  readonly authorityMs: number | null;
}

export interface Environment {
  /** Attests one disclosure as a turn of `conversation`. Throws what `attest` throws. */
  readonly attest: (conversation: string, idempotencyKey: string) => Promise<void>;
  readonly close: () => void;
}

export function openEnvironment(options: EnvironmentOptions, delays: Delays, totals: Totals): Environment {
  const clients = openClients(options, delays, totals);
  const services = openServices(clients, options, totals);
  const caller = callerOf(options);
  return {
    attest: async (conversation, idempotencyKey) => {
      const request = attestationRequestSchema.parse({ ...DISCLOSURE, interaction_id: conversation });
      await attest(services, caller, request, idempotencyKey);
    },
    close: () => {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}

interface EnvironmentClients {
  readonly reader: DynamoDBClient;
  readonly writer: DynamoDBClient;
  readonly kms: KMSClient;
}

function openClients({ endpoint }: EnvironmentOptions, delays: Delays, totals: Totals): EnvironmentClients {
  const reader = new DynamoDBClient({ ...CONNECTION, endpoint });
  const writer = new DynamoDBClient({ ...CONNECTION, endpoint, maxAttempts: 1 });
  for (const client of [reader, writer]) delayDynamoDb(client, delays, totals);
  return { reader, writer, kms: openKms(delays, totals) };
}

/** A KMS that answers by itself, for what is in question is how long it takes. */
function openKms(delays: Delays, totals: Totals): KMSClient {
  const kms = new KMSClient(CONNECTION);
  kms.middlewareStack.add(
    () =>
      ({ input }) => {
        totals.macRequests++;
        const { Message = Uint8Array.of() } = input as { Message?: Uint8Array };
        const Mac = createHmac("sha256", KEY_ID).update(Message).digest();
        return inTheMiddle(delays.of("kms"), async () => ({ output: { $metadata: {}, Mac }, response: {} }));
      },
    { step: "initialize" },
  );
  return kms;
}

function openServices(
  { reader, writer, kms }: EnvironmentClients,
  { runtime, tableName, authorityMs, chains }: EnvironmentOptions,
  totals: Totals,
): AttestationServices {
  const table = new Table({ reader, writer }, tableName);
  const macs = new Macs({
    dayKeys: new DayKeys(kms, REMEMBERED_DAYS),
    keyId: KEY_ID,
    retiredKeyIds: [],
    clock: table.clock,
  });
  const meter: AttestationServices["meter"] = (name, _plan, value) => {
    if (name === "attestations" || name === "lostRaces") totals[name] += value;
  };
  const readTokenTime = async () => 0;
  const stampedSeals = new StampedSeals({ table, readTokenTime, onFault: fail, meter: () => {} });
  const stamps = authorityMs === null ? null : stampsBy(table, authorityMs);
  const appenders = new Appenders({
    table,
    macs,
    stampedSeals,
    processKind: KINDS[runtime],
  });
  // Far from used up: what it costs to know that is part of a call.
  const plans = { [PLAN]: { ...DEFAULT_PLANS.volume, chains } };
  const quota = new MonthQuota({ table, clock: table.clock, onFault: fail, plans });
  const layers = new EffectiveLayers(table, policyLayers);
  return { table, quota, appenders, stamps, macs, meter, clock: table.clock, layers };
}

/** An authority that always answers, after this long. Nobody judges its tokens here. */
function stampsBy(table: Table, authorityMs: number): ChainStamps {
  const stamp: Stamp = async () => {
    await sleep(authorityMs);
    return { status: "included", timestamp_token: "", tsa_url: "http://tsa.example", covers: "merkle_root" };
  };
  return new ChainStamps({ stamp, table, budgetMs: STAMP_BUDGET_MS, onFault: fail });
}

/** The row's tenant, as the authorizer would know it. */
function callerOf({ tenant, chains }: EnvironmentOptions): Caller {
  const anchor = createHash("sha256").update(tenant).digest("hex").slice(0, ANCHOR_HEX);
  return {
    tenantId: tenant,
    keyId: "0".repeat(20),
    scopes: SCOPES,
    plan: PLAN,
    tenantAnchor: anchor,
    chains,
    keyExpiresAt: null,
    inlineStampsPerMinute: null,
    ownWordings: null,
    isPreview: false,
  };
}

function fail(error: unknown): never {
  throw error;
}
