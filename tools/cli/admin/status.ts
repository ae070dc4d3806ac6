// `admin status`: whether the deployment seals in time and its tokens hold, for the operator on call.
import { TimestampVerifier } from "../../../evidence/core/timestamps/timestamp-verifier.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { knownTrustAnchors } from "../../../evidence/reader/anchors.ts";
import {
  type LedgerStatus,
  readLedgerStatus,
  type TokenHealth,
} from "../../../service/audit/ledger-status.ts";
import type { CheckpointStatus, WitnessStatus } from "../../../service/audit/log-status.ts";
import { isRetentionOverdue } from "../../../service/erasure/retention-progress.ts";
import type { Operator } from "../../../service/operator.ts";
import { Exit, type ExitCode } from "../command.ts";
import { certificatesOf, readTrustAnchors, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import { ageOf, quorumOf } from "../output/freshness.ts";
import { printTable } from "../output/table.ts";
import { bold, green, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import { refuseMore } from "./arguments.ts";
import { describeConcerns, describeWaiting } from "./concerns.ts";
import { namesOf } from "./set-aside.ts";
import { inSnakeCase } from "./snake-case.ts";
import { onTarget, pasteable, readAdminArguments, readLocal } from "./target.ts";

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, TSA_CA_OPTION);
  refuseMore(positionals);
  return onTarget(values, async (operator) => {
    const files =
      values["tsa-ca"] ?? (values.local === undefined ? [] : [readLocal(values.local).trustAnchorsFile]);
    const anchors = [...(await readOwnAnchors(files)), ...knownAnchors(operator)];
    const status = await read(operator, new TimestampVerifier(anchors), terminal);
    const now = operator.clock();
    const concerns = describeConcerns(operator.deployment, {
      status,
      isRetentionOverdue: await isRetentionOverdue(operator.table, await operator.registry.list()),
      now,
      verify: pasteable("verify", values),
      setAside: pasteable(`set-aside ${status.unclaimed?.leafIndex}`, values),
      retention: pasteable("retention", values),
    });
    if (values.json === true)
      terminal.printJson(inSnakeCase({ healthy: concerns.length === 0, concerns, ...status }));
    else print(operator, status, concerns, now, terminal);
    return concerns.length === 0 ? Exit.holds : Exit.doesNotHold;
  });
}

/** The known authorities are taken only where the deployment asks them. */
const readOwnAnchors = async (files: readonly string[]): Promise<readonly Uint8Array[]> =>
  files.length === 0 ? [] : certificatesOf(await readTrustAnchors(files));

const knownAnchors = ({ deployment }: Operator): readonly Uint8Array[] =>
  deployment.knownAuthorities ? knownTrustAnchors : [];

async function read(
  operator: Operator,
  verifier: TimestampVerifier,
  terminal: Terminal,
): Promise<LedgerStatus> {
  const chainIds = (await operator.registry.allChains()).map(({ chainId }) => chainId);
  const progress = terminal.progress(chainIds.length, "chains");
  const { witnessPolicy } = operator.deployment;
  return readLedgerStatus({ ...operator, verifier, witnessPolicy }, chainIds, () => progress.step());
}

function print(
  { deployment }: Operator,
  status: LedgerStatus,
  concerns: readonly string[],
  now: Date,
  terminal: Terminal,
): void {
  terminal.print(bold(deployment.name), ` ${deployment.url}`);
  const { backlog, unpublished } = status;
  printTable(terminal, [
    ["last seal", sealOf(status, now)],
    ["lag", backlog.oldest === null ? "none" : ageOf(backlog.oldest, now)],
    ["backlog", backlogOf(status)],
    ["unpublished", unpublished === 0 ? "none" : yellow(count(unpublished, "seal"))],
    ["lack tokens", lackingOf(status)],
    ...status.tokens.map((token): StyledText[] => ["token", ...tokenOf(token)]),
    ...rowsOfLog(status, now),
    ...rowsOfUnclaimed(status),
    ...status.setAside.map((chainId): StyledText[] => ["not sealed", red(chainId)]),
    ...backlog.damaged.map(({ chainId, detail }): StyledText[] => ["damaged", red(`${chainId}: ${detail}`)]),
  ]);
  terminal.print("verdict: ", verdictOf(status, concerns));
}

const rowsOfUnclaimed = ({ unclaimed }: LedgerStatus): StyledText[][] =>
  unclaimed === null
    ? []
    : [["unclaimed", red(`entry ${unclaimed.leafIndex}, ${namesOf(unclaimed)}: ${unclaimed.detail}`)]];

function verdictOf(status: LedgerStatus, concerns: readonly string[]): StyledText {
  if (concerns.length > 0) return red(concerns.join("; "));
  const waiting = describeWaiting(status);
  return waiting.length === 0 ? green("all is well") : yellow(`all is well so far: ${waiting.join(", ")}`);
}

function sealOf({ seal }: LedgerStatus, now: Date): string {
  if (seal === null) return "none yet";
  const published = seal.isPublished ? "published" : "not published yet";
  return `${seal.index}, ${ageOf(seal.sealedAt, now)} ago, ${count(seal.treeSize, "entry", "entries")}, ${published}`;
}

const lackingOf = ({ lacking: { tokenless, incomplete } }: LedgerStatus): StyledText =>
  tokenless + incomplete === 0
    ? "none"
    : yellow(`${count(tokenless, "root has", "roots have")} none, ${incomplete} fewer than wanted`);

const backlogOf = ({ backlog: { chains, receipts } }: LedgerStatus): string =>
  chains === 0 ? "none" : `${count(receipts, "receipt")} in ${count(chains, "chain")}`;

function tokenOf({ holds, detail, url, validUntil }: TokenHealth): StyledText[] {
  const until = validUntil === null ? "" : `, certificate until ${validUntil}`;
  const text = `${url ?? ""} ${detail}${until}`.trim();
  if (holds === null) return [yellow(`not checked: ${text}`)];
  return [holds ? green(`holds: ${text}`) : red(`does not hold: ${text}`)];
}

/** The rows about the signed log. */
function rowsOfLog({ log }: LedgerStatus, now: Date): StyledText[][] {
  if (log === null) return [["log", yellow("has no key yet")]];
  const { origin, vkey, checkpoint, fault, witnesses, quorumAt, ahead } = log;
  return [
    ["log", origin],
    ["log's key", vkey],
    ["checkpoint", fault === null ? checkpointOf(checkpoint, now) : red(`does not hold: ${fault}`)],
    ...(witnesses.length === 0 ? [] : [["newest quorum", quorumOf({ waitingSince: null, quorumAt, now })]]),
    ...witnesses.map((witness): StyledText[] => ["witness", ...witnessOf(witness, checkpoint, now)]),
    ...ahead.map(({ witness, time }) => [
      "ahead",
      red(`${witness}: of ${time}, which is ahead of the clock and counts for nobody`),
    ]),
  ];
}

function checkpointOf(checkpoint: CheckpointStatus | null, now: Date): StyledText {
  if (checkpoint === null) return yellow("none yet");
  const { size, sealedAt, hasQuorum } = checkpoint;
  const age = sealedAt === null ? "" : `, ${ageOf(sealedAt, now)} ago`;
  const text = `${count(size, "entry", "entries")}${age}`;
  if (hasQuorum === null) return `${text}, no witness is asked`;
  return hasQuorum ? green(`${text}, with its quorum`) : yellow(`${text}, without its quorum`);
}

function witnessOf(
  { witness, size, time }: WitnessStatus,
  newest: CheckpointStatus | null,
  now: Date,
): StyledText[] {
  if (size === null || time === null) return [red(`${witness}: no cosignature in the last checkpoints`)];
  const text = `${witness}: ${count(size, "entry", "entries")}, ${ageOf(time, now)} ago`;
  return [size === newest?.size ? green(text) : yellow(text)];
}
