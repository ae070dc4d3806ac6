// A link of the operator's console to the verifier page: the event whose report the page fetches from its own origin. The
// link holds the event's id and nothing else, so no link can lead the page to another file, or to another host.
import { CONSOLE_REPORTS_PATH } from "../../contract/console.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { MAX_FILE_BYTES } from "../../evidence/reader/limits.ts";
import type { Source } from "./given-file.ts";
import { fetchBytes } from "./origin.ts";

/** The fragment of the page's address, before the id: what follows a # is sent to nobody. */
export const EVENT_LINK = "#event=";
const EVENT = /^#event=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The report that a link names, as a file which is read when it is wanted; null for every other fragment. */
export function linkedReport(fragment: string, origin: string | null): Source | null {
  const [, id] = EVENT.exec(fragment) ?? [];
  if (id === undefined || origin === null) return null;
  const read = async (): Promise<Uint8Array> => {
    const bytes = await fetchBytes(origin, `${CONSOLE_REPORTS_PATH}/${id}`, MAX_FILE_BYTES);
    if (bytes === null) throw new DisclosureError("not_found", "no console serves this report here");
    return bytes;
  };
  return { name: `${id}.json`, size: 0, read };
}
