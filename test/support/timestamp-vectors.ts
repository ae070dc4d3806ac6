// The corpus of timestamp tokens under test/vectors/timestamps, as its index lists it.
import { readFileSync } from "node:fs";
import { parseHex } from "../../evidence/core/bytes.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";

const FOLDER = new URL("../vectors/timestamps/", import.meta.url);

type IndexEntry = {
  readonly file: string;
  readonly ca: string;
  readonly root: string;
  readonly expected: string;
  readonly what: string;
  readonly nonce?: string;
  readonly policy?: string;
};

export type TimestampVector = IndexEntry & {
  readonly bytes: Uint8Array;
  readonly rootBytes: Uint8Array;
  readonly anchors: readonly Uint8Array[];
};

const load = (entry: IndexEntry): TimestampVector => ({
  ...entry,
  bytes: new Uint8Array(readFileSync(new URL(entry.file, FOLDER))),
  rootBytes: parseHex(entry.root),
  anchors: parseCertificatesPem(readFileSync(new URL(entry.ca, FOLDER), "utf8")),
});

const index: readonly IndexEntry[] = JSON.parse(readFileSync(new URL("index.json", FOLDER), "utf8"));

export const tokenVectors = index.filter(({ file }) => file.endsWith(".der")).map(load);
export const responseVectors = index.filter(({ file }) => file.endsWith(".tsr")).map(load);

/** The vector in `file`. */
export function timestampVector(file: string): TimestampVector {
  const entry = index.find((candidate) => candidate.file === file);
  if (entry === undefined) throw new Error(`no vector ${file}`);
  return load(entry);
}
