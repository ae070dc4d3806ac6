// The operator's work while callers call. The operator's own requests meet faults, and each step is repeated until it is
// done, as an operator would.
import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { TimestampVerifier } from "../../../evidence/core/timestamps/timestamp-verifier.ts";
import { TABLE_NAME } from "../../../host/local/stand-ins.ts";
import { readLedgerStatus } from "../../../service/audit/ledger-status.ts";
import { erase } from "../../../service/erasure/erase.ts";
import { TIMEOUTS } from "../../../service/opening/connections.ts";
import type { Operator } from "../../../service/operator.ts";
import { setAside } from "../../../service/sealing/set-aside.ts";
import { SealRecords } from "../../../service/seals/seal-records.ts";
import { Table } from "../../../service/table/table.ts";
import { SCOPES } from "../../../service/tenants/tenants.ts";
import { indexIn, type Random } from "../../throughput/random.ts";
import type { HadConversation } from "../load/conversations.ts";
import type { ServiceLines } from "../world/lines.ts";
import type { LoadTenant } from "../world/tenants.ts";

const PAUSE_MS = 300;
const MAX_TRIES = 200;
const OUTAGES = [
  "ledger_unavailable",
  "ledger_contended",
  "publication_unavailable",
  "mac_unavailable",
] as const;
/** Chains that a tenant may get while it calls. */
const MAX_GROWN_CHAINS = 6;

/** Repeats what an outage cut off. Throws where it is refused, or never succeeds. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isOutage = OUTAGES.some((code) => isDisclosureError(error, code));
      if (!isOutage || attempt === MAX_TRIES) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

/** The table as an operator's program has it, through the proxy at `endpoint`. */
export function openOperatorTable(endpoint: string, accessKeyId: string): Table {
  const credentials = { accessKeyId, secretAccessKey: "local" };
  const connection = { region: "local", credentials, endpoint, requestHandler: TIMEOUTS };
  const reader = new DynamoDBClient(connection);
  const writer = new DynamoDBClient({ ...connection, maxAttempts: 1 });
  return new Table({ reader, writer }, TABLE_NAME);
}

export async function eraseConversation(
  table: Table,
  { tenant, interactionId }: HadConversation,
): Promise<void> {
  // Its callers have said that it is over.
  const order = {
    tenantId: tenant.name,
    interactionId,
    erased_by: "hammer",
    ground: "request",
    hasEnded: true,
  } as const;
  let isBegun = false;
  await persist(async () => {
    try {
      await erase(table, order);
    } catch (error) {
      // A run whose last answer was lost has done all of it.
      if (isBegun && isDisclosureError(error, "not_found")) return;
      isBegun = true;
      throw error;
    }
  });
}

/** The operator looks at the status once the alarm for unclaimed entries tells, and sets the named entry aside. */
export async function setAsideUnclaimed(operator: Operator, lines: ServiceLines): Promise<void> {
  const services = { ...operator, seals: new SealRecords(operator.table) };
  const looking = { ...operator, verifier: new TimestampVerifier([]), witnessPolicy: null };
  await persist(async () => {
    const { unclaimed } = await readLedgerStatus(looking, [], () => {});
    if (unclaimed === null) return;
    lines.settingAside();
    await setAside(services, unclaimed.leafIndex).catch((error: unknown) => {
      // It is set aside, by a try whose answer was lost: the next alarm has the operator look again.
      if (!isDisclosureError(error, "invalid_request")) throw error;
    });
    lines.settingAside();
  });
}

/** Creates a key and revokes it, and lets a tenant's chains grow by one. */
export async function administer(
  { keys, registry }: Operator,
  tenants: readonly LoadTenant[],
  random: Random,
): Promise<void> {
  const tenantId = tenants[indexIn(random, tenants.length)]?.name;
  if (tenantId === undefined) return;
  const { keyId } = await persist(() => keys.create({ tenantId, scopes: SCOPES, expiresAt: null }));
  await persist(() => keys.revoke(keyId));
  const { chains } = await persist(() => registry.get(tenantId));
  if (chains < MAX_GROWN_CHAINS) await persist(() => registry.raiseChains(tenantId, chains + 1));
}
