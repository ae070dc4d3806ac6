// A conversation whose identifiers were erased, and a reader who kept a request of it: every verifier holds the receipt
// against that one, and no other.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { answersTo, ask, everywhere, useClock } from "./everyone.ts";
import { EVIDENCE_DAY, evidenceFile, type Row, serviceLayers } from "./rows.ts";

useClock();
const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bundle = JSON.parse(readFileSync(evidenceFile("bundles/conversation.json"), "utf8"));
const [kept, ...others] = bundle.requests as object[];

const fileOf = (name: string, value: unknown): string => {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(value));
  return file;
};

const erased = fileOf("erased", { ...bundle, requests: [null, ...others] });
const known: Omit<Row, "name"> = {
  kind: "bundle",
  reason: "",
  file: erased,
  anchors: evidenceFile("authorities/service.pem"),
  layers: serviceLayers,
  published: {},
  now: EVIDENCE_DAY,
  expected: { verdict: "holds_so_far", failing: [], unmade: [] },
};
const OWN = "its own";
const ROWS: readonly Row[] = [
  { ...known, name: OWN, request: fileOf("kept", kept) },
  { ...known, name: "another", request: fileOf("changed", { ...kept, agent_identity: "x" }) },
  { ...known, name: "none" },
];

test.each(ask(ROWS))("with the request of the erased turn, $name", async (row) => {
  const answers = await answersTo(row);
  const { commandLine } = answers;
  expect(answers).toEqual(everywhere(commandLine));
  expect([commandLine.verdict, commandLine.failing]).toEqual(["holds_so_far", []]);
  expect(commandLine.unmade.includes("receipts/0/input_hash")).toBe(row.name !== OWN);
});
