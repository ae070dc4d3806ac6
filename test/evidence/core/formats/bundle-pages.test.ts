// The pages of one conversation, put together into one bundle.
import { expect, test } from "vitest";
import { joinErasures, joinLayers } from "../../../../evidence/core/formats/bundle-pages.ts";
import type { Erasure } from "../../../../evidence/core/formats/erasure.ts";

const page = (turns: number) => ({ receipts: Array(turns).fill({}) });
const erasure: Erasure = { erased_at: "2026-11-22T10:00:00.000Z", erased_by: "officer", ground: "request" };
const [german, french] = [
  { jurisdiction: "DE", version: "1" },
  { jurisdiction: "FR", version: "1" },
];

test.each([
  ["no page", [], []],
  ["pages without any", [page(1), page(1)], []],
  ["one page with two", [{ ...page(1), policy_layers: [german, french] }], [german, french]],
  [
    "one layer on two pages, its members in another order",
    [
      { ...page(1), policy_layers: [german] },
      { ...page(1), policy_layers: [{ version: "1", jurisdiction: "DE" }, french] },
    ],
    [german, french],
  ],
  [
    "a page without one between two that have one",
    [{ ...page(1), policy_layers: [french] }, page(1), { ...page(1), policy_layers: [german] }],
    [french, german],
  ],
])("the layers of all pages come each once, in their order: %s", (_, pages, layers) => {
  expect(joinLayers(pages)).toEqual(layers);
});

test.each([
  ["no page", [], {}],
  ["pages without a list", [page(2), page(1)], {}],
  ["lists in which no turn was erased", [{ ...page(2), erasures: [null, null] }], {}],
  [
    "one turn of one page",
    [page(2), { ...page(2), erasures: [null, erasure] }, page(1)],
    { erasures: [null, null, null, erasure, null] },
  ],
  ["every turn", [{ ...page(1), erasures: [erasure] }], { erasures: [erasure] }],
])(
  "each turn of all pages has its erasure or null, and there is no list without one: %s",
  (_, pages, joined) => {
    expect(joinErasures(pages)).toEqual(joined);
  },
);
