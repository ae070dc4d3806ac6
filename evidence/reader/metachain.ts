// The metachain as a port: how a reader's program reads published roots, wherever they are, and what their bytes mean.
import { parseJson } from "../core/canonical-json.ts";
import { DisclosureError } from "../core/errors.ts";
import { type Metachain, metachainSchema, type Seal, sealSchema } from "../core/formats/metachain.ts";

export interface MetachainSource {
  /** The URL or folder as the reader gave it. */
  readonly name: string;
  /** The service's own list, which has each root before a report names it; a mirror may be older than what it is asked for. */
  readonly isServices?: true;
  /** The bytes of the head. Throws `publication_unavailable`. */
  readonly head: () => Promise<Uint8Array>;
  /** The bytes of one root; null where none is published. Throws `publication_unavailable`. */
  readonly root: (index: number) => Promise<Uint8Array | null>;
  /** The bytes of the nth token that came after the root; null where there is none. Throws `publication_unavailable`. */
  readonly timestamp: (index: number, n: number) => Promise<Uint8Array | null>;
}

/** The files of the log as a port: bundles of entries and tiles, by their paths below the log's prefix. */
export interface LogSource {
  readonly name: string;
  /** The bytes of a file; null where there is none. Throws `publication_unavailable`. */
  readonly logFile: (path: string) => Promise<Uint8Array | null>;
}

/** Throws `malformed` for bytes that are no head. */
export const parseHead = (bytes: Uint8Array): Metachain => parseAs(metachainSchema, bytes, "the head");

/** Throws `malformed` for bytes that are no seal, or the seal of another place. */
export function parseRoot(bytes: Uint8Array, index: number): Seal {
  const seal = parseAs(sealSchema, bytes, `root ${index}`);
  if (seal.index !== index) throw malformed(`root ${index} says that it is root ${seal.index}`);
  return seal;
}

/** Throws `malformed`, naming `what`. */
export function parseAs<T>(
  schema: { safeParse: (value: unknown) => { data?: T } },
  bytes: Uint8Array,
  what: string,
): T {
  const { data } = schema.safeParse(parseJson(bytes));
  if (data === undefined) throw malformed(`${what} is not as the format says`);
  return data;
}

const malformed = (message: string): DisclosureError => new DisclosureError("malformed", message);
