// The OpenAPI document: current, whole, and of every route.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROUTES } from "../../contract/routes.ts";
import { buildOpenApi } from "../../lambdas/api/openapi-document.ts";
import { OPERATIONS } from "../../lambdas/api/operations.ts";

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

test.each(Object.entries(OPERATIONS))("the examples of %s are as its schemas say", (_handler, operation) => {
  for (const content of [operation.body, operation.answer])
    if (content?.schema !== undefined)
      expect(content.schema.safeParse(content.example).error).toBeUndefined();
  for (const { schema, example } of operation.parameters ?? [])
    expect(schema.safeParse(example).error).toBeUndefined();
});

test("every call has a name, a description, and for each refusal an example of the problem", () => {
  const calls = Object.values(published.paths).flatMap((path) => Object.values(path as object));
  expect(new Set(calls.map(({ operationId }) => operationId)).size).toBe(calls.length);
  for (const { description, responses, tags } of calls) {
    expect([description.length > 20, tags.length]).toEqual([true, 1]);
    for (const [status, response] of Object.entries(responses).filter(([status]) => status >= "400")) {
      const examples = examplesIn(response as Answer);
      expect(examples.length).toBeGreaterThan(0);
      for (const { value } of examples) expect(value).toMatchObject({ status: Number(status) });
    }
  }
});

interface Answer {
  readonly content: Record<string, { readonly examples?: Record<string, { readonly value: object }> }>;
}

const examplesIn = ({ content }: Answer) =>
  Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
