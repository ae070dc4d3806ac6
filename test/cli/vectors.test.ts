// The command line on every vector: what it finds is what the index says, and its verdict follows from that.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Check } from "../../core/check.ts";
import { type EvidenceVector, evidenceVectors } from "../support/evidence.ts";
import { newFolder, readJson, receipts, vector } from "./command-line.ts";

interface Report {
  readonly files: readonly [{ readonly verdict: string; readonly checks: readonly Check[] }];
}

const STATUS = { holds: 0, does_not_hold: 1, unreadable: 2 } as const;

const indexIn = (file: string): number => readJson<{ index: number }>(vector(file)).index;

/** A folder in which exactly that is published which the index says. */
function publishedFor({ seal, previous, published = [] }: EvidenceVector): string[] {
  const sources = [...published, seal ?? [], previous ?? []].flat();
  if (sources.length === 0 && seal === undefined) return [];
  const folder = newFolder();
  mkdirSync(join(folder, "v1/metachain/roots"), { recursive: true });
  for (const source of sources) {
    copyFileSync(vector(source), join(folder, `v1/metachain/roots/${indexIn(source)}`));
  }
  return ["--metachain", folder];
}

const argumentsFor = (entry: EvidenceVector): string[] => [
  "verify",
  vector(entry.file),
  "--json",
  ...publishedFor(entry),
  ...(entry.anchors === undefined ? [] : ["--tsa-ca", vector(entry.anchors)]),
  ...(entry.request === undefined ? [] : ["--request", vector(entry.request)]),
];

/** The command line fetches the seal before by its index: it is never handed one that is not the one before. */
const isFound = ({ kind, file, previous, expected }: EvidenceVector): boolean =>
  kind !== "seal" ||
  expected === "unreadable" ||
  previous === undefined ||
  indexIn(previous) === indexIn(file) - 1;

describe("the command line and the index", () => {
  test.each(evidenceVectors.filter(isFound))("agree on $kind $file: $reason", async (entry) => {
    const { status, stdout } = await receipts(...argumentsFor(entry));
    const [{ checks }] = (JSON.parse(stdout) as Report).files;
    // A root that somebody hands on is compared with the published one: the index knows nothing of that.
    const compared = checks.filter(({ name }) => entry.kind !== "seal" || name !== "published_root");
    const namesOf = (ok: boolean | null) =>
      compared.filter((check) => check.ok === ok).map(({ name }) => name);
    expect([namesOf(false), namesOf(null)]).toEqual([entry.failing, entry.unmade]);
    if (entry.kind !== "seal") expect(status).toBe(STATUS[entry.expected]);
  });

  test.each(evidenceVectors.filter(({ kind, expected }) => kind === "seal" && expected !== "holds"))(
    "agree that $file is not good: $reason",
    async (entry) => {
      expect((await receipts(...argumentsFor(entry))).status).toBeGreaterThan(0);
    },
  );
});
