// The table that every verifier is held to, with the tokens as rows of their own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { responseVectors, type TimestampVector, tokenVectors } from "../support/timestamp-vectors.ts";
import { caFile, type Row, type Verdict, verdictOf } from "./evidence-rows.ts";
import { genTimeOf, proofOfToken } from "./token-evidence.ts";

export * from "./evidence-rows.ts";

/** What a token can only be asked for: a stored one comes without its request. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set(["nonce", "policy"]);
/** The anchor had run out at genTime: that is open to whoever brings a clock. */
const RUN_OUT: ReadonlySet<string> = new Set(["forged-after-root.der"]);

const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Tokens as evidence: a bare proof of a tree of one leaf, which is the root that they are over. */
export const timestampRows: readonly Row[] = [...tokenVectors, ...responseVectors].map((vector, i) => ({
  kind: "proof",
  name: vector.file,
  reason: vector.what,
  file: writeProof(vector, i),
  anchors: caFile(vector.ca),
  published: {},
  now: genTimeOf(vector),
  expected: verdictOnToken(vector),
}));

/** Of an index that says `weak: public_key`; null where the token is accepted or refused. */
export function openReasonOf(expected: string): string | null {
  return /^(\w+): /.exec(expected)?.[1] ?? null;
}

function writeProof(vector: TimestampVector, i: number): string {
  const file = join(folder, `${i}.json`);
  writeFileSync(file, JSON.stringify(proofOfToken(vector)));
  return file;
}

/** A whole response is no token, however good the token inside. A token that can't be judged is left open. */
function verdictOnToken({ file, expected }: TimestampVector): Verdict {
  const unmade = ["evidence_chain", "published_root"];
  const isToken = file.endsWith(".der");
  if (isToken && (openReasonOf(expected) !== null || RUN_OUT.has(file)))
    return verdictOf([], [...unmade, "timestamp"]);
  const isGood = isToken && (expected === "accepted" || OF_THE_REQUEST.has(expected));
  return verdictOf(isGood ? [] : ["timestamp"], unmade);
}
