// `admin status`: whether the deployment seals in time and its tokens hold, for the operator on call.
import { TimestampVerifier } from "../../core/timestamps/timestamp-verifier.ts";
import { count } from "../../core/verify/count.ts";
import { knownTrustAnchors } from "../../reader/anchors.ts";
import { type LedgerStatus, readLedgerStatus, type TokenHealth } from "../../service/audit/ledger-status.ts";
import type { Operator } from "../../service/operator.ts";
import { Exit, type ExitCode } from "../command.ts";
import { certificatesOf, readTrustAnchors, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import { printTable } from "../output/table.ts";
import { bold, green, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import { refuseMore } from "./arguments.ts";
import { concernsOfLog, rowsOfLog } from "./log-rows.ts";
import { inSnakeCase } from "./snake-case.ts";
import { onTarget, readAdminArguments, readLocal } from "./target.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** A seal that is late by more than this many intervals, and by some minutes, needs attention. */
const MAX_INTERVALS = 5;
const MAX_WAIT_MINUTES = 5;

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, TSA_CA_OPTION);
  refuseMore(positionals);
  return onTarget(values, async (operator) => {
    const files =
      values["tsa-ca"] ?? (values.local === undefined ? [] : [readLocal(values.local).trustAnchorsFile]);
    const anchors = [...(await readOwnAnchors(files)), ...knownAnchors(operator)];
    const status = await read(operator, new TimestampVerifier(anchors), terminal);
    const now = operator.clock();
    const concerns = concernsOf(operator, status, now);
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

/** The points that need attention, in words. */
function concernsOf({ deployment }: Operator, status: LedgerStatus, now: Date): string[] {
  const { seal, backlog, tokens } = status;
  const limit = Math.max(MAX_WAIT_MINUTES, MAX_INTERVALS * deployment.sealIntervalMinutes) * MINUTE_MS;
  const isLate = (instant: string): boolean => now.getTime() - Date.parse(instant) > limit;
  return [
    ...(backlog.oldest !== null && isLate(backlog.oldest) ? ["receipts wait to be sealed for too long"] : []),
    ...(seal?.isPublished === false && isLate(seal.sealedAt)
      ? ["a seal waits to be published for too long"]
      : []),
    ...(status.lacking.tokenless > 0 ? ["published roots lack a timestamp token"] : []),
    ...(tokens.some(({ holds }) => holds === false) ? ["a token does not hold"] : []),
    ...(backlog.damaged.length > 0 ? ["chains can't be read; see: admin verify"] : []),
    ...(status.setAside.length > 0 ? ["chains can't be sealed; see: admin verify"] : []),
    ...concernsOfLog(status, isLate),
  ];
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
    ...rowsOfLog(status, (instant) => ageOf(instant, now)),
    ...status.setAside.map((chainId): StyledText[] => ["not sealed", red(chainId)]),
    ...backlog.damaged.map(({ chainId, detail }): StyledText[] => ["damaged", red(`${chainId}: ${detail}`)]),
  ]);
  terminal.print("verdict: ", concerns.length === 0 ? green("all is well") : red(concerns.join("; ")));
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

/** In the largest unit that gives at least 2. */
function ageOf(instant: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(instant)) / SECOND_MS));
  const units = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
  ] as const;
  const [size, unit] = units.find(([length]) => seconds >= 2 * length) ?? [1, "second"];
  return count(Math.floor(seconds / size), unit);
}
