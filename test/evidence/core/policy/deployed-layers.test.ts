// The layers of a deployment: its own files in the place of those that ship, and messages that name the file.
import { expect, test } from "vitest";
import { deployedLayers } from "../../../../evidence/core/policy/deployed-layers.ts";
import { policyLayers } from "../../../../evidence/policy/index.ts";

const [AT, DE] = ["AT", "DE"].map((code) => policyLayers.find(({ jurisdiction }) => jurisdiction === code));
const FR = { ...AT, jurisdiction: "FR" };

const codes = (layers: readonly { jurisdiction: string }[]) => layers.map(({ jurisdiction }) => jurisdiction);

test("without files, a deployment has the layers that ship", () => {
  expect(deployedLayers(policyLayers, [])).toEqual(policyLayers);
});

test("a file takes the place of its jurisdiction's layer, and one of another jurisdiction is added in order", () => {
  const own = { ...DE, version: "2027-01-31.1" };
  const layers = deployedLayers(policyLayers, [
    { name: "fr.json", data: FR },
    { name: "de.json", data: own },
  ]);
  expect(codes(layers)).toEqual(["AT", "BE", "DE", "FR", "NL"]);
  expect(layers[2]).toEqual(own);
});

test.each([
  ["a layer that is none", { ...DE, wordings: "none" }, /^de\.json is no wording policy layer: wordings: /],
  ["a status that there is not", { ...DE, status: "ready" }, /^de\.json is no .*: status: /],
  ["an unknown member", { ...DE, comment: "" }, /^de\.json is no .*comment/],
  [
    "an active layer without wordings",
    { ...AT, status: "active" },
    /^de\.json is no .*: an active layer has no wording$/,
  ],
  ["text", "DE", /^de\.json is no wording policy layer: /],
])("%s is refused in one line that names the file and the fault", (_what, data, message) => {
  expect(() => deployedLayers([], [{ name: "de.json", data }])).toThrowError(
    expect.objectContaining({ code: "misconfigured", message: expect.stringMatching(message) }),
  );
});

test("two files of one jurisdiction are refused, and both are named", () => {
  const files = ["one.json", "two.json"].map((name) => ({ name, data: FR }));
  expect(() => deployedLayers([], files)).toThrowError(/^two\.json and one\.json are both layers of FR; /);
});

test("a layer that would not fit one item of the table is refused", () => {
  const notes = Array.from({ length: 300 }, () => "x".repeat(1_000));
  const data = { ...FR, legal_reference: { ...AT?.legal_reference, notes } };
  expect(() => deployedLayers([], [{ name: "fr.json", data }])).toThrowError(/longer than 200000 bytes$/);
});
