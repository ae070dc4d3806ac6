// `audit`: walks the whole metachain, as any stranger can, and believes nothing that it does not verify.
import { isDisclosureError } from "../../core/errors.ts";
import type { Metachain, Seal } from "../../core/formats/metachain.ts";
import { countAuthorities } from "../../core/timestamps/seal-authorities.ts";
import { TimestampVerifier } from "../../core/timestamps/timestamp-verifier.ts";
import { verifySeal } from "../../core/verify/verify-seal.ts";
import { inOrder, range } from "../../reader/in-order.ts";
import { readLater, withLater } from "../../reader/later-timestamps.ts";
import { type LogSource, type MetachainSource, parseHead, parseRoot } from "../../reader/metachain.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { type WrittenFork, writeFork } from "../files/fork-file.ts";
import { LOG_POLICY_OPTIONS, readLogPolicy } from "../files/log-policy.ts";
import { certificatesOf, isOwn, readTrustAnchors, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import { logKeys } from "../metachain/log-keys.ts";
import { openMetachain } from "../metachain/open.ts";
import type { Terminal } from "../output/terminal.ts";
import { AuditedCheckpoints } from "./audit-checkpoints.ts";
import { labelsFile, readLabels, writeLabels } from "./audit-labels.ts";
import { AuditedLog } from "./audit-log.ts";
import { checkHead, checkPast } from "./audit-past.ts";
import { auditPolicy } from "./audit-policy.ts";
import { jsonAudit, printAudit } from "./audit-report.ts";
import {
  type AuditState,
  formatWalk,
  newAuditState,
  readAuditState,
  readWalk,
  walkedEntries,
  writeAuditState,
} from "./audit-state.ts";
import { addFault, addRoot, type Tally } from "./audit-tally.ts";

/** Roots under way at a time. */
const WIDTH = 16;
const SAVE_MS = 2_000;
/** A head may claim any size: after this many missing roots in a row, no further root is asked for. */
const MAX_GAPS_IN_A_ROW = 100;

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
  --strict        status 3 if the tokens of a root could not be checked
  --json          one JSON document on standard output

With --state, an audit that was killed goes on where it was, and a later one
visits the new roots and entries only. The file keeps the last root and the
listed layers, so an audit notices if the log was rewritten in between, or if a
layer was taken back; FILE.labels beside it keeps the labels.

Exit status: 0 nothing is wrong, 1 something does not hold, 2 the metachain
could not be read, 3 nothing is wrong, but a token is of another authority than
those of your certificates, or, with --strict, could not be checked.`;

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
  let fork: WrittenFork | null = null;
  try {
    await checkPast(state, head, source);
    await walk({ state, head, log, checkpoints, source, trustAnchors, terminal, save });
    checkHead(state, head);
    await auditPolicy(source, state);
    const found = await checkpoints.finish(state.last);
    fork = found && (await writeFork(found, values.fork ?? null));
  } finally {
    // The findings so far are kept, even if the next root could not be read.
    await save();
  }
  const audited = { state: { ...state, checkpoints: checkpoints.walk.progress }, head, keys, fork };
  if (values.json === true) terminal.printJson(jsonAudit(audited));
  else printAudit(audited, terminal);
  return exitOf(state.tally, { isStrict: values.strict === true, hasOwnAnchors: isOwn(values["tsa-ca"]) });
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
  { fault_count, unchecked, unanchored }: Tally,
  { isStrict, hasOwnAnchors }: { readonly isStrict: boolean; readonly hasOwnAnchors: boolean },
): ExitCode {
  if (fault_count > 0) return Exit.doesNotHold;
  const isIncomplete = (isStrict && unchecked > 0) || (hasOwnAnchors && unanchored > 0);
  return isIncomplete ? Exit.withReservations : Exit.holds;
}

interface Walk {
  readonly state: AuditState;
  readonly head: Metachain;
  readonly log: AuditedLog;
  readonly checkpoints: AuditedCheckpoints;
  readonly source: MetachainSource;
  readonly trustAnchors: TimestampVerifier;
  readonly terminal: Terminal;
  readonly save: () => Promise<unknown>;
}

/** A root as it is published, with the timestamps that came later; null where there is none. */
interface PublishedMetachain {
  readonly bytes: Uint8Array | null;
  readonly later: readonly Uint8Array[];
  readonly note: string | null;
}

async function readPublished({ source, checkpoints }: Walk, index: number): Promise<PublishedMetachain> {
  const [bytes, later, note] = await Promise.all([
    source.root(index),
    readLater(source, index),
    checkpoints.read(index),
  ]);
  return { bytes, later, note };
}

async function walk(audit: Walk): Promise<void> {
  const { state, head, log, checkpoints, trustAnchors, terminal, save } = audit;
  // The entries under the last root may have been published after it, or the audit before ended on the way to them.
  if (state.last !== null) await log.check(state.last);
  const progress = terminal.progress(Math.max(0, head.size - state.next), "roots");
  let savedAt = performance.now();
  let gapsInARow = 0;
  const read = (index: number) => readPublished(audit, index);
  for await (const published of inOrder(range(state.next, head.size), WIDTH, read)) {
    gapsInARow = published.bytes === null ? gapsInARow + 1 : 0;
    const seal = await visit(state, published, trustAnchors);
    // This reads nothing, so no failure comes between the root and its checkpoint.
    if (seal !== null) await checkpoints.check(seal, published.note);
    if (seal !== null) await log.check(seal);
    progress.step();
    if (performance.now() - savedAt > SAVE_MS) {
      await save();
      savedAt = performance.now();
    }
    if (gapsInARow === MAX_GAPS_IN_A_ROW) break;
  }
}

/** Root `state.next`, which becomes the last one. Null where it can't be read. */
async function visit(
  state: AuditState,
  { bytes, later }: PublishedMetachain,
  trustAnchors: TimestampVerifier,
): Promise<Seal | null> {
  const { tally, last, next: index } = state;
  state.next++;
  if (bytes === null) {
    tally.gaps++;
    addFault(tally, { index, check: "published", detail: "no root is published under this index" });
    return null;
  }
  try {
    const seal = parseRoot(bytes, index);
    const previous = last?.index === index - 1 ? { previous: last } : {};
    const completed = withLater(seal, later);
    const { checks } = await verifySeal(completed, { ...previous, trustAnchors });
    addRoot(tally, completed, checks, await countAuthorities(completed, { trustAnchors }));
    state.last = seal;
    return seal;
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    addFault(tally, { index, check: "published", detail: error.message });
    return null;
  }
}

export const command: Command = { help: HELP, run };
