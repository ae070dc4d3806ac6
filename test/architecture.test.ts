// The architecture, checked on every source: the arrows between the folders, and one meaning for each name of a type. What
// biome.jsonc can say (circles, purity, lengths) is there.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ARROWS, arrowsOf, isAllowed } from "./support/arrows.ts";
import { filesIn, importsOf, readSource, sourceFolders, typesOf } from "./support/sources.ts";

const folders = sourceFolders();

describe("the folders", () => {
  test.each(folders)("%s imports only what its arrows allow", (folder) => {
    const forbidden = filesIn(folder).flatMap((file) =>
      importsOf(readSource(file))
        .filter((imported) => !isAllowed(file, imported))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(forbidden).toEqual([]);
  });

  test("have arrows for every file", () => {
    expect(folders.flatMap(filesIn).filter((file) => arrowsOf(file) === undefined)).toEqual([]);
  });

  test("of every rule are in the tree, so that no rule holds for nothing", () => {
    const files = folders.flatMap(filesIn);
    const unused = Object.keys(ARROWS).filter((scope) => !files.some((file) => file.startsWith(scope)));
    expect(unused).toEqual([]);
    const includes = [...readFileSync("biome.jsonc", "utf8").matchAll(/^ {6}"includes": (.*),$/gm)];
    const patterns = includes.flatMap(([, list = ""]) => JSON.parse(list) as string[]);
    expect(patterns.length).toBeGreaterThan(4);
    expect(patterns.filter((pattern) => globSync(pattern).length === 0)).toEqual([]);
  });
});

test("the name of a type is declared in one file alone", () => {
  const declarations = folders
    .flatMap(filesIn)
    .flatMap((file) => [...new Set(typesOf(readSource(file)))].map((name) => ({ name, file })));
  const repeated = [...Map.groupBy(declarations, ({ name }) => name)].filter(
    ([, places]) => places.length > 1,
  );
  expect(repeated.map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(", ")}`)).toEqual(
    [],
  );
});

describe("this test", () => {
  test.each([
    ["contract/routes.ts", "../evidence/core/errors.ts"],
    ["evidence/core/formats/receipt.ts", "node:crypto"],
    ["evidence/core/formats/receipt.ts", "zodiac"],
    ["evidence/core/formats/receipt.ts", "(computed)"],
    ["evidence/core/formats/receipt.ts", "../verify/verify-receipt.ts"],
    ["evidence/core/formats/receipt.ts", "../../../elsewhere/core/formats/receipt.ts"],
    ["evidence/core/bytes.ts", "./merkle/hash.ts"],
    ["evidence/core/merkle/hash.ts", "./sha256-node.ts"],
    ["core/other/file.ts", "./neighbour.ts"],
    ["service/ledger/log.ts", "../sealing/sealer.ts"],
    ["service/seals/seal-item.ts", "../log/log-tiles.ts"],
    ["service/log/log-tiles.ts", "../sealing/sealer.ts"],
    ["tools/cli/commands/verify.ts", "../admin/target.ts"],
    ["lib/evidence/roots.ts", "../front/front.ts"],
    ["clients/client/index.ts", "./queue/durable-queue.ts"],
    ["lib/attestation-service.ts", "../service/environment.ts"],
    ["other/file.ts", "zod"],
  ])("refuses that %s imports %s", (file, imported) => {
    expect(isAllowed(file, imported)).toBe(false);
  });

  test.each([
    ["evidence/core/bytes.ts", "./errors.ts"],
    ["evidence/core/formats/receipt.ts", "../merkle/hash.ts"],
    ["evidence/core/merkle/hash.ts", "#sha256"],
    ["evidence/core/merkle/sha256.ts", "@noble/hashes/sha2.js"],
    ["service/ledger/macs.ts", "@aws-sdk/client-kms"],
    ["host/local/handlers.ts", "../../lambdas/"],
    ["tools/cli/command-list.ts", "./admin/admin.ts"],
    ["clients/client/queue/journal.ts", "node:fs/promises"],
  ])("allows that %s imports %s", (file, imported) => {
    expect(isAllowed(file, imported)).toBe(true);
  });

  test.each([
    ['import a from "./x.json" with { type: "json" };', "./x.json"],
    ['import {\n  a,\n  type B,\n} from "x";', "x"],
    ['import "x";', "x"],
    ['export * from "x";', "x"],
    ['type A = import("x").A;', "x"],
    [`const a = await import(\`./x/\${name}.ts\`);`, "./x/"],
    ["const a = await import(name);", "(computed)"],
  ])("sees the import in %j", (source, imported) => {
    expect(importsOf(`// import "y";\n${source}\nconst b = 'from "z"';\n`)).toEqual([imported]);
  });
});
