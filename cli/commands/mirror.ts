// `mirror`: copies the published roots, and the entries and tiles under them, into a folder that any static host serves, and verifies while copying.

import { rootPath, timestampPath } from "../../contract/metachain-paths.ts";
import { canonicalize } from "../../core/canonical-json.ts";
import { type ErrorCode, isDisclosureError } from "../../core/errors.ts";
import type { Seal } from "../../core/formats/metachain.ts";
import { count } from "../../core/verify/count.ts";
import { verifySeal } from "../../core/verify/verify-seal.ts";
import { inOrder, range } from "../../reader/in-order.ts";
import { MAX_LATER, withLater } from "../../reader/later-timestamps.ts";
import { type LogSource, type MetachainSource, parseHead, parseRoot } from "../../reader/metachain.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { certificatesOf, isOwn, readTrustAnchors, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import { type Fetched, invalid, MirrorFiles } from "../metachain/mirror-files.ts";
import { MirrorFolder } from "../metachain/mirror-folder.ts";
import { MirroredLog } from "../metachain/mirror-log.ts";
import { openMetachain } from "../metachain/open.ts";
import { bold, red, type Terminal } from "../output/terminal.ts";

/** Roots under way at a time. */
const WIDTH = 16;

const OPTIONS = { ...TSA_CA_OPTION, new: { type: "boolean" } } as const;

const HELP = `Usage: disclosure-receipts mirror URL DIR [options]

Copies every published root into DIR, byte for byte, every timestamp that came
later, and the entries and tiles of the log, and verifies each before it gets
its name there: the entries must lead to every root, and no label may occur
twice. A file that is there already is compared with the published one and never
overwritten: if they differ, that is an alarm.

  --tsa-ca FILE   PEM certificates of the timestamp authorities that you trust,
                  in place of the known public ones; "known" stands for those,
                  "none" for none (may be repeated)
  --new           compare only the last root of the last complete run, and go
                  on from there, with the entries that DIR has; timestamps that
                  came later for older roots are copied by a run without it

DIR gets v1/metachain/index.json (the head), v1/metachain/roots/{index},
v1/metachain/timestamps/{index}/{n} and v1/metachain/tile/ (a log as C2SP
tlog-tiles has it); serve it as it is. verify and audit read it, as a folder or
from its host. It may be killed at any time and started again.

Exit status: 0 copied, 1 something does not hold or differs, 2 the metachain or
the folder could not be read, 3 copied, but a token is of another authority than
those of your certificates.`;

/** With these errors, the folder and the metachain can't both be right. */
const ALARMS: readonly ErrorCode[] = ["proof_invalid", "token_invalid", "publication_conflict"];

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [place, path, ...more] = positionals;
  if (place === undefined || path === undefined || more.length > 0) {
    throw new UsageError("mirror takes a URL and a folder");
  }
  const anchors = certificatesOf(await readTrustAnchors(values["tsa-ca"]));
  const mirror = new Mirror(openMetachain(place), new MirrorFolder(path), anchors);
  try {
    const copied = await mirror.copy(values.new === true, terminal);
    printCopied(path, copied, terminal);
    return copied.unanchored > 0 && isOwn(values["tsa-ca"]) ? Exit.withReservations : Exit.holds;
  } catch (error) {
    if (!isDisclosureError(error) || !ALARMS.includes(error.code)) throw error;
    terminal.note(red("ALARM: "), error.message);
    terminal.note("Nothing was overwritten. Keep the folder: it shows what was published before.");
    return Exit.doesNotHold;
  }
}

interface Copied {
  readonly size: number;
  readonly copied: number;
  readonly entries: number;
  /** Entries under the last root whose files are not published yet. */
  readonly pending: number;
  /** Roots that have no token yet, or one that could not be checked. */
  readonly unchecked: number;
  /** Those of them with a token that leads to none of the reader's certificates. */
  readonly unanchored: number;
}

function printCopied(
  path: string,
  { size, copied, entries, pending, unchecked, unanchored }: Copied,
  terminal: Terminal,
): void {
  const walked = count(entries, "entry", "entries");
  terminal.print(bold(path), `: ${count(size, "root")}, ${copied} of them new; ${walked}`);
  if (pending > 0)
    terminal.note(
      `${count(pending, "entry", "entries")} under the last root are not published yet; the next run copies them`,
    );
  if (unchecked > unanchored)
    terminal.note(
      `${count(unchecked - unanchored, "root has", "roots have")} no token that could be checked`,
    );
  if (unanchored > 0)
    terminal.note(
      `the tokens of ${count(unanchored, "root")} lead to none of the certificates used; see --tsa-ca`,
    );
}

interface FetchedRoot {
  readonly index: number;
  readonly root: Fetched;
  /** The timestamps over it that came after it was published. */
  readonly later: readonly Fetched[];
}

class Mirror {
  readonly #source: MetachainSource & LogSource;
  readonly #folder: MirrorFolder;
  readonly #files: MirrorFiles;
  readonly #trustAnchors: readonly Uint8Array[];

  constructor(
    source: MetachainSource & LogSource,
    folder: MirrorFolder,
    trustAnchors: readonly Uint8Array[],
  ) {
    this.#source = source;
    this.#folder = folder;
    this.#files = new MirrorFiles(folder);
    this.#trustAnchors = trustAnchors;
  }

  async copy(onlyNew: boolean, terminal: Terminal): Promise<Copied> {
    await this.#folder.prepare();
    const bytes = await this.#source.head();
    const { size, latest } = parseHead(bytes);
    const from = await this.#checkPast(size, onlyNew);
    const log = await MirroredLog.open(this.#source, latest, this.#files, !onlyNew);
    const progress = terminal.progress(size - from, "roots");
    const total = { size, copied: 0, unchecked: 0, unanchored: 0 };
    let previous: Seal | null = null;
    for await (const fetched of inOrder(range(from, size), WIDTH, (index) =>
      this.#fetch(index, !onlyNew || index === from),
    )) {
      const { seal, isChecked, isAnchored } = await this.#verify(fetched, previous);
      await log.verify(seal);
      for (const file of [fetched.root, ...fetched.later]) await this.#files.publish(file);
      await log.publish();
      total.copied += fetched.root.staged === null ? 0 : 1;
      total.unchecked += isChecked ? 0 : 1;
      total.unanchored += isAnchored ? 0 : 1;
      previous = seal;
      progress.step();
    }
    if (canonicalize(latest) !== canonicalize(previous)) throw invalid("the head is not the last root");
    await this.#folder.publishHead(bytes);
    return { ...total, entries: log.size, pending: (latest?.tree_size ?? 0) - log.size };
  }

  /** The root to begin with: the last root under the folder's own head was the last that was verified. */
  async #checkPast(size: number, onlyNew: boolean): Promise<number> {
    const last = await this.#folder.lastIndex();
    if (last >= size) throw invalid(`the folder has root ${last}, but only ${size} roots are published now`);
    const head = await this.#folder.head();
    return onlyNew && head !== null ? Math.max(0, parseHead(head).size - 1) : 0;
  }

  async #fetch(index: number, compare: boolean): Promise<FetchedRoot> {
    const [root, later] = await Promise.all([
      this.#files.fetch(rootPath(index), compare, () => this.#source.root(index)),
      this.#fetchLater(index, compare),
    ]);
    if (root === null) throw invalid(`root ${index} is missing`);
    return { index, root, later };
  }

  async #fetchLater(index: number, compare: boolean): Promise<Fetched[]> {
    const later: Fetched[] = [];
    while (later.length < MAX_LATER) {
      const n = later.length;
      const read = () => this.#source.timestamp(index, n);
      const fetched = await this.#files.fetch(timestampPath(index, n), compare, read);
      if (fetched === null) break;
      later.push(fetched);
    }
    return later;
  }

  /** Throws `proof_invalid` unless the root holds: the folder serves nothing that was not verified. */
  async #verify(
    { index, root, later }: FetchedRoot,
    previous: Seal | null,
  ): Promise<{ seal: Seal; isChecked: boolean; isAnchored: boolean }> {
    const seal = parseRoot(root.bytes, index);
    const completed = withLater(
      seal,
      later.map(({ bytes }) => bytes),
    );
    const knowledge = { trustAnchors: this.#trustAnchors, ...(previous !== null && { previous }) };
    const { checks } = await verifySeal(completed, knowledge);
    const fault = checks.find(({ ok }) => ok === false);
    if (fault !== undefined) throw invalid(`root ${index} does not hold: ${fault.name}: ${fault.detail}`);
    return {
      seal,
      isChecked: checks.every(({ name, ok }) => !name.endsWith("timestamp") || ok === true),
      isAnchored: checks.every(({ companion }) => companion !== "trust_anchor"),
    };
  }
}

export const command: Command = { help: HELP, run };
