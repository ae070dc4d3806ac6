// The words that the table of sets is written in: files with the checks that are open by their own nature, and the parts of
// a summary. What a receipt leaves open of itself, a reader can look up in its JSON: see docs/receipt-format.md.
import { read } from "./edit.ts";
import type { FoundFile, Given, Open, Summary } from "./set-rows.ts";

const LINKS: Open = { links: "not_given" };
const HEAD: Open = { evidence_chain: "not_given" };
/** At an even place the path doesn't show the receipt before; a later head can't be checked without its receipt. */
const OPEN_ITSELF: Readonly<Record<string, Open>> = {
  "chat-message": HEAD,
  reminder: LINKS,
  "hand-off": HEAD,
  walkthrough: { ...LINKS, ...HEAD },
  "together-a": HEAD,
  "together-b": { ...LINKS, ...HEAD },
  "together-c": HEAD,
  "together-d": LINKS,
};

export const NO_REQUEST: Open = { input_hash: "not_given" };
export const OTHER_REQUEST: Open = { input_hash: "other_request" };
export const NO_ROOT: Open = { published_root: "not_given" };
export const NO_LAYER: Open = { policy: "not_given" };
export const NO_ANCHOR: Open = { timestamp: "no_anchor" };
export const OTHER_AUTHORITY: Open = { timestamp: "other_authority" };
/** A receipt alone, whose reader has certificates and the layer. */
export const ALONE: Open = { ...NO_REQUEST, ...NO_ROOT };
export const NOT_BEFORE: Open = { previous_seal: "not_given" };

export const found = (file: string, kind: FoundFile["kind"], ...open: readonly Open[]): FoundFile => ({
  file,
  kind,
  failing: [],
  open: Object.assign({}, ...open),
});

export const failing = (names: readonly string[], file: FoundFile): FoundFile => ({
  ...file,
  failing: [...file.failing, ...names],
});

export const unreadable = (file: string): FoundFile => ({
  ...found(file, null),
  outcome: "unreadable",
});

export const fileOf = (name: string): string => `receipts/${name}.json`;

/** The report of a receipt of the service. */
export const report = (name: string, ...open: readonly Open[]): FoundFile =>
  found(fileOf(name), "report", OPEN_ITSELF[name] ?? {}, ...open);

/** The published root as a piece of evidence, and not as the one that is published. */
export const root = (index: number, ...open: readonly Open[]): FoundFile =>
  found(`seals/${index}.json`, "seal", index === 0 ? {} : NOT_BEFORE, NO_ROOT, ...open);

/** The turns of the conversation in the vectors, by number. */
const TURNS: Readonly<Record<number, Open>> = { 1: {}, 2: LINKS, 3: HEAD, 4: {} };

/** The bundle of some turns, without published roots. `firstSeal` is the index of the first seal in it. */
export function bundle(
  file: string,
  turns: readonly number[],
  firstSeal = 0,
  ...open: readonly Open[]
): FoundFile {
  const each = turns.map((turn, i) => placed(`receipts/${i}`, { ...TURNS[turn], ...NO_ROOT }));
  const seals = firstSeal === 0 ? {} : placed("seals/0", NOT_BEFORE);
  return found(file, "bundle", ...each, seals, { published_seals: "not_given" }, ...open);
}

export const placed = (place: string, open: Open): Open =>
  Object.fromEntries(Object.entries(open).map(([name, reason]) => [`${place}/${name}`, reason]));

export const inFolder = (...files: readonly string[]): readonly Given[] =>
  files.map((file) => ({ file, in_folder: true }));

/** Two pieces of which none contradicts the other; `links` says whether any two receipts follow each other. */
export const together = (
  links: "linked" | "apart",
  ...more: readonly Readonly<Record<string, boolean | string>>[]
) => ({
  chain_links: links === "linked" ? true : "nothing_to_check",
  one_history: true,
  ...Object.assign({}, ...more),
});
export const PAGED = { turn_links: true };

interface Known {
  readonly event_id: string;
  readonly chain_id: string;
  readonly turn: number;
}

function receiptIn(path: string, place = 0): Known {
  const found = (read(path) as unknown as { readonly receipts: readonly Known[] }).receipts[place];
  if (found === undefined) throw new Error(`${path} has no receipt ${place}`);
  return found;
}

/** The chains of the vectors. */
export const MAIN = receiptIn(fileOf("greeting")).chain_id;
export const CLINIC = receiptIn(fileOf("other-tenant")).chain_id;
export const BANK = receiptIn(fileOf("second-chain")).chain_id;
export const FORGED = "f".repeat(32);
export const CALL = "call-2026-000117";

type Range = readonly [from: number, to: number | null];
const rangeOf = ([from, to]: Range) => ({ from, to });

/** The numbers of a chain that are here, from the first to the last, and the gaps between them. */
export const chain = (
  chainId: string,
  receipts: number,
  [first, last]: readonly [number, number],
  ...missing: readonly Range[]
) => ({ chainId, receipts, first, last, inHistory: null as number | null, missing: missing.map(rangeOf) });

/** The same, where the reader has the chain's history. */
export const chainOf = (inHistory: number, ...numbers: Parameters<typeof chain>) => ({ ...chain(...numbers), inHistory });

/** A receipt of this file, as the summary names it. */
export function inFile(file: string, place = 0) {
  const { event_id, turn } = receiptIn(file, place);
  return { file, eventId: event_id, turn };
}
export const inReport = (name: string) => inFile(fileOf(name));
/** The receipt of this report, as it is found in another file. */
export const at = (file: string, name: string) => ({ ...inReport(name), file });

/** Turns of a conversation that are not here; `interactionId` is null where nothing names it. */
export const gone = (
  interactionId: string | null,
  last: ReturnType<typeof at>,
  ...ranges: readonly Range[]
) => ({ interactionId, last, ranges: ranges.map(rangeOf) });

interface More {
  readonly missing?: readonly ReturnType<typeof gone>[];
  readonly remarks?: Readonly<Record<string, readonly ReturnType<typeof at>[]>>;
}

/** The summary. `remarks` has the receipts of each remark, by kind and in their order. */
export function sum(
  [files, receipts, conversations]: readonly [files: number, receipts: number, conversations: number],
  chains: readonly ReturnType<typeof chain>[],
  { missing = [], remarks = {} }: More = {},
): Summary {
  const kinds = Object.entries(remarks).map(([kind, places]) => ({ kind, receipts: places }));
  const remarked = new Set(
    kinds.flatMap((kind) => kind.receipts.map(({ file, eventId }) => `${file} ${eventId}`)),
  ).size;
  return { files, receipts, conversations, chains, missingTurns: missing, remarked, remarks: kinds };
}

export const NOTHING = sum([0, 0, 0], []);

/** The remarks on the receipt of the hand-off, where it is found. */
export const handOff = (file = fileOf("hand-off")) => ({
  method_unknown: [at(file, "hand-off")],
  wording_unknown: [at(file, "hand-off")],
});
/** The summary of a first receipt alone. */
export const GREETING = sum([1, 1, 1], [chain(MAIN, 1, [0, 0])]);
/** The summary of the hand-off alone: its turns before are missing. */
export const handOffAlone = (file = fileOf("hand-off"), files = 1) =>
  sum([files, 1, 1], [chain(MAIN, 1, [3, 3])], {
    missing: [gone(null, at(file, "hand-off"), [1, 2])],
    remarks: handOff(file),
  });
