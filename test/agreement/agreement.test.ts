// One table, one verdict: the reader's library, the command line, the page and the verifier in Python say the same of
// every vector, check by check and in the same word. The service's answers are in service.test.ts.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { verifyEvidence } from "../../evidence/reader/index.ts";
import { responseVectors, tokenVectors } from "../support/timestamp-vectors.ts";
import { answersTo, ask, everywhere, useClock } from "./everyone.ts";
import { checksInPython, hasPython } from "./python.ts";
import {
  bytesOf,
  evidenceRows,
  isMisplaced,
  openReasonOf,
  type Row,
  timestampRows,
  verdictOf,
} from "./rows.ts";

/** Two honest clocks may be so far apart. */
const CLOCK_DIFFERENCE_MS = 5 * 60 * 1000;
const LONG_AFTER = Date.parse("2300-01-01T00:00:00Z");
useClock();

/** Tokens that lead to a certificate of the reader's. */
const isGood = ({ expected }: Row): boolean =>
  expected.verdict.startsWith("holds") && !expected.unmade.includes("timestamp");
const goodTokens = timestampRows.filter(isGood);

describe("every verifier says", () => {
  test.each(ask([...evidenceRows, ...timestampRows].filter((row) => !isMisplaced(row))))(
    "$expected.verdict of $kind $name: $reason",
    async (row) => {
      expect(await answersTo(row)).toEqual(everywhere(row.expected));
    },
  );
});

// A published root is looked up by its number, and one that names another number is believed by nobody. The one in Python
// is given the root as a file.
describe("of a root before that is another root", () => {
  test.each(ask(evidenceRows.filter(isMisplaced)))(
    "a program that looks it up can't judge, and the one in Python says: $expected.verdict, $name",
    async (row) => {
      const { python, ...others } = await answersTo(row);
      for (const { verdict, failing } of Object.values(others)) {
        expect({ verdict, failing }).toEqual({ verdict: "unreadable", failing: [] });
      }
      expect(python).toEqual(everywhere(row.expected).python);
    },
  );
});

describe.skipIf(!hasPython)("a token that can't be judged", () => {
  const vectors = [...tokenVectors, ...responseVectors];
  const said = checksInPython(timestampRows);

  test.each(timestampRows.map((row, i) => ({ ...row, index: vectors[i]?.expected ?? "", python: said[i] })))(
    "is left open for the same reason by all: $index, $name",
    async (row) => {
      const { checks } = await verifyEvidence(bytesOf(row), {
        trustAnchors: parseCertificatesPem(readFileSync(row.anchors ?? "", "utf8")),
        now: new Date(row.now).toISOString(),
      });
      const expected = row.name === "forged-after-root.der" ? "expired" : openReasonOf(row.index);
      const reasonIn = (list: readonly { name: string; reason?: string | null }[]) =>
        list.find(({ name }) => name === "timestamp")?.reason ?? null;
      const isToken = row.name.endsWith(".der");
      expect([reasonIn(checks), reasonIn(row.python)]).toEqual(isToken ? [expected, expected] : [null, null]);
    },
  );
});

describe("without a certificate of the reader's own every verifier", () => {
  const rows = timestampRows.map(({ anchors: _, ...row }) => row);

  test.each(ask(rows.filter(({ expected }) => expected.verdict.startsWith("holds"))))(
    "can't check the token $name: $reason",
    async (row) => {
      const unmade = [...new Set([...row.expected.unmade, "timestamp"])];
      expect(await answersTo(row)).toEqual(everywhere(verdictOf(row.expected.failing, unmade)));
    },
  );

  test.each(ask(rows.filter(({ expected }) => !expected.verdict.startsWith("holds"))))(
    "says alike whether this is a token at all: $name, $reason",
    async (row) => {
      const answers = await answersTo(row);
      expect(answers).toEqual(everywhere(answers.commandLine));
    },
  );
});

describe("before its time a token", () => {
  const earlier = (ms: number): Row[] => goodTokens.map((row) => ({ ...row, now: row.now - ms }));

  test.each(ask(earlier(CLOCK_DIFFERENCE_MS)))(
    "holds by a clock that is a little slow: $name",
    async (row) => {
      expect(await answersTo(row)).toEqual(everywhere(row.expected));
    },
  );

  test.each(ask(earlier(CLOCK_DIFFERENCE_MS + 1)))("is refused by every verifier: $name", async (row) => {
    const refused = { ...row.expected, verdict: "does_not_hold", failing: ["timestamp"] } as const;
    expect(await answersTo(row)).toEqual(everywhere(refused));
  });
});

describe("when the certificates have run out", () => {
  test.each(ask(goodTokens.map((row) => ({ ...row, now: LONG_AFTER }))))(
    "no verifier says that $name holds, nor that it doesn't",
    async (row) => {
      const unmade = [...new Set([...row.expected.unmade, "timestamp"])];
      expect(await answersTo(row)).toEqual(everywhere(verdictOf(row.expected.failing, unmade)));
    },
  );

  const evidence = evidenceRows.filter((row) => !isMisplaced(row));

  test.each(ask(evidence.map((row) => ({ ...row, now: LONG_AFTER }))))(
    "every verifier says the same of $kind $name: $reason",
    async (row) => {
      const answers = await answersTo(row);
      expect(answers).toEqual(everywhere(answers.commandLine));
    },
  );
});
