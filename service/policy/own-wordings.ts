// The documents with tenants' own wordings: each is written once, under the digest of its canonical bytes. The tenant's item
// names the one that is in force.
import { randomUUID } from "node:crypto";
import { canonicalBytes, parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { formatDigest, hashBytes } from "../../evidence/core/merkle/hash.ts";
import { type OwnWordings, ownWordingsSchema } from "../../evidence/core/policy/effective-layer.ts";
import { binaryOf } from "../table/attributes.ts";
import { ownWordingsKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

const DOCUMENT = "document";

/** Throws `ledger_corrupt` where there is no such document, or other bytes under its digest. */
export async function readOwnWordings(table: Table, digest: string): Promise<OwnWordings> {
  const item = await table.get(ownWordingsKey(digest));
  const bytes = item === null ? null : binaryOf(item, DOCUMENT);
  if (bytes === null || formatDigest(hashBytes(bytes)) !== digest) throw damaged(digest);
  try {
    return ownWordingsSchema.parse(parseJson(bytes));
  } catch (cause) {
    throw damaged(digest, cause);
  }
}

/** Writes a document and returns its digest. A crash after this leaves one that no tenant names. */
export async function writeOwnWordings(table: Table, wordings: OwnWordings): Promise<string> {
  const bytes = canonicalBytes(wordings);
  const digest = formatDigest(hashBytes(bytes));
  const insert = { ...ownWordingsKey(digest), [DOCUMENT]: { B: bytes } };
  const { kind } = await table.transact([{ insert }], randomUUID());
  // Its id is random: nobody else writes it, and a refusal means that nothing was written.
  if (kind !== "committed") throw new DisclosureError("ledger_contended", "the table is too busy; try again");
  return digest;
}

const damaged = (digest: string, cause?: unknown): DisclosureError =>
  new DisclosureError("ledger_corrupt", "a tenant's own wordings are damaged", { digest }, cause);
