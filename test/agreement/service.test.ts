// POST /v1/verify-inclusion and the same table. The service knows by itself what is published and whom to trust, and is
// sent no request: where a row's reader knows something else, the two may differ, and in nothing else.
import { beforeAll, describe, expect, test } from "vitest";
import { evidenceFile, evidenceRows, type Row, timestampRows } from "./rows.ts";
import { type Answer, startService } from "./service.ts";

const OUR_AUTHORITY = evidenceFile("authorities/service.pem");
const isGood = ({ expected }: Row): boolean =>
  expected.verdict.startsWith("holds") && !expected.unmade.includes("timestamp");
const isReadable = ({ expected }: Row): boolean => expected.verdict !== "unreadable";
const isProof = ({ kind }: Row): boolean => kind === "receipt" || kind === "proof";

/** The service has one set of trust anchors: it can't have the roots of all vectors, of which many have one name. */
const hasOwnRoots = ({ anchors = "" }: Row): boolean => /forged-.+-ca\.pem$/.test(anchors);
const tokenRows = timestampRows.filter((row) => !hasOwnRoots(row));
/** A token that is good under one of them is good. */
const goodTokens = new Set(tokenRows.filter(isGood).map(({ name }) => name));
const askable = tokenRows.filter((row) => isGood(row) || !goodTokens.has(row.name));

let askService: (row: Row) => Promise<Answer>;
beforeAll(async () => {
  askService = await startService(
    new Set([OUR_AUTHORITY, ...tokenRows.flatMap(({ anchors = [] }) => anchors)]),
  );
});

describe("the service", () => {
  test.each(evidenceRows.filter((row) => isProof(row) && isReadable(row)))(
    "says of $kind $name what the table says: $reason",
    async (row) => {
      const { status, valid, checks = [] } = await askService(row);
      const namesOf = (found: boolean) =>
        checks.filter(({ name, ok }) => ok === found && isKnownAlike(name, row)).map(({ name }) => name);
      const failing = row.expected.failing.filter((name) => isKnownAlike(name, row));
      expect([status, namesOf(false)]).toEqual([200, failing]);
      expect(namesOf(true).filter((name) => row.expected.unmade.includes(name))).toEqual([]);
      expect(valid).toBe(checks.every(({ ok }) => ok));
    },
  );

  test.each(askable)("says of token $name what the table says: $reason", async (row) => {
    const { status, valid, checks = [] } = await askService(row);
    const timestamp = checks.find(({ name }) => name === "timestamp");
    expect([status, valid]).toEqual([200, timestamp?.ok !== false]);
    // A token that is open to the row's reader may be false to the service, which has certificates of the same name.
    if (row.expected.unmade.includes("timestamp")) expect(timestamp?.ok).not.toBe(true);
    else expect(timestamp?.ok).toBe(isGood(row));
  });

  test.each(evidenceRows.filter((row) => !isProof(row) || !isReadable(row)))(
    "calls no proof what can't be read as one: $kind $name, $reason",
    async (row) => {
      expect((await askService(row)).status).toBeOneOf([400, 413, 422]);
    },
  );
});

function isKnownAlike(name: string, { request, anchors, published, expected }: Row): boolean {
  const files = Object.entries(published);
  const isAsPublished = files.every(([index, file]) => file === evidenceFile(`seals/${index}.json`));
  // The service is sent no layer.
  if (name === "policy") return false;
  if (name === "input_hash") return request === undefined;
  if (name === "timestamp") return anchors === OUR_AUTHORITY;
  // The service has every seal that a receipt can name.
  if (name === "recorded_after")
    return anchors === OUR_AUTHORITY && isAsPublished && !expected.unmade.includes(name);
  return name !== "published_root" || (files.length > 0 && isAsPublished);
}
