// What one process of the service holds, put together as the handlers do, with its calls open to interception.
import { randomBytes } from "node:crypto";
import type { Meter, MetricName, PlanMeter } from "../../contract/metric-names.ts";
import type { Plans } from "../../contract/plans.ts";
import { concatBytes, formatBase64 } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import type { EventDetail } from "../../evidence/core/formats/events.ts";
import type { EvidenceBundle } from "../../evidence/core/formats/evidence-bundle.ts";
import { PENDING_TIMESTAMP, type Seal, type TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import type { PolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import { attest } from "../../service/attestations/attestations.ts";
import { ChainStamps } from "../../service/attestations/chain-stamps.ts";
import { describeSealPublished } from "../../service/events/seal-events.ts";
import { Appenders } from "../../service/ledger/appender-pool.ts";
import { DayKeys } from "../../service/ledger/day-keys.ts";
import { Macs } from "../../service/ledger/macs.ts";
import { MANY_CALLS, type ProcessKind } from "../../service/ledger/process-kind.ts";
import { MonthQuota } from "../../service/limits/month-quota.ts";
import type { LogSettings } from "../../service/log/log-identity.ts";
import { KmsSigner } from "../../service/log/log-signer.ts";
import { EffectiveLayers } from "../../service/policy/effective-layers.ts";
import { LayerMemory } from "../../service/policy/layer-memory.ts";
import { PolicyPublication } from "../../service/policy/policy-publication.ts";
import { type ReadLogSignatures, readLogSignatures } from "../../service/reports/log-signatures.ts";
import {
  type FindRenewal,
  type ReportedHead,
  readInteraction,
  readReport,
} from "../../service/reports/reports.ts";
import { ChainWatch } from "../../service/sealing/chain-watch.ts";
import { KnownHeads } from "../../service/sealing/known-heads.ts";
import { PublishedEntries } from "../../service/sealing/published-entries.ts";
import { meterSealer } from "../../service/sealing/seal-metering.ts";
import { runSealer, type SealerServices, type SealRun } from "../../service/sealing/sealer.ts";
import { PublishedRoots } from "../../service/seals/published-roots.ts";
import { SealRecords } from "../../service/seals/seal-records.ts";
import { StampedSeals } from "../../service/seals/stamped-seals.ts";
import { Table } from "../../service/table/table.ts";
import type { Caller } from "../../service/tenants/tenants.ts";
import type {
  GatheredTokens,
  GatherTokens,
  ReadTokenTime,
  Stamp,
  VerifySealToken,
} from "../../service/timestamps/ports.ts";
import { Calls, type Interceptor } from "./faults.ts";
import { knowing } from "./known-layer.ts";
import type { Ledger } from "./ledger-stack.ts";

export const TSA_URL = "https://tsa.test";
/** Those that seals want a token of, each. */
export const AUTHORITIES: readonly string[] = [TSA_URL, "https://second.tsa.test"];
const NONCE_BYTES = 8;
/** The authority is a function of this process, and a busy machine may take its time for it. */
const STAMP_BUDGET_MS = 20_000;
const REMEMBERED_DAYS = 8;
const RETENTION = { mode: "COMPLIANCE", days: 1 } as const;

/** What the authority of these tests answers: a "token" that begins with the root and, as in life, is never the same. */
const timestampOf = (root: Uint8Array, tsa_url: string): TsaTimestamp => ({
  status: "included",
  timestamp_token: formatBase64(concatBytes(root, randomBytes(NONCE_BYTES))),
  tsa_url,
  covers: "merkle_root",
});

/** The root that such a token covers, as `0x` and hex. */
export const stampedRoot = ({ timestamp_token }: TsaTimestamp): string =>
  `0x${Buffer.from(timestamp_token ?? "", "base64")
    .subarray(0, -NONCE_BYTES)
    .toString("hex")}`;

/** What a process may be given in place of these tests' own authorities. */
export interface TestProcessOptions {
  readonly stampBudgetMs?: number;
  readonly stamp?: Stamp;
  readonly gather?: GatherTokens;
  readonly verifySealToken?: VerifySealToken;
  readonly readTokenTime?: ReadTokenTime;
  readonly clock?: () => Date;
  readonly origin?: string;
  readonly witnesses?: SealerServices["witnesses"];
  /** Tenants of these tests are on the plan "test", which has no limits unless it is here. */
  readonly plans?: Plans;
  readonly processKind?: ProcessKind;
  /** How long a call waits for the lookup of the newest seal; without it, as long as in a deployment. */
  readonly lookupWaitMs?: number;
  /** The layers of the deployment, none of which the process knows yet; without them, those that ship. */
  readonly layers?: readonly PolicyLayer[];
  /** Whether its sealer publishes the layers of the deployment, which few tests are about. */
  readonly publishesPolicy?: boolean;
}

/** A reader of these tests believes what begins with the root. */
const believeRoot: VerifySealToken = async (root, timestamp) => {
  if (timestamp.status === "pending" || stampedRoot(timestamp) === root) return;
  throw new DisclosureError("token_invalid", "the token covers another root");
};

/** The "tokens" of these tests have no time: they are never ahead of a clock. */
const noTokenTime: ReadTokenTime = async () => 0;

export class TestProcess {
  readonly calls: Calls;
  readonly table: Table;
  readonly seals: SealRecords;
  readonly heads = new KnownHeads();
  readonly publishedEntries: PublishedEntries;
  readonly watch: ChainWatch;
  /** The items that its sealer did not believe. */
  readonly disbelieved: string[] = [];
  readonly macs: Macs;
  readonly roots: PublishedRoots;
  readonly stamp: Stamp;
  readonly gather: GatherTokens;
  readonly verifySealToken: VerifySealToken;
  readonly findRenewal: FindRenewal;
  readonly log: LogSettings;
  readonly witnesses: SealerServices["witnesses"];
  readonly readLogSignatures: ReadLogSignatures;
  /** What was counted, by metric. */
  readonly counted: Partial<Record<MetricName, number>> = {};
  /** The events of its seals that the bus took. */
  readonly announced: EventDetail<"SealPublished">[] = [];
  /** Faults of our own that calls were answered in spite of. */
  readonly faults: unknown[] = [];
  readonly layers: Pick<EffectiveLayers, "rulesFor">;
  readonly layerMemory: LayerMemory;
  readonly policy: SealerServices["policy"];
  readonly #stamps: ChainStamps;
  readonly #appenders: Appenders;
  readonly #quota: MonthQuota;
  readonly #clock: () => Date;

  #count(metric: MetricName, value: number): void {
    this.counted[metric] = (this.counted[metric] ?? 0) + value;
  }
  readonly #meter: Meter = (metric, value) => this.#count(metric, value);

  constructor(
    { clients, name, key, isSigned, clock: ledgerClock }: Ledger,
    intercept: Interceptor,
    options: TestProcessOptions = {},
  ) {
    this.calls = new Calls(intercept);
    const [reader, writer] = [this.calls.through(clients.dynamoDb), this.calls.through(clients.writer)];
    const clock = options.clock ?? ledgerClock;
    this.table = new Table({ reader, writer }, name, clock);
    this.seals = new SealRecords(this.table);
    const dayKeys = new DayKeys(this.calls.through(clients.kms), REMEMBERED_DAYS);
    this.macs = new Macs({ dayKeys, keyId: key.id, retiredKeyIds: [], clock });
    this.roots = new PublishedRoots(this.calls.through(clients.s3), name, RETENTION);
    this.publishedEntries = new PublishedEntries(this.table, this.roots);
    // An authority that fails is not an error of ours: see Stamp.
    this.stamp = options.stamp ?? ((root) => this.#stampTest(root));
    this.gather = options.gather ?? ((root, held) => this.#gatherTest(root, held));
    this.verifySealToken = options.verifySealToken ?? believeRoot;
    // Tokens of these tests lead to no anchor, so nothing could renew them: renewals.test.ts has real ones.
    this.findRenewal = async () => null;
    this.readLogSignatures = readLogSignatures({
      roots: this.roots,
      onFault: (error) => this.faults.push(error),
    });
    this.watch = new ChainWatch({
      table: this.table,
      heads: this.heads,
      publishedEntries: this.publishedEntries,
      macs: this.macs,
      onDamagedTenant: (error) => this.faults.push(error),
    });
    this.#stamps = new ChainStamps({
      stamp: this.stamp,
      table: this.table,
      budgetMs: options.stampBudgetMs ?? STAMP_BUDGET_MS,
      onFault: (error) => this.faults.push(error),
    });
    const signer = new KmsSigner(isSigned ? this.calls.through(clients.kms) : clients.noKey, key.id);
    this.log = { signer, origin: options.origin ?? key.log.key.name };
    this.witnesses = options.witnesses ?? null;
    const { table, macs } = this;
    const meter = this.#meter;
    const { readTokenTime = noTokenTime } = options;
    const onFault = (error: unknown) => this.faults.push(error);
    const { processKind = MANY_CALLS, lookupWaitMs: waitMs } = options;
    const waiting = waitMs === undefined ? {} : { waitMs };
    const stampedSeals = new StampedSeals({ table, readTokenTime, onFault, meter, ...waiting });
    this.#appenders = new Appenders({ table, macs, stampedSeals, processKind });
    const layers = options.layers ?? policyLayers;
    const effective = new EffectiveLayers(table, layers);
    this.layers = options.layers === undefined ? knowing(effective) : effective;
    this.layerMemory = new LayerMemory(table, onFault);
    const policy = new PolicyPublication({
      table,
      files: this.roots.files,
      layers,
      clock,
      meter,
      onFailure: (_what, error) => onFault(error),
    });
    this.policy = options.publishesPolicy === true ? policy : withoutIndex(policy);
    this.#quota = new MonthQuota({ table, clock, onFault, plans: options.plans ?? {} });
    this.#clock = clock;
  }

  #stampTest(root: Uint8Array): Promise<TsaTimestamp> {
    const stamping = this.calls.make("Stamp", {}, async () => timestampOf(root, TSA_URL));
    return stamping.catch(() => PENDING_TIMESTAMP);
  }

  async #gatherTest(root: Uint8Array, held: readonly TsaTimestamp[]): Promise<GatheredTokens> {
    const lacking = AUTHORITIES.filter((url) => !held.some(({ tsa_url }) => tsa_url === url));
    const asking = lacking.map((url) =>
      this.calls.make("Stamp", { url }, async () => [timestampOf(root, url)]).catch(() => []),
    );
    const tokens = (await Promise.all(asking)).flat();
    return { tokens, missing: lacking.length - tokens.length };
  }

  attest(
    caller: Caller,
    request: AttestationRequest,
    idempotencyKey: string | null = null,
  ): Promise<ComplianceReceipt> {
    const services = {
      table: this.table,
      appenders: this.#appenders,
      quota: this.#quota,
      stamps: this.#stamps,
      macs: this.macs,
      clock: this.#clock,
      layers: this.layers,
    };
    const meter: PlanMeter = (metric, _plan, value) => this.#count(metric, value);
    return attest({ ...services, meter }, caller, request, idempotencyKey);
  }

  get sealerServices(): SealerServices {
    const { table, seals, heads, watch, macs, roots, gather, verifySealToken, log, witnesses, policy } = this;
    const of = { clock: this.#clock, meter: this.#meter, publishedEntries: this.publishedEntries };
    const announce = (seal: Seal) => this.#announce(seal);
    const onDisbelief = (item: string): void => void this.disbelieved.push(item);
    const onCheckpointFailure = (error: unknown): void => void this.faults.push(error);
    return {
      table,
      seals,
      heads,
      watch,
      macs,
      roots,
      gather,
      verifySealToken,
      log,
      witnesses,
      policy,
      onCheckpointFailure,
      onDisbelief,
      announce,
      ...of,
    };
  }

  /** A bus that fails is not an error of ours: see SendEvent. */
  async #announce(seal: Seal): Promise<void> {
    const put = async () => void this.announced.push(describeSealPublished(seal));
    await this.calls.make("PutEvents", {}, put).catch(() => {});
  }

  seal(mayGoOn?: () => boolean): Promise<SealRun> {
    const { sealerServices: services } = this;
    return meterSealer(services, () => runSealer(services, mayGoOn));
  }

  report(caller: Caller, eventId: string, head?: ReportedHead): Promise<ComplianceReceipt> {
    return readReport(this, caller, eventId, head);
  }

  interaction(caller: Caller, interactionId: string, fromTurn = 1): Promise<EvidenceBundle> {
    return readInteraction(this, caller, interactionId, fromTurn);
  }
}

const withoutIndex = (policy: SealerServices["policy"]): SealerServices["policy"] => ({
  publishDeployed: async () => {},
  publishWaiting: () => policy.publishWaiting(),
});

/** As many calls at once as a slow machine still writes within the appender's budget. */
const CALLS_AT_ONCE = 100;

/** Attests `count` turns of one conversation, in order. */
export async function attestTurns(process: TestProcess, caller: Caller, count: number): Promise<void> {
  for (let done = 0; done < count; done += CALLS_AT_ONCE) {
    const calls = Array.from({ length: Math.min(CALLS_AT_ONCE, count - done) }, () =>
      process.attest(caller, requestOf("call")),
    );
    await Promise.all(calls);
  }
}

/** A request that is right in every field; its wording is not one of the approved. */
export const requestOf = (
  interactionId: string,
  changes: Partial<AttestationRequest> = {},
): AttestationRequest => ({
  interaction_id: interactionId,
  modality: "voice",
  article_50_clause: "1",
  disclosure_method: "spoken_introduction",
  agent_identity: "agent/7",
  jurisdiction: "DE",
  subject_hash: `sha256:${"5".repeat(64)}`,
  ...changes,
});
