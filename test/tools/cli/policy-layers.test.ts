// Wording policy layers that a reader gives to `verify`, and texts that are compared with wordings that have gaps.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LAYERS_FOLDER, layerPath } from "../../../contract/policy-paths.ts";
import { type Ended, fileWith, newFolder, readJson, receipts, vector } from "./command-line.ts";

const ALLOW = vector("policy/allow.json");
const OWN = vector("policy/allow-own.json");
const TEMPLATE = vector("policy/allow-template.json");
const EXAMPLE = vector("layers/example.json");
const EFFECTIVE = vector("layers/effective.json");
const FORGED = vector("policy/forged-verdict.json");
const FILLED = "Guten Tag, hier ist die künstliche Intelligenz von Praxis Beispiel.";

interface Report {
  readonly files: readonly {
    readonly checks: readonly { name: string; ok: boolean | null; detail: string }[];
  }[];
  readonly stray: readonly object[];
}

const reportOf = ({ stdout }: Ended): Report => JSON.parse(stdout) as Report;
const policyIn = (ended: Ended) =>
  reportOf(ended).files.flatMap(({ checks }) => checks.filter(({ name }) => name === "policy"));

describe.concurrent("the verdict of a receipt is computed again from a layer", () => {
  test.each([
    ["of --layer", [ALLOW, "--layer", EXAMPLE]],
    ["among the files", [ALLOW, EXAMPLE]],
    ["that its bundle carries", [vector("policy/bundle-carried.json")]],
  ])("%s", async (_, args) => {
    const ended = await receipts("verify", ...args, "--json");
    expect(ended.status).toBe(0);
    expect(policyIn(ended).map(({ ok }) => ok)).not.toContain(null);
    expect(reportOf(ended).stray).toEqual([]);
  });

  test("that lies in the folder of a mirror, under its digest", async () => {
    const folder = newFolder();
    const { policy } = readJson<{ receipts: { policy: { digest: string } }[] }>(ALLOW).receipts[0] ?? {};
    mkdirSync(join(folder, LAYERS_FOLDER), { recursive: true });
    mkdirSync(join(folder, "v1/metachain"), { recursive: true });
    copyFileSync(EXAMPLE, join(folder, layerPath(policy?.digest ?? "")));
    const [check] = policyIn(await receipts("verify", ALLOW, "--metachain", folder, "--json"));
    expect(check).toMatchObject({ ok: true, detail: "the layer DE 2026-11-01.1 gives ALLOW" });
    copyFileSync(ALLOW, join(folder, "allow.json"));
    expect(policyIn(await receipts("verify", folder, "--json"))).toMatchObject([{ ok: true }]);
  });

  test("and the report says so, with the wording by its id and text", async () => {
    const { stdout } = await receipts("verify", ALLOW, "--layer", EXAMPLE);
    expect(stdout).toContain("wording, remarks and classification are the same.");
    expect(stdout).toContain(
      "Wording de-greeting: “Guten Tag, Sie sprechen mit einer künstlichen Intelligenz.”",
    );
    expect((await receipts("verify", ALLOW, "--layer", EXAMPLE, "--lang", "de")).stdout).toContain(
      "Wortlaut, Anmerkungen und Einstufung sind dieselben.",
    );
  });

  test("of a tenant, whose own wording is named with who approved it and what was filled", async () => {
    const { stdout } = await receipts("verify", OWN, "--layer", EFFECTIVE);
    expect(stdout).toContain(
      "Wording own-greeting: A wording that a customer of the service registered, approved as it says by: Head of customer service.",
    );
    expect(stdout).toContain(
      "As it says, it is the wording de-template with its gap filled: “Guten Tag, hier ist",
    );
  });

  test("and a lie about it refutes the receipt, with status 1", async () => {
    const { status, stdout } = await receipts("verify", FORGED, "--layer", EXAMPLE);
    expect(status).toBe(1);
    expect(stdout).toContain("The list of wordings that the receipt names gives another classification.");
    expect(stdout).toContain('verdict is "ALLOW" in the receipt, but the layer gives "BLOCK"');
  });
});

describe.concurrent("without its layer a receipt", () => {
  test("holds so far, and the reader is told what to add", async () => {
    const { status, stdout } = await receipts("verify", OWN);
    expect([status, stdout]).toEqual([0, expect.stringContaining("--layer FILE")]);
    expect((await receipts("verify", OWN, "--strict")).status).toBe(3);
  });

  test("is not at fault where another layer was given, which is named, with status 3", async () => {
    const { status, stdout } = await receipts("verify", OWN, "--layer", EXAMPLE);
    expect(status).toBe(3);
    expect(stdout).toContain(`${EXAMPLE} (list of wordings): another one than the receipts here name.`);
  });

  test("is not at fault where its mirror has other bytes, and the mirror is named", async () => {
    const folder = newFolder();
    const { policy } = readJson<{ receipts: { policy: { digest: string } }[] }>(OWN).receipts[0] ?? {};
    mkdirSync(join(folder, LAYERS_FOLDER), { recursive: true });
    copyFileSync(EXAMPLE, join(folder, layerPath(policy?.digest ?? "")));
    const [check] = policyIn(await receipts("verify", OWN, "--metachain", folder, "--json"));
    expect(check).toMatchObject({
      ok: null,
      detail: expect.stringContaining(`${folder} publishes other bytes`),
    });
  });
});

describe.concurrent("a layer that no receipt names", () => {
  const SENTENCE = `${EFFECTIVE} (list of wordings): another one than the receipts here name.`;

  test.each([
    ["of --layer", [ALLOW, "--layer", EXAMPLE, "--layer", EFFECTIVE]],
    ["among the files", [ALLOW, EXAMPLE, EFFECTIVE]],
    ["next to a bundle that carries its own", [vector("policy/bundle-carried.json"), "--layer", EFFECTIVE]],
    ["next to a published root", [vector("seals/1.json"), "--layer", EFFECTIVE]],
  ])("is told with status 3: %s", async (_, args) => {
    const { status, stdout } = await receipts("verify", ...args);
    expect([status, stdout]).toEqual([3, expect.stringContaining(SENTENCE)]);
  });

  test("is one of many where it came in a folder, and needs no word", async () => {
    const folder = newFolder();
    for (const [i, file] of [ALLOW, EXAMPLE, EFFECTIVE].entries())
      copyFileSync(file, join(folder, `${i}.json`));
    const { status, stdout } = await receipts("verify", folder);
    expect([status, stdout]).toEqual([0, expect.not.stringContaining("is not the one that")]);
  });
});

test("a file that is no layer is refused by name", async () => {
  const { status, stderr } = await receipts("verify", ALLOW, "--layer", OWN);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`--layer ${OWN}: expected a wording policy layer`),
  ]);
  const broken = fileWith('{"wordings":7}');
  expect((await receipts("verify", ALLOW, "--layer", broken)).status).toBe(2);
});

describe.concurrent("a text with a filled gap", () => {
  test("is recognised as the wording that the receipt names with the gap", async () => {
    const { status, stdout } = await receipts("verify", TEMPLATE, "--layer", EXAMPLE, "--wording", FILLED);
    expect(status).toBe(0);
    expect(stdout).toContain("This is the text of the wording de-template (");
  });

  test("is another text where the receipt names another wording", async () => {
    const { status, stdout } = await receipts("verify", ALLOW, "--layer", EXAMPLE, "--wording", FILLED);
    expect([status, stdout]).toEqual([
      3,
      expect.stringContaining("This is not the text whose digest is recorded."),
    ]);
  });
});

test("the sheet names the layer by its digest, and the wording", async () => {
  const file = join(newFolder(), "sheet.html");
  await receipts("sheet", ALLOW, "--layer", EXAMPLE, "-o", file);
  const sheet = readFileSync(file, "utf8");
  const { policy } = readJson<{ receipts: { policy: { digest: string } }[] }>(ALLOW).receipts[0] ?? {};
  expect(sheet).toContain(policy?.digest.slice(-16));
  expect(sheet).toContain("de-greeting");
});
