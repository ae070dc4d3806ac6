// The reader's word on a row: `verifyEvidence`, as the package publishes it.
import { readFileSync } from "node:fs";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { verifyEvidence } from "../../evidence/reader/index.ts";
import type { MetachainSource } from "../../evidence/reader/metachain.ts";
import {
  bytesOf,
  indexIn,
  listLacking,
  type Row,
  UNREADABLE,
  type Verdict,
  verdictOf,
} from "./evidence-rows.ts";

export async function askReader(row: Row): Promise<Verdict> {
  const { anchors, request, layers = [], policy, now } = row;
  try {
    const { outcome, checks, unavailable } = await verifyEvidence(bytesOf(row), {
      ...(request !== undefined && { requests: [JSON.parse(readFileSync(request, "utf8"))] }),
      layers: layers.map((file) => JSON.parse(readFileSync(file, "utf8"))),
      ...(policy !== undefined && { logPolicy: readFileSync(policy, "utf8") }),
      ...sourceOf(row),
      trustAnchors: anchors === undefined ? [] : parseCertificatesPem(readFileSync(anchors, "utf8")),
      now: new Date(now).toISOString(),
    });
    // A root that somebody hands on is compared with the published one, about which a row of a seal says nothing.
    const compared = checks.filter(({ name }) => row.kind !== "seal" || name !== "published_root");
    const namesOf = (ok: boolean | null) =>
      compared.filter((check) => check.ok === ok).map(({ name }) => name);
    const [failing, unmade] = [namesOf(false), namesOf(null)];
    if (unavailable !== null) return { verdict: "unreadable", failing, unmade };
    return row.kind === "seal" ? verdictOf(failing, unmade) : { verdict: outcome, failing, unmade };
  } catch (error) {
    if (isDisclosureError(error)) return UNREADABLE;
    throw error;
  }
}

/** The published roots of the row; nobody to ask where it has none. */
export function sourceOf({ kind, published, file }: Row): { readonly source?: MetachainSource } {
  const files = Object.entries(published);
  if (files.length === 0) return {};
  // A root that is checked is published itself, or that would be found.
  const known = new Map(kind === "seal" ? [...files, [String(indexIn(file)), file] as const] : files);
  const source: MetachainSource = {
    name: "the row",
    head: async () => new TextEncoder().encode(listLacking(published)),
    root: async (index) => {
      const path = known.get(String(index)) ?? null;
      return path === null ? null : new Uint8Array(readFileSync(path));
    },
    timestamp: async () => null,
  };
  return { source };
}
