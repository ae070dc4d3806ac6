// A published log that signs its roots, as `publishedLog` makes it.

import { logSigner, type NoteSigner, signedCheckpoint } from "../../support/note-signers.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { entryOf, type PublishedLog, publishedLog } from "./published-log.ts";

export const LOG = logSigner("receipts.example.com/v1/metachain");

/** The log's tree when it had this many entries. */
export const treeAt = (
  size: number,
  entryAt: (index: number) => Uint8Array = entryOf,
): { readonly size: number; readonly root: string } => {
  const root = treeOf((index) => leafHash(entryAt(index)))(0, size);
  return { size, root: `0x${Buffer.from(root).toString("hex")}` };
};

export interface SignedLogOptions {
  readonly log?: NoteSigner;
  readonly witnesses?: readonly NoteSigner[];
  /** Whether the head names the log's key. */
  readonly named?: boolean;
  /** The sizes that are signed; all unless it is given. */
  readonly signed?: readonly number[];
}

export function signedLog(
  sizes: readonly number[],
  { log = LOG, witnesses = [], named = true, signed = sizes }: SignedLogOptions = {},
): PublishedLog {
  const published = publishedLog(sizes);
  for (const [index, size] of sizes.entries()) {
    if (!signed.includes(size)) continue;
    const note = signedCheckpoint(log, treeAt(size), witnesses);
    published.set(`checkpoints/${index}`, note).set("checkpoint", note);
    published.set(`signed-roots/${index}`, Buffer.from(`a COSE signature over root ${index}`));
  }
  const head = JSON.parse(String(published.get("index.json")));
  const identity = { origin: log.name, vkey: log.vkey, checkpoint: "/v1/metachain/checkpoint" };
  return published.set("index.json", JSON.stringify({ ...head, log: named ? identity : null }));
}
