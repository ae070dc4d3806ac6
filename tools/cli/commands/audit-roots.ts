// The published roots as an audit walks them: each is there, extends the one before it, and is the root of its entries.
import { canonicalize } from "../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import type { Metachain, Seal } from "../../../evidence/core/formats/metachain.ts";
import { countAuthorities } from "../../../evidence/core/timestamps/seal-authorities.ts";
import type { TimestampVerifier } from "../../../evidence/core/timestamps/timestamp-verifier.ts";
import { verifySeal } from "../../../evidence/core/verify/verify-seal.ts";
import { inOrder, range } from "../../../evidence/reader/in-order.ts";
import { readLater, withLater } from "../../../evidence/reader/later-timestamps.ts";
import { type MetachainSource, parseRoot } from "../../../evidence/reader/metachain.ts";
import type { Terminal } from "../output/terminal.ts";
import type { AuditedCheckpoints } from "./audit-checkpoints.ts";
import type { AuditedLog } from "./audit-log.ts";
import { type AuditState, isHeadLast } from "./audit-state.ts";
import { addFault, addRoot } from "./audit-tally.ts";

/** Roots under way at a time. */
const WIDTH = 16;
const SAVE_MS = 2_000;
/** A head may claim any size: after this many missing roots in a row, no further root is asked for. */
const MAX_GAPS_IN_A_ROW = 100;

export interface RootWalk {
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

async function readPublished({ source, checkpoints }: RootWalk, index: number): Promise<PublishedMetachain> {
  const [bytes, later, note] = await Promise.all([
    source.root(index),
    readLater(source, index),
    checkpoints.read(index),
  ]);
  return { bytes, later, note };
}

/** Visits the roots from where the state has them. Throws `publication_unavailable`. */
export async function walkRoots(audit: RootWalk): Promise<void> {
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

/** The roots that an earlier audit saw must still be there, unchanged. */
export async function checkPast(
  { next, last, tally }: AuditState,
  head: Metachain,
  source: MetachainSource,
): Promise<void> {
  if (head.size < next) {
    addFault(tally, {
      index: null,
      check: "head",
      detail: `${next} roots were published, now there are ${head.size}`,
    });
  }
  if (last === null || isSameRoot(await source.root(last.index), last)) return;
  addFault(tally, {
    index: last.index,
    check: "history",
    detail: "this root was another at the last audit",
  });
}

function isSameRoot(bytes: Uint8Array | null, known: Seal): boolean {
  try {
    return bytes !== null && canonicalize(parseRoot(bytes, known.index)) === canonicalize(known);
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return false;
  }
}

/** If not all roots up to the head were visited, another fault says why. */
export function checkHead(state: AuditState, head: Metachain): void {
  if (state.next !== head.size || isHeadLast(state, head)) return;
  addFault(state.tally, { index: null, check: "head", detail: "the head is not the last root" });
}
