// `audit`: walks the whole metachain, as any stranger can, and believes nothing that it does not verify.
import { type DisclosureError, isDisclosureError } from "../../../evidence/core/errors.ts";
import type { Metachain } from "../../../evidence/core/formats/metachain.ts";
import { TimestampVerifier } from "../../../evidence/core/timestamps/timestamp-verifier.ts";
import { type LogSource, type MetachainSource, parseHead } from "../../../evidence/reader/metachain.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { type WrittenFork, writeFork } from "../files/fork-file.ts";
import { LOG_POLICY_OPTIONS, readLogPolicy } from "../files/log-policy.ts";
import { certificatesOf, isOwn, readTrustAnchors, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import { logKeys } from "../metachain/log-keys.ts";
import { openMetachain } from "../metachain/open.ts";
import type { PolicySource } from "../metachain/policy-source.ts";
import type { Terminal } from "../output/terminal.ts";
import { AuditedCheckpoints } from "./audit-checkpoints.ts";
import { AuditedLog } from "./audit-log.ts";
import { auditPolicy } from "./audit-policy.ts";
import { type Audited, auditVerdict, jsonAudit, printAudit } from "./audit-report.ts";
import { checkHead, checkPast, type RootWalk, walkRoots } from "./audit-roots.ts";
import {
  type AuditState,
  formatWalk,
  labelsFile,
  newAuditState,
  readAuditState,
  readLabels,
  readWalk,
  walkedEntries,
  writeAuditState,
  writeLabels,
} from "./audit-state.ts";

const OPTIONS = {
  ...TSA_CA_OPTION,
  ...LOG_POLICY_OPTIONS,
  state: { type: "string" },
  fork: { type: "string" },
  strict: { type: "boolean" },
  json: { type: "boolean" },
} as const;

const HELP = `Usage: disclosure-receipts audit URL|DIR [options]

Walks every published root: each must be there, extend the one before it (RFC
9162 consistency), and have timestamp tokens that hold; the head must be the
last of them. Tokens that came later count like those in the root. Walks every
entry too: its leaf, each tile and the root at each size are recomputed, and no
label may occur twice. A signed checkpoint must be of its root, by the key that
you give or, without one, by the key that the log itself names. Every layer of
the wording policy that is listed must be published, under its hash.

  --tsa-ca FILE   PEM certificates of the timestamp authorities that you trust,
                  in place of the known public ones; "known" stands for those,
                  "none" for none (may be repeated)
  --log-key VKEY  the key of the log that must have signed the checkpoints
  --policy FILE   the same with a tlog-policy (C2SP): counts those with a quorum
  --fork FILE     where a proof that the log signed two histories is written;
                  without it, to fork-….json in the current folder
  --state FILE    keep in this file how far the audit has come, and go on from
                  there the next time
  --strict        status 3 if the tokens of a root could not be checked, if the
                  entries lag behind the roots by more than 15 minutes, if the
                  newest quorum of witnesses is older than 3 hours, or if no
                  root, or none of the newest, is signed under your key or
                  with your policy's quorum
  --json          one JSON document on standard output

With --state, an audit that was killed goes on where it was, and a later one
visits the new roots and entries only. The file keeps the last root and the
listed layers, so an audit notices if the log was rewritten in between, or if a
layer was taken back; FILE.labels beside it keeps the labels.

Exit status: 0 nothing is wrong, 1 something does not hold, even if the rest
could not be read, 2 the metachain could not be read, 3 nothing is wrong, but a
token is of another authority than those of your certificates, or, with
--strict, tokens or the log's signatures could not be checked.`;

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [place, ...more] = positionals;
  if (place === undefined || more.length > 0) throw new UsageError("audit takes one URL or folder");
  const source = openMetachain(place);
  const anchors = certificatesOf(await readTrustAnchors(values["tsa-ca"]));
  const policy = await readLogPolicy(values);
  const fresh = newAuditState(place, anchors, policy);
  const state = values.state === undefined ? fresh : await readAuditState(values.state, fresh);
  const headBytes = await source.head();
  const head = parseHead(headBytes);
  const keys = logKeys(policy, headBytes);
  const log = await openLog(source, head, state, values.state);
  const checkpoints = await AuditedCheckpoints.open(source, keys, state.checkpoints, state.tally);
  const save = async () =>
    values.state === undefined || (await saveAudit(values.state, state, log, checkpoints));
  const trustAnchors = new TimestampVerifier(anchors);
  const walk = { state, head, log, checkpoints, source, trustAnchors, terminal, save };
  // The findings so far are kept, whatever ends the audit.
  const { fork, unread } = await auditAll(walk, values.fork ?? null).finally(save);
  // A fault comes before what can't be read: it says more, and a log could refuse any file to hide it.
  if (unread !== null && state.tally.fault_count === 0) throw unread;
  if (unread !== null) terminal.note("The audit is not whole: ", unread.message);
  const reason = unread?.message ?? null;
  const audited = {
    state: { ...state, checkpoints: checkpoints.walk.progress },
    head,
    keys,
    fork,
    reason,
    waitingSince: log.waitingSince,
    now: new Date(),
  };
  if (values.json === true) terminal.printJson(jsonAudit(audited));
  else printAudit(audited, terminal);
  return exitOf(audited, { isStrict: values.strict === true, hasOwnAnchors: isOwn(values["tsa-ca"]) });
}

interface Ended {
  readonly fork: WrittenFork | null;
  /** Why the audit is not whole; null where all could be read. */
  readonly unread: DisclosureError | null;
}

/** A proof of a fork is written before the next file is asked for, and even where the roots could not all be read. */
async function auditAll(
  walk: RootWalk & { readonly source: PolicySource },
  forkFile: string | null,
): Promise<Ended> {
  const { state, head, source, checkpoints } = walk;
  const unreadRoots = await unreadOf(async () => {
    await checkPast(state, head, source);
    await walkRoots(walk);
    checkHead(state, head);
  });
  const found = await checkpoints.finish(state.last);
  const fork = found && (await writeFork(found, forkFile));
  return { fork, unread: unreadRoots ?? (await unreadOf(() => auditPolicy(source, state))) };
}

/** Why a part of the metachain could not be read; null where it could. */
async function unreadOf(read: () => Promise<void>): Promise<DisclosureError | null> {
  try {
    await read();
    return null;
  } catch (error) {
    if (isDisclosureError(error, "publication_unavailable")) return error;
    throw error;
  }
}

/** The walk over the entries, from where the state has it. */
async function openLog(
  source: MetachainSource & LogSource,
  head: Metachain,
  state: AuditState,
  path: string | undefined,
): Promise<AuditedLog> {
  const labels =
    path === undefined ? new Uint8Array() : await readLabels(labelsFile(path), walkedEntries(state));
  return AuditedLog.open(source, head, { state: readWalk(state), labels }, state.tally);
}

/** A crash between the two files leaves labels of entries that the state does not count, which the next audit drops. */
async function saveAudit(
  path: string,
  state: AuditState,
  { reader }: AuditedLog,
  { walk }: AuditedCheckpoints,
): Promise<void> {
  const from = walkedEntries(state);
  await writeLabels(labelsFile(path), from, reader.labelsFrom(from));
  state.walk = formatWalk(reader.resumable);
  state.checkpoints = walk.progress;
  await writeAuditState(path, state);
}

function exitOf(
  audited: Audited,
  { isStrict, hasOwnAnchors }: { readonly isStrict: boolean; readonly hasOwnAnchors: boolean },
): ExitCode {
  const verdict = auditVerdict(audited);
  if (verdict === "does_not_hold") return Exit.doesNotHold;
  const { unanchored } = audited.state.tally;
  const isIncomplete = (isStrict && verdict !== "holds") || (hasOwnAnchors && unanchored > 0);
  return isIncomplete ? Exit.withReservations : Exit.holds;
}

export const command: Command = { help: HELP, run };
