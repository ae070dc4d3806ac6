// What the pages on data protection promise is what the code does, in both languages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_RETENTION_MONTHS, MIN_RETENTION_MONTHS } from "../../contract/limits.ts";
import { ERASURE_GROUNDS } from "../../evidence/core/formats/erasure.ts";
import { parseConfig } from "../../lib/settings/config.ts";
import { QUIET_MINUTES } from "../../service/erasure/erase.ts";
import { RETENTION_OVERDUE_DAYS } from "../../service/erasure/retention-progress.ts";
import { IDEMPOTENCY_SECONDS } from "../../service/ledger/append-writes.ts";
import { CLOSED_SECONDS } from "../../service/ledger/closed-conversation.ts";
import { STAYS } from "../../tools/cli/admin/erase.ts";
import { consoleDe } from "../../tools/web/console/text-de.ts";
import { consoleEn } from "../../tools/web/console/text-en.ts";
import { Synthesized, VARIANTS } from "./synthesis.ts";

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, "..", "..", "docs", name), "utf8");
const [english, german, admin] = [
  read("data-protection.md"),
  read("data-protection.de.md"),
  read("admin.md"),
];
const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([whole]) => whole);

describe("the two languages", () => {
  test.each([
    ["sections", /^## /gm],
    ["rows of tables", /^\|/gm],
    ["blanks to fill in", /\*\*\[(?:fill in|eintragen)/g],
    ["decisions to take", /\*\*\[(?:decide|entscheiden)/g],
    ["points", /^- /gm],
  ])("have as many %s", (_what, pattern) => {
    expect(count(english, pattern)).toBe(count(german, pattern));
    expect(count(english, pattern)).toBeGreaterThan(4);
  });

  test("name the same commands, routes and settings", () => {
    const names = (text: string) => all(text, /`[^`\n]+`/g).sort();
    const commands = (text: string) => all(text, /^disclosure-receipts .*$/gm);
    expect(commands(german)).toEqual(commands(english));
    expect([...new Set(names(german))]).toEqual([...new Set(names(english))]);
  });
});

test.each([
  ["English", english, "days", "hours"],
  ["German", german, "Tage", "Stunden"],
])("the periods in %s are those of the code", (_language, text, days, hours) => {
  const { logRetentionDays, retentionYears, tracing } = parseConfig({});
  expect(text).toContain(`\`logRetentionDays\` (${logRetentionDays})`);
  expect(text).toContain(`\`retentionYears\` (${retentionYears})`);
  expect(tracing).toBe(false);
  expect(text).toContain(`${IDEMPOTENCY_SECONDS / 3_600} ${hours}`);
  const table = new Synthesized(VARIANTS.production).one("AWS::DynamoDB::GlobalTable", /./);
  const [{ PointInTimeRecoverySpecification: recovery }] = table.Properties.Replicas;
  expect(text).toContain(`${recovery.RecoveryPeriodInDays} ${days}`);
});

test("the commands say the same times and grounds as the code", () => {
  expect([QUIET_MINUTES, CLOSED_SECONDS]).toEqual([20, 20 * 60]);
  for (const ground of ERASURE_GROUNDS) expect(admin).toContain(`\`${ground}\``);
  expect(admin).toContain(`${MIN_RETENTION_MONTHS} to ${MAX_RETENTION_MONTHS}`);
});

test.each([
  ["English", english, "Erasure"],
  ["German", german, "Löschung"],
])("the page in %s lists what stays after an erasure, as the command does", (_language, text, heading) => {
  const [, section = ""] = text.split(new RegExp(`^## ${heading}$`, "m"));
  const [own = ""] = section.split(/^## /m);
  expect(count(own, /^- /gm)).toBe(STAYS.length);
});

test.each([
  ["English", english, "bridge"],
  ["German", german, "Brücke"],
])("the page in %s says what the bridge reads, and what its logs hold", (_language, text, name) => {
  const rows = all(text, /^\|.*\|$/gm).filter((row) => row.includes(name));
  expect(rows.filter((row) => row.includes("`logRetentionDays`"))).toHaveLength(1);
  expect(rows.length).toBeGreaterThan(2);
});

test("pages and console name the time after which a retention is overdue", () => {
  const texts = [english, admin, consoleEn.findings.concerns.retention_overdue];
  for (const text of texts) expect(text).toContain(`${RETENTION_OVERDUE_DAYS} days`);
  const germans = [german, consoleDe.findings.concerns.retention_overdue];
  for (const text of germans) expect(text).toContain(`${RETENTION_OVERDUE_DAYS} Tagen`);
});
