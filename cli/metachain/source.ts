// Where published roots are read: the service, any host of a mirror, or a mirror's folder.

import { parseJson } from "../../core/canonical-json.ts";
import { DisclosureError } from "../../core/errors.ts";
import { type Metachain, metachainSchema, type Seal, sealSchema } from "../../core/formats/metachain.ts";
import { UsageError } from "../command.ts";
import { FolderMetachain } from "./folder.ts";
import { HttpMetachain } from "./http.ts";

export interface MetachainSource {
  /** The URL or folder as the reader gave it. */
  readonly name: string;
  /** The bytes of the head. Throws `publication_unavailable`. */
  readonly head: () => Promise<Uint8Array>;
  /** The bytes of one root; null where none is published. Throws `publication_unavailable`. */
  readonly root: (index: number) => Promise<Uint8Array | null>;
  /** The bytes of the nth token that came after the root; null where there is none. Throws `publication_unavailable`. */
  readonly timestamp: (index: number, n: number) => Promise<Uint8Array | null>;
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

export const isUrl = (place: string): boolean => HAS_SCHEME.test(place);

/** Contacts nothing yet. Throws `UsageError` for a URL that is not one of http or https. */
export function openMetachain(place: string): MetachainSource {
  if (!isUrl(place)) return new FolderMetachain(place);
  const url = URL.parse(place);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${place} is no http or https URL`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError("the URL of a metachain has no user, password, query or fragment");
  }
  return new HttpMetachain(place, url);
}

/** Throws `malformed` for bytes that are no head. */
export const parseHead = (bytes: Uint8Array): Metachain => parseAs(metachainSchema, bytes, "the head");

/** Throws `malformed` for bytes that are no seal, or the seal of another place. */
export function parseRoot(bytes: Uint8Array, index: number): Seal {
  const seal = parseAs(sealSchema, bytes, `root ${index}`);
  if (seal.index !== index) throw unreadable(`root ${index} says that it is root ${seal.index}`);
  return seal;
}

/** Throws `malformed`, naming `what`. */
export function parseAs<T>(
  schema: { safeParse: (value: unknown) => { data?: T } },
  bytes: Uint8Array,
  what: string,
): T {
  const { data } = schema.safeParse(parseJson(bytes));
  if (data === undefined) throw unreadable(`${what} is not as the format says`);
  return data;
}

const unreadable = (message: string): DisclosureError => new DisclosureError("malformed", message);
