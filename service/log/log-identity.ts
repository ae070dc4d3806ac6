// The log's identity: its origin and its key, which witnesses and readers know it by. The first run fixes it in the
// table; no setting changes it afterwards, and nothing is signed under another one.
import { CHECKPOINT_ROUTE } from "../../contract/metachain-paths.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { LogName } from "../../evidence/core/formats/metachain.ts";
import {
  formatNoteKey,
  type NoteKey,
  noteKey,
  parseNoteKey,
  SIGNATURE_TYPE,
} from "../../evidence/core/log/note.ts";
import { textOf } from "../table/attributes.ts";
import { isAbsent } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { logIdentityKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { KmsSigner } from "./log-signer.ts";

/** The log as the settings have it. */
export interface LogSettings {
  readonly origin: string;
  readonly signer: KmsSigner;
}

/**
 * The key that signs the log's notes; its name is the log's origin. Throws `misconfigured` where the settings have
 * another origin than the one that was fixed.
 */
export async function readIdentity(table: Table, settings: LogSettings): Promise<NoteKey> {
  const item = (await table.get(logIdentityKey)) ?? (await fixIdentity(table, settings));
  const [origin, vkey] = [textOf(item, "origin"), textOf(item, "vkey")];
  if (origin !== settings.origin) {
    throw new DisclosureError("misconfigured", "the log has another origin, which must never change", {
      expected: origin,
      actual: settings.origin,
    });
  }
  const key = parseStored(vkey);
  if (key.name === origin && key.type === SIGNATURE_TYPE.ed25519) return key;
  throw damaged(vkey);
}

/** Throws `misconfigured` where the configured key is not the one that was fixed. */
export async function requireOwnKey(key: NoteKey, { signer }: LogSettings): Promise<void> {
  if (equalBytes(await signer.publicKey(), key.publicKey)) return;
  throw new DisclosureError("misconfigured", "the log is signed by another key than the configured one", {
    expected: formatNoteKey(key),
  });
}

/** The identity as the public head names it. */
export const logName = (key: NoteKey): LogName => ({
  origin: key.name,
  vkey: formatNoteKey(key),
  checkpoint: CHECKPOINT_ROUTE,
});

/** Ours, or the one that another run has written before. A crash after this has fixed the identity: no run undoes it. */
async function fixIdentity(table: Table, { origin, signer }: LogSettings): Promise<Item> {
  const vkey = formatNoteKey(requireName(origin, await signer.publicKey()));
  const set = { origin: { S: origin }, vkey: { S: vkey } };
  const isOurs = await table.update({ key: logIdentityKey, set, when: isAbsent("vkey") });
  return isOurs ? set : ((await table.get(logIdentityKey)) ?? {});
}

function requireName(origin: string, publicKey: Uint8Array): NoteKey {
  try {
    return noteKey(origin, SIGNATURE_TYPE.ed25519, publicKey);
  } catch (cause) {
    const message = "the log's origin must be a name without spaces and plus signs";
    throw new DisclosureError("misconfigured", message, { origin }, cause);
  }
}

function parseStored(vkey: string): NoteKey {
  try {
    return parseNoteKey(vkey);
  } catch (cause) {
    throw damaged(vkey, cause);
  }
}

const damaged = (vkey: string, cause?: unknown): DisclosureError =>
  new DisclosureError("ledger_corrupt", "the log's identity in the table is damaged", { vkey }, cause);
