// A `.tlog-proof` (C2SP tlog-proof): one entry of a log, its path, and the signed checkpoint of the tree, in one file
// that tools of others verify offline.
import { formatBase64, parseBase64 } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { HASH_BYTES } from "../merkle/hash.ts";
import { MAX_NOTE_CHARACTERS, parseNote } from "./note.ts";

export interface TlogProof {
  /** Leads a reader to the entry, and is not authenticated by itself; null where the file has none. */
  readonly extra: Uint8Array | null;
  readonly index: number;
  readonly path: readonly Uint8Array[];
  /** The signed note, verbatim. */
  readonly checkpoint: string;
}

/** The first line of such a file. */
export const TLOG_PROOF_HEADER = "c2sp.org/tlog-proof@v1";
/** Some readers take no longer line. Characters. */
export const MAX_PROOF_LINE = 64 * 1024 - 1;
/** The checkpoint and the tokens in it are most of it. */
export const MAX_PROOF_CHARACTERS = MAX_NOTE_CHARACTERS;
/** The specification's limit: no tree that a path of 63 nodes does not cross. */
const MAX_NODES = 63;
const EXTRA = "extra ";
const INDEX = "index ";
const DECIMAL = /^(?:0|[1-9][0-9]*)$/;
const END_OF_PROOF = "\n\n";

/** Throws `malformed` for a proof that some readers would not take. */
export function formatTlogProof({ extra, index, path, checkpoint }: TlogProof): string {
  const lines = [
    TLOG_PROOF_HEADER,
    ...(extra === null ? [] : [`${EXTRA}${formatBase64(extra)}`]),
    `${INDEX}${index}`,
    ...path.map(formatBase64),
  ];
  const text = `${lines.join("\n")}${END_OF_PROOF}${checkpoint}`;
  parseTlogProof(text);
  return text;
}

/** Reads a proof, of which nothing is verified yet. Throws `malformed`. */
export function parseTlogProof(text: string): TlogProof {
  if (text.length > MAX_PROOF_CHARACTERS) throw malformed("a proof is too long");
  const end = text.indexOf(END_OF_PROOF);
  if (end < 0) throw malformed("a proof holds no checkpoint");
  const checkpoint = text.slice(end + END_OF_PROOF.length);
  const [header, ...lines] = text.slice(0, end).split("\n");
  if (header !== TLOG_PROOF_HEADER) throw malformed("a proof does not begin with its header");
  if (text.split("\n").some((line) => line.length > MAX_PROOF_LINE))
    throw malformed("a line of a proof is too long");
  const extra = lines[0]?.startsWith(EXTRA) === true ? readExtra(lines.shift()) : null;
  const index = readIndex(lines.shift());
  if (lines.length > MAX_NODES) throw malformed("the path of a proof is too long");
  parseNote(checkpoint);
  return { extra, index, path: lines.map(readNode), checkpoint };
}

function readExtra(line = ""): Uint8Array {
  const extra = parseBase64(line.slice(EXTRA.length));
  if (extra.length > 0) return extra;
  throw malformed("the extra line of a proof is empty");
}

function readIndex(line = ""): number {
  const decimal = line.startsWith(INDEX) ? line.slice(INDEX.length) : "";
  const index = Number(decimal);
  if (DECIMAL.test(decimal) && Number.isSafeInteger(index)) return index;
  throw malformed("a proof does not name the index of its entry");
}

function readNode(line: string): Uint8Array {
  const node = parseBase64(line);
  if (node.length === HASH_BYTES) return node;
  throw malformed("a node of a proof's path is not 32 bytes long");
}

const malformed = (message: string): DisclosureError => new DisclosureError("malformed", message);
