// RFC 8785 for what the ledger stores, written a second time: member names are ASCII and numbers are integers.
import { createHash } from "node:crypto";

export function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jcs(member)}`).join(",")}}`;
}

export const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();

/** `sha256:` and hex over JCS(value). */
export const digestOf = (value: unknown): string => `sha256:${sha256(jcs(value)).toString("hex")}`;
