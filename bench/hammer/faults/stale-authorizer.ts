// A key that is revoked, or a tenant that is suspended, while the service's processes remember that they may call: a minute
// later every process must refuse them.
import { setTimeout as sleep } from "node:timers/promises";
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { Operator } from "../../../service/operator.ts";
import { SCOPES } from "../../../service/tenants/tenants.ts";
import type { Random } from "../../throughput/random.ts";
import { type Attesting, attestOnce } from "../load/attest.ts";
import { disclosureOf } from "../load/disclosures.ts";
import type { LoadTenant } from "../world/tenants.ts";
import type { World } from "../world/world.ts";
import { persist } from "./operator-faults.ts";

/** Twice as long as a process may remember a key's judgement. */
const FORGOTTEN_MS = MINUTE_MS;
const PAUSE_MS = 2_000;
const PROBE_MS = 10_000;
const MAX_PROBES = 60;
const REFUSED: readonly number[] = [401, 403];

export interface StaleAuthorizer {
  readonly world: World;
  readonly operator: Operator;
  readonly attesting: Attesting;
  readonly random: Random;
  /** Names this fault within the run. */
  readonly name: string;
}

/** The key that must be refused, in a finding's words. */
type Forbidden = "a revoked key" | "the key of a suspended tenant";

/** The guest's key calls, is revoked, calls on for a minute, and must be refused by then. */
export async function revokeWhileRemembered(stale: StaleAuthorizer, guest: LoadTenant): Promise<void> {
  const { keys } = stale.operator;
  const { keyId, apiKey } = await persist(() =>
    keys.create({ tenantId: guest.name, scopes: SCOPES, expiresAt: null }),
  );
  await callOn(stale, { ...guest, apiKey }, "a revoked key", () => persist(() => keys.revoke(keyId)));
}

/** The same with a tenant that is suspended, and goes on when it is over. */
export async function suspendWhileRemembered(stale: StaleAuthorizer, guest: LoadTenant): Promise<void> {
  const { registry } = stale.operator;
  const suspend = () => persist(() => registry.suspend(guest.name));
  await callOn(stale, guest, "the key of a suspended tenant", suspend);
  await persist(() => registry.resume(guest.name));
}

async function callOn(
  stale: StaleAuthorizer,
  guest: LoadTenant,
  who: Forbidden,
  forbid: () => Promise<void>,
): Promise<void> {
  let calls = 0;
  const call = () => attestAs(stale, guest, calls++);
  for (const _ of stale.world.of("attest")) await call();
  await forbid();
  const end = performance.now() + FORGOTTEN_MS;
  while (performance.now() < end) {
    await call();
    await sleep(PAUSE_MS);
  }
  await Promise.all(stale.world.of("attest").map((_, at) => requireRefused(stale, guest, who, at)));
}

async function attestAs(
  { attesting, random, name }: StaleAuthorizer,
  guest: LoadTenant,
  call: number,
): Promise<void> {
  const interactionId = `hammer/${name}/${call}`;
  const { body } = disclosureOf(interactionId, random);
  const made = {
    tenant: guest,
    apiKey: guest.apiKey,
    interactionId,
    idempotencyKey: `${name}-${call}`,
    body,
  };
  await attestOnce({ ...made, expected: [...REFUSED, 422] }, attesting, random);
}

/** One process is asked until it judges the call. */
async function requireRefused(
  { world, attesting }: StaleAuthorizer,
  guest: LoadTenant,
  who: Forbidden,
  at: number,
): Promise<void> {
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    const url = world.of("attest")[at]?.url ?? "";
    const headers = {
      ...attesting.headers,
      authorization: `Bearer ${guest.apiKey}`,
      "content-type": "application/json",
    };
    // A body that is refused with 400 wherever the key is taken: nothing is recorded.
    const init = { method: "POST", headers, body: "-", signal: AbortSignal.timeout(PROBE_MS) };
    const response = await fetch(url + ATTESTATION_PATH, init).catch(() => null);
    await response?.body?.cancel();
    const status = response?.status ?? 0;
    if (REFUSED.includes(status)) return;
    if (status >= 400 && status < 500)
      return attesting.findings.add(
        "stale-authorizer",
        `a minute after it was forbidden, ${who} is answered ${status}`,
      );
    await sleep(PAUSE_MS);
  }
  attesting.findings.add("stale-authorizer", "a process judged no call for minutes");
}
