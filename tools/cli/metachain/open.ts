// Opens the metachain that a reader names: the service, any host of a mirror, or a mirror's folder.
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { UsageError } from "../command.ts";
import { FolderMetachain } from "./folder.ts";
import { HttpMetachain } from "./http.ts";
import type { PolicySource } from "./policy-source.ts";

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

export const isUrl = (place: string): boolean => HAS_SCHEME.test(place);

/** Contacts nothing yet. Throws `UsageError` for a URL that is not one of http or https. */
export function openMetachain(place: string): MetachainSource & LogSource & PolicySource {
  if (!isUrl(place)) return new FolderMetachain(place);
  const url = URL.parse(place);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${place} is no http or https URL`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError("the URL of a metachain has no user, password, query or fragment");
  }
  return new HttpMetachain(place, url);
}
