import { readdirSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fullName } from "../../../../evidence/core/verify/check.ts";
import {
  type EvidenceVector,
  evidenceVectors,
  type Verdict,
  verifyVector,
} from "../../../support/evidence.ts";

/** The verifiers of each kind do not decide which kind a file is. */
const OF_ONE_KIND = evidenceVectors.filter(({ kind }) => kind !== "mixed");

const FOLDER = new URL("../../../vectors/evidence/", import.meta.url);

const namesOf = (checks: NonNullable<Verdict>["checks"], ok: boolean | null): string[] =>
  checks.filter((check) => check.ok === ok).map((check) => fullName({ place: "", ...check }));

/** Unmade, these take nothing from what the other checks show. */
const SUPPLEMENTARY = new Set([
  "additional_timestamps",
  "evidence_chain",
  "input_hash",
  "interaction",
  "links",
  "previous_seal",
]);

function verdictOn({ valid, checks }: NonNullable<Verdict>): EvidenceVector["expected"] {
  if (!valid) return "does_not_hold";
  const matters = (name: string) => !SUPPLEMENTARY.has(name.slice(name.lastIndexOf("/") + 1));
  return namesOf(checks, null).some(matters) ? "holds_so_far" : "holds";
}

/** A verdict in the words of the index. */
const inWords = (verdict: Verdict): Pick<EvidenceVector, "expected" | "failing" | "unmade"> =>
  verdict === null
    ? { expected: "unreadable", failing: [], unmade: [] }
    : {
        expected: verdictOn(verdict),
        failing: namesOf(verdict.checks, false),
        unmade: namesOf(verdict.checks, null),
      };

const inIndex = ({ expected, failing, unmade }: EvidenceVector) => ({ expected, failing, unmade });

describe("the evidence vectors", () => {
  test.each(OF_ONE_KIND)("say $expected of $kind $file: $reason", async (vector) => {
    const verdict = await verifyVector(vector);
    expect(inWords(verdict)).toEqual(inIndex(vector));
    for (const { detail } of verdict?.checks ?? []) {
      expect(detail).not.toBe("");
      expect(detail).not.toBe("this check could not be carried out");
    }
  });

  test("hold one damage for each check that there is", () => {
    const failing = new Set(
      evidenceVectors.flatMap((vector) => vector.failing.map((name) => name.replace(/^.*\//, ""))),
    );
    expect([...failing].sort()).toEqual([
      "additional_timestamps",
      "chain_consistency",
      "chain_links",
      "consistency",
      "event_id",
      "event_inclusion",
      "evidence_chain",
      "input_hash",
      "interaction",
      "leaf_hash",
      "links",
      "merkle_root",
      "one_history",
      "output_hash",
      "policy",
      "previous_seal",
      "published_root",
      "published_seals",
      "receipt_format",
      "recorded_after",
      "timestamp",
      "turn_links",
    ]);
  });

  test("are all in the index", () => {
    const referred = evidenceVectors.flatMap((v) => [
      v.file,
      v.request,
      v.seal,
      v.before,
      v.previous,
      v.anchors,
      ...(v.published ?? []),
    ]);
    for (const folder of ["receipts", "seals", "bundles", "requests", "damaged", "forged"]) {
      const files = readdirSync(new URL(folder, FOLDER)).map((name) => `${folder}/${name}`);
      expect(files.filter((file) => !referred.includes(file))).toEqual([]);
    }
  });
});

describe("verification looks at the time in the token, not at today", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each(["1999-12-31T23:59:59Z", "2099-01-01T00:00:00Z"])("and says the same on %s", async (today) => {
    vi.useFakeTimers({ now: new Date(today), toFake: ["Date"] });
    const kinds = evidenceVectors.filter(
      ({ failing, expected }) => expected !== "unreadable" && failing.length === 0,
    );
    for (const vector of kinds) expect(inWords(await verifyVector(vector))).toEqual(inIndex(vector));
  });
});
