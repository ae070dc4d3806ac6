// The certificates of timestamp authorities that the reader trusts: those that `--tsa-ca` names, or the known ones.
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { knownTrustAnchors } from "../../../evidence/reader/anchors.ts";
import { parseDocument } from "../../../evidence/reader/evidence.ts";
import { MAX_PEM_LENGTH } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import type { Anchors } from "../../../evidence/reader/session/given.ts";
import { type ReadBytes, readBytes } from "./read-file.ts";

/** These words stand in the place of a file's name. A file of such a name is written `./known`. */
const KNOWN = "known";
const NONE = "none";

export const TSA_CA_OPTION = { "tsa-ca": { type: "string", multiple: true } } as const;

/** `names` are the values of `--tsa-ca`. Throws `malformed`, naming the file: a bad anchor must not look like a bad token. */
export async function readTrustAnchors(
  names: readonly string[] = [],
  read: ReadBytes = readBytes,
): Promise<Anchors[]> {
  const lists: Anchors[][] = [];
  for (const name of names.length === 0 ? [KNOWN] : names) lists.push(await readNamed(name, read));
  return lists.flat();
}

/** True if the reader named a file, so that a token of any other authority is unexpected. */
export const isOwn = (names: readonly string[] = []): boolean =>
  names.some((name) => name !== KNOWN && name !== NONE);

export const certificatesOf = (anchors: readonly Anchors[]): Uint8Array[] =>
  anchors.flatMap(({ der }) => der);

async function readNamed(name: string, read: ReadBytes): Promise<Anchors[]> {
  if (name === NONE) return [];
  if (name === KNOWN) return [{ source: { kind: "known" }, der: knownTrustAnchors }];
  return naming(`--tsa-ca ${name}`, async () => {
    const document = parseDocument(await read(name, MAX_PEM_LENGTH));
    if (document.kind === "certificates")
      return [{ source: { kind: "reader", file: name }, der: document.anchors }];
    throw new DisclosureError("malformed", `expected a PEM certificate, this is a ${document.kind}`);
  });
}
