// The state of the deployment in one answer: what `admin status` reads, and what of it needs attention.
import type { ConsoleOverview } from "../../contract/console.ts";
import type { TimestampVerifier } from "../../evidence/core/timestamps/timestamp-verifier.ts";
import { concernsOf } from "../../service/audit/concerns.ts";
import { readLedgerStatus } from "../../service/audit/ledger-status.ts";
import { isRetentionOverdue } from "../../service/erasure/retention-progress.ts";
import type { Directory } from "./directory.ts";
import type { ReadingOperator } from "./reading-operator.ts";

export interface OverviewServices {
  readonly operator: ReadingOperator;
  readonly directory: Directory;
  readonly verifier: TimestampVerifier;
}

/** Reads every chain's size: for many of them that takes seconds, so it is remembered by whoever serves it. */
export async function readOverview({
  operator,
  directory,
  verifier,
}: OverviewServices): Promise<ConsoleOverview> {
  const { deployment, table, roots, macs, clock, region } = operator;
  const chainIds = (await directory.chains(null)).map(({ chainId }) => chainId);
  const { witnessPolicy, sealIntervalMinutes } = deployment;
  const services = { table, roots, macs, verifier, clock, witnessPolicy };
  const status = await readLedgerStatus(services, chainIds, () => {});
  const tenants = await directory.tenants();
  const overdue = await isRetentionOverdue(table, tenants);
  const now = clock();
  const { seal, backlog, setAside, tokens } = status;
  return {
    name: deployment.name,
    url: deployment.url,
    alarms_url: region === null ? null : alarmsUrl(region, deployment.name),
    read_at: now.toISOString(),
    concerns: concernsOf({ status, isRetentionOverdue: overdue, sealIntervalMinutes }, now),
    tenants: tenants.length,
    chains: chainIds.length,
    waiting: { receipts: backlog.receipts, chains: backlog.chains, oldest: backlog.oldest },
    seal: seal && { index: seal.index, sealed_at: seal.sealedAt, is_published: seal.isPublished },
    troubled_chains: [...new Set([...setAside, ...backlog.damaged.map(({ chainId }) => chainId)])],
    tokens: tokens.map(({ url, holds, detail, validUntil }) => ({
      authority: url,
      holds,
      detail,
      valid_until: validUntil,
    })),
  };
}

/** CloudWatch's own page, with the alarms whose names begin with the deployment's. */
const alarmsUrl = (region: string, name: string): string =>
  `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#alarmsV2:?search=${encodeURIComponent(name)}`;
