// Reads the folder of a tenant's own receipts (`--mine`), and compares them with the history of its chains.
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { isEvidence, parseDocument, receiptsOf } from "../../../evidence/reader/evidence.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { Exit, type ExitCode } from "../command.ts";
import type { NamedFile } from "../files/evidence-files.ts";
import { readBytes } from "../files/read-file.ts";
import { bold, red, type Terminal } from "../output/terminal.ts";
import {
  type ForeignPlaces,
  type LeavesOfChains,
  type OwnComparison,
  OwnReceipts,
  type PlacesOfChain,
} from "./own-receipts.ts";

export interface MineComparison extends OwnComparison {
  /** Files of which nobody can say whether a receipt is in them. */
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

interface ComparedWith {
  readonly histories: LeavesOfChains;
  /** The places to compare; null for all. */
  readonly places: readonly PlacesOfChain[] | null;
  readonly terminal: Terminal;
}

/** One file after the other, and nothing of it is kept: a million would not fit into memory. */
export async function compareMine(
  files: readonly NamedFile[],
  { histories, places, terminal }: ComparedWith,
): Promise<MineComparison> {
  const own = new OwnReceipts(histories, places);
  const unreadable: { file: string; reason: string }[] = [];
  const progress = terminal.progress(files.length, "files of yours");
  for (const { path } of files) {
    try {
      const found = parseDocument(await readBytes(path, MAX_FILE_BYTES));
      if (isEvidence(found)) for (const receipt of receiptsOf(found)) own.add(receipt, path);
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
      unreadable.push({ file: path, reason: error.message });
    }
    progress.step();
  }
  return { ...own.compare(), unreadable };
}

export function printMine(found: MineComparison, terminal: Terminal): void {
  for (const { file, reason } of found.unreadable) terminal.note(bold(file), `: ${reason}`);
  for (const foreign of found.foreign) terminal.print(red("not yours"), `: ${foreignSentence(foreign)}`);
  for (const { eventId, chainId, sequence, file } of found.missing)
    terminal.print(
      red("missing"),
      `: receipt ${eventId} (${file}) is not at place ${sequence} of chain ${chainId}`,
    );
  if (found.foreign.length === 0 && found.missing.length === 0)
    terminal.print(
      `${count(found.compared, "place")} compared with your receipts: each is yours`,
      found.unreadable.length === 0 ? ", none is missing" : "",
    );
  if (found.unreached > 0)
    terminal.note(`${count(found.unreached, "place is", "places are")} behind the history's end`);
  if (found.newer > 0)
    terminal.note(
      `${count(found.newer, "of your receipts is", "of your receipts are")} newer than the history`,
    );
}

/** "places 3, 7 to 9 of chain … are none of yours". */
function foreignSentence({ chainId, count: places, runs }: ForeignPlaces): string {
  const named = runs.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  const [noun, verb] = places === 1 ? ["place", "is"] : ["places", "are"];
  return `${noun} ${named.join(", ")} of chain ${chainId} ${verb} none of yours`;
}

export function exitOfMine({ foreign, missing, unreadable }: MineComparison): ExitCode {
  if (foreign.length > 0 || missing.length > 0) return Exit.doesNotHold;
  return unreadable.length > 0 ? Exit.unreadable : Exit.holds;
}

export const jsonOfMine = ({ foreign, missing, ...rest }: MineComparison): object => ({
  foreign: foreign.map(({ chainId, runs }) => ({ chain_id: chainId, runs })),
  missing: missing.map(({ file, eventId, chainId, sequence }) => ({
    file,
    event_id: eventId,
    chain_id: chainId,
    sequence,
  })),
  ...rest,
});
