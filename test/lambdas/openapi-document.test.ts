// The OpenAPI document: current, whole, and of every route.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROUTES } from "../../contract/routes.ts";
import { buildOpenApi } from "../../lambdas/api/openapi-document.ts";

const published = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));

test("docs/openapi.json is what the schemas say", () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(buildOpenApi())));
});

test("every reference leads to a schema, and every schema is referred to", () => {
  const references = [...JSON.stringify(published).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
  const names = new Set(references.map(([, name]) => name));
  expect([...names].sort()).toEqual(Object.keys(published.components.schemas).sort());
  for (const schema of Object.values(published.components.schemas)) expect(schema).toHaveProperty("type");
});

test("every route is described, and those behind a key say so", () => {
  for (const { path, method, access } of ROUTES) {
    const { security } = published.paths[path.replace("+}", "}")][method.toLowerCase()];
    expect(security).toEqual(access === "key" ? [{ apiKey: [] }] : []);
  }
});
