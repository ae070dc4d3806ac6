// The files of a tenant's history: those of the vectors are read as they are, and nothing less is.
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../../evidence/core/canonical-json.ts";
import { MAX_SHARD } from "../../../../evidence/core/formats/event-id.ts";
import {
  HEADS_A_FILE,
  headsFileSchema,
  historyIndexSchema,
} from "../../../../evidence/core/formats/history-folder.ts";
import { unneededMembers } from "../../../support/unneeded-members.ts";
import { readEvidence } from "../../../support/vector-files.ts";

const index = readEvidence("bills/history/history.json") as JsonObject;
const heads = readEvidence(
  "bills/history/chains/9fe59d9a34d4c63770ffc530b2d3503e/heads/0.json",
) as readonly JsonValue[];

test("the index is read as it is, and nothing less is", () => {
  expect(historyIndexSchema.parse(index)).toEqual(index);
  expect(unneededMembers(historyIndexSchema, index)).toEqual([]);
});

test("the index has as many chains as a tenant can have, and no more", () => {
  const [chain] = index.chains as readonly JsonValue[];
  const isRead = (length: number) =>
    historyIndexSchema.safeParse({ ...index, chains: Array(length).fill(chain) }).success;
  expect([isRead(0), isRead(MAX_SHARD + 1), isRead(MAX_SHARD + 2)]).toEqual([true, true, false]);
});

test("a file of heads is read as it is, and nothing less is", () => {
  expect(headsFileSchema.parse(heads)).toEqual(heads);
  expect(unneededMembers(headsFileSchema, heads)).toEqual([]);
});

test("a file has a head at least, and as many as one file holds at most", () => {
  const isRead = (length: number) => headsFileSchema.safeParse(Array(length).fill(heads[0])).success;
  expect([isRead(0), isRead(1), isRead(HEADS_A_FILE), isRead(HEADS_A_FILE + 1)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
