// Rows of the table that were changed in their bytes: whole files, the tokens and the notes in them, and their JSON. Every
// verifier must say the same of each.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Mutant, mutantsOf, sampleOf, textOf } from "../fuzz/mutations.ts";
import { anyExchanged } from "../fuzz/targets/tokens.ts";
import { anyDamages, type Json } from "../support/json-damage.ts";
import { type TimestampVector, tokenVectors } from "../support/timestamp-vectors.ts";
import { bytesOf, caFile, checkpointRows, evidenceRows, type Row } from "./evidence-rows.ts";
import { genTimeOf, proofOfToken } from "./token-evidence.ts";

/** A row, and the bytes of its file. */
type ChangedRow = readonly [row: Row, bytes: Uint8Array | string];

const NODES = /(?:0x|sha256:)[0-9a-f]{64}/g;
const rows = [...evidenceRows, ...checkpointRows];
const good = rows.filter(({ expected }) => expected.verdict.startsWith("holds"));
const signed = checkpointRows.filter(({ expected }) => expected.verdict.startsWith("holds"));
const jsonOf = (row: Row): Json => JSON.parse(readFileSync(row.file, "utf8")) as Json;

/** Most changes to a file meet one of its hashes, and all of these are alike: in every second one, the hashes are let be. */
const changedFile = fc.constantFrom(...good).chain((row) => {
  const text = readFileSync(row.file, "utf8");
  const hashes = text.match(NODES) ?? [];
  const short = hashes.reduce((rest, hash, i) => rest.replace(hash, `\u00ab${i}\u00bb`), text);
  const whole = (mutant: Mutant): string =>
    textOf(mutant).replaceAll(/\u00ab(\d+)\u00bb/g, (_, i) => hashes[Number(i)] ?? "");
  return fc.oneof(
    mutantsOf([sampleOf(row.name, bytesOf(row))]).map(({ bytes }): ChangedRow => [row, bytes]),
    mutantsOf([sampleOf(row.name, short)]).map((mutant): ChangedRow => [row, whole(mutant)]),
  );
});

const changedJson = fc
  .tuple(fc.constantFrom(...signed), anyDamages)
  .map(([row, damage]): ChangedRow => [row, JSON.stringify(damage(jsonOf(row)))]);

const noted = signed.flatMap((row) => {
  const report = jsonOf(row) as { readonly log_checkpoint: string | null };
  return report.log_checkpoint === null ? [] : [{ row, report, note: report.log_checkpoint }];
});

const changedNote = fc
  .constantFrom(...noted)
  .chain(({ row, report, note }) =>
    mutantsOf([sampleOf(row.name, note)]).map(
      (mutant): ChangedRow => [row, JSON.stringify({ ...report, log_checkpoint: textOf(mutant) })],
    ),
  );

const accepted = tokenVectors.filter(({ expected }) => expected === "accepted");
const changedToken = fc.oneof(
  fc
    .constantFrom(...accepted)
    .chain((vector) =>
      mutantsOf([sampleOf(vector.file, vector.bytes)]).map(({ bytes }) => rowOf(vector, bytes)),
    ),
  anyExchanged.map(({ vector, bytes }) => rowOf(vector, bytes)),
);

function rowOf(vector: TimestampVector, bytes: Uint8Array): ChangedRow {
  const row: Row = {
    kind: "proof",
    name: vector.file,
    reason: "a changed token",
    file: vector.file,
    anchors: caFile(vector.ca),
    published: {},
    now: genTimeOf(vector),
    expected: { verdict: "holds_so_far", failing: [], unmade: [] },
  };
  return [row, JSON.stringify(proofOfToken({ root: vector.root, bytes }))];
}

const anyChanged = fc.oneof(changedFile, changedJson, changedNote, changedToken);

/** So many rows of this seed, as files in a folder. What is published would be looked up under a changed number by one. */
export const mutantRows = (folder: string, seed: number, runs: number): Row[] =>
  fc.sample(anyChanged, { seed, numRuns: runs }).map(([row, bytes], i) => {
    const file = join(folder, `${seed}-${i}.json`);
    writeFileSync(file, bytes);
    return { ...row, file, published: {} };
  });
