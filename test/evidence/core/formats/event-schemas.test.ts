// The published schemas of events and messages.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_TYPES, FAULT_KINDS } from "../../../../contract/events.ts";
import { buildEventSchemas } from "../../../../evidence/core/formats/event-schemas.ts";

const read = (file: string): string =>
  readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), "utf8");

test("docs/events.schema.json is what the schemas say", () => {
  expect(read("events.schema.json")).toBe(`${JSON.stringify(buildEventSchemas(), null, 2)}\n`);
});

test("docs/events.md has every type, every member of its detail, and every kind of fault", () => {
  const page = read("events.md");
  const { $defs } = buildEventSchemas();
  for (const type of [...EVENT_TYPES, "receipts.sealed", "receipt.verdict", "webhook.test"])
    expect(page).toContain(`| \`${type}\` |`);
  for (const kind of FAULT_KINDS) expect(page).toContain(`\`${kind}\``);
  const members = Object.values($defs).flatMap((schema) => Object.keys((schema as Shape).properties));
  const inner = Object.values($defs).flatMap((schema) =>
    Object.keys((schema as Shape).properties.data?.properties ?? {}),
  );
  const named = new Set([...members, ...inner].filter((name) => name !== "deployment"));
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((name) => !new RegExp(`[\`"]${name}[\`"]`).test(page))).toEqual([]);
});

interface Shape {
  readonly properties: Record<string, { readonly properties?: object }>;
}
