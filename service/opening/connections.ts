// Opens what a function needs from its environment. Each opener reads its own variables, so that a function that
// publishes nothing needs no bucket and loads no S3 client.
import { readFileSync } from "node:fs";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import {
  authorityVariables,
  inlineStampVariables,
  ledgerVariables,
  macVariables,
  processVariables,
  sealVariables,
  trustAnchorVariables,
} from "../../contract/environment-variables.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { deployedPath, readEnvironment } from "../environment.ts";
import { DayKeys } from "../ledger/day-keys.ts";
import { Macs } from "../ledger/macs.ts";
import { MANY_CALLS, ONE_CALL_AT_A_TIME, type ProcessKind } from "../ledger/process-kind.ts";
import type { FindRenewal } from "../reports/reports.ts";
import { Table } from "../table/table.ts";
import type { OnAuthorityFailure } from "../timestamps/guarded-authority.ts";
import type { GatherTokens, ReadTokenTime, Stamp, VerifySealToken } from "../timestamps/ports.ts";

/**
 * A dead connection must fail while the caller still waits, also one that dies within an answer's body: `requestTimeout`
 * ends with its head. Without the flag the SDK would only log a warning.
 */
export const TIMEOUTS = {
  connectionTimeout: 1_000,
  requestTimeout: 2_000,
  socketTimeout: 2_000,
  throwOnRequestTimeout: true,
};
const READ_ATTEMPTS = 3;
/**
 * The codes that a process makes and checks are of today, and of receipts that are not sealed yet or are repeated within
 * a day. What it does not remember, nobody can steal from its memory.
 */
export const REMEMBERED_DAYS = 8;

export function openTable(): Table {
  const { TABLE_NAME } = readEnvironment(ledgerVariables);
  const reader = new DynamoDBClient({ requestHandler: TIMEOUTS, maxAttempts: READ_ATTEMPTS });
  // The table itself decides what a write of unknown outcome may do next.
  const writer = new DynamoDBClient({ requestHandler: TIMEOUTS, maxAttempts: 1 });
  return new Table({ reader, writer }, TABLE_NAME);
}

/** The kind of this process, which says how its appenders reckon with others. */
export const openProcessKind = (): ProcessKind =>
  readEnvironment(processVariables).SHARED_PROCESS ? MANY_CALLS : ONE_CALL_AT_A_TIME;

/** Authenticates answers by the clock that receipts are dated by. */
export function openMacs({ clock }: Pick<Table, "clock">): Macs {
  const { MAC_KEY_ID: keyId, RETIRED_MAC_KEY_IDS: retiredKeyIds } = readEnvironment(macVariables);
  const client = new KMSClient({ requestHandler: TIMEOUTS, maxAttempts: READ_ATTEMPTS });
  return new Macs({ dayKeys: new DayKeys(client, REMEMBERED_DAYS), keyId, retiredKeyIds, clock });
}

/** The certificates that timestamp tokens must lead to. */
export function openTrustAnchors(): Uint8Array[] {
  const { TSA_CA_FILE } = readEnvironment(trustAnchorVariables);
  return parseCertificatesPem(readFileSync(deployedPath(TSA_CA_FILE), "utf8"));
}

/** Finds renewals for reports whose tokens expire. */
export function openRenewals(table: Table): FindRenewal {
  const trustAnchors = openTrustAnchors();
  return lazily(async () => {
    const { findRenewals } = await import("../reports/renewals.ts");
    return findRenewals({ table, trustAnchors, clock: table.clock });
  });
}

/**
 * Gathers tokens for seals, by the clock that seals are dated by. Throws `misconfigured` where no seal could ever get as
 * many as it wants.
 */
export function openTokens({ clock }: Pick<Table, "clock">, onFailure: OnAuthorityFailure): GatherTokens {
  const { TSA_URLS: authorities } = readEnvironment(authorityVariables);
  const { SEAL_TIMESTAMPS: wanted } = readEnvironment(sealVariables);
  const trustAnchors = openTrustAnchors();
  if (wanted > Math.min(authorities.length, trustAnchors.length)) {
    const message = `SEAL_TIMESTAMPS: ${wanted} need as many TSA_URLS and certificates in TSA_CA_FILE`;
    throw new DisclosureError("misconfigured", message);
  }
  return lazily(async () => {
    const { gatherFrom } = await import("../timestamps/timestamp-gathering.ts");
    return gatherFrom({ authorities, trustAnchors, clock, onFailure }, wanted);
  });
}

/** Judges stored tokens of seals by the trust anchors of this deployment, which readers are given. */
export function openSealTokenVerifier(): VerifySealToken {
  const trustAnchors = openTrustAnchors();
  return lazily(async () => {
    const { verifyTimestamp } = await import("../../evidence/core/timestamps/proven-time.ts");
    return async (root, timestamp, notBefore) =>
      void (await verifyTimestamp(root, timestamp, notBefore, { trustAnchors }));
  });
}

/** Reads when a token was made. */
export const openTokenTimes = (): ReadTokenTime =>
  lazily(async () => (await import("../timestamps/token-time.ts")).readTokenTime);

function openStamp({ clock }: Pick<Table, "clock">, onFailure: OnAuthorityFailure): Stamp {
  const { TSA_URLS: authorities } = readEnvironment(authorityVariables);
  const trustAnchors = openTrustAnchors();
  return lazily(async () => {
    const { stampFrom } = await import("../timestamps/timestamps.ts");
    return stampFrom({ authorities, trustAnchors, clock, onFailure });
  });
}

/**
 * Stamps attestations in the call, within a budget, by the clock that receipts are dated by; null where they are not
 * stamped in the call.
 */
export function openInlineStamp(
  table: Pick<Table, "clock">,
  onFailure: OnAuthorityFailure,
): { readonly stamp: Stamp; readonly budgetMs: number } | null {
  const { TSA_INLINE, TSA_INLINE_BUDGET_MS: budgetMs } = readEnvironment(inlineStampVariables);
  return TSA_INLINE ? { stamp: openStamp(table, onFailure), budgetMs } : null;
}

/** A function that `load` imports when it is first called and not before, for what is slow to load. */
function lazily<A extends unknown[], R>(
  load: () => Promise<(...args: A) => Promise<R>>,
): (...args: A) => Promise<R> {
  let loading: Promise<(...args: A) => Promise<R>> | undefined;
  return async (...args) => {
    loading ??= load();
    return (await loading)(...args);
  };
}
