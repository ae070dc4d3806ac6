// Files as a reader gives them to the page, and what its worker finds of them, without a browser.
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import type { LayerSource } from "../../../evidence/reader/policy-layers.ts";
import { checkFiles, type Question } from "../../../tools/web/check-files.ts";
import {
  type Checked,
  type CheckedEntry,
  type EvidenceEntry,
  isEvidenceEntry,
} from "../../../tools/web/checked.ts";
import { type Source, type TakenFile, takeFile } from "../../../tools/web/given-file.ts";
import { readBytes, serviceLayer } from "../../support/vector-files.ts";

export const CHECKED_AT = new Date("2026-11-27T00:00:00Z");

export const sourceOf = (name: string, content: string | Uint8Array): Source => {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { name, size: bytes.length, read: async () => bytes };
};

/** A vector, under its own name. */
export const vectorSource = (file: string): Source => sourceOf(file.replace(/^.*\//, ""), readBytes(file));

/** The metachain of the vectors; `change` makes another of a root. */
export const metachain: MetachainSource & LogSource & LayerSource = {
  name: "https://receipts.example",
  head: async () =>
    new TextEncoder().encode(
      JSON.stringify({
        size: 4,
        latest: JSON.parse(new TextDecoder().decode(readBytes("seals/3.json"))),
        roots: "/v1/metachain/roots/{index}",
        log: null,
      }),
    ),
  root: async (index) => (index < 4 ? readBytes(`seals/${index}.json`) : null),
  timestamp: async () => null,
  logFile: async () => null,
  layer: async (digest) => (digest === serviceLayer.digest ? serviceLayer.bytes : null),
};

export interface Circumstances {
  readonly metachain?: (MetachainSource & LogSource & LayerSource) | null;
  readonly serviceAnchors?: readonly Uint8Array[];
  readonly isSecure?: boolean;
  readonly stopped?: Question["stopped"];
  readonly history?: Question["history"];
  readonly fingerprint?: Question["fingerprint"];
}

export async function check(
  sources: readonly Source[],
  {
    metachain = null,
    serviceAnchors = [],
    isSecure = true,
    stopped = new Map(),
    history = null,
    fingerprint = null,
  }: Circumstances = {},
): Promise<Checked> {
  const files: TakenFile[] = [];
  for (const source of sources) files.push(await takeFile(source, Number.MAX_SAFE_INTEGER));
  const question = {
    files,
    history,
    fingerprint,
    origin: null,
    isSample: false,
    checkedAt: CHECKED_AT,
    stopped,
  };
  return checkFiles(question, { metachain, fetchAnchors: async () => serviceAnchors, isSecure }, () => {});
}

export const entryNamed = ({ entries }: Checked, name: string): CheckedEntry =>
  entries.find(({ files }) => files.some((file) => file.name === name)) ?? missing(name);

export function evidenceNamed(checked: Checked, name: string): EvidenceEntry {
  const entry = entryNamed(checked, name);
  return isEvidenceEntry(entry) ? entry : missing(name);
}

function missing(name: string): never {
  throw new Error(`there is no entry ${name}`);
}
