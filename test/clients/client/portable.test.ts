// That the client's entry runs without Node, and Node's entry holds all of it.
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import * as portable from "../../../clients/client/index.ts";
import * as onNode from "../../../clients/client/node.ts";
import { readBytes } from "../../support/vector-files.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const IMPORT = /^\s*(?:import|export)\s(?!type\s)(?:[^"'`;]*?\sfrom\s*)?["']([^"']+)["']/gm;
/** The parts of the web platform that the client is made of. */
const WEB = {
  AbortController,
  Headers,
  TextDecoder,
  TextEncoder,
  URL,
  atob,
  btoa,
  clearTimeout,
  crypto,
  performance,
  setTimeout,
};
const text = (file: string): string => new TextDecoder().decode(readBytes(file));
const COMMENT = /^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The files of `#` names, where Node is not. */
const { imports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly imports: Readonly<Record<string, { readonly default: string }>>;
};

/** Every module that a file leads to, by what names it; our own by their path. */
function graphOf(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const source = readFileSync(join(ROOT, file), "utf8").replaceAll(COMMENT, "");
  found.set(file, source);
  for (const [, name = ""] of source.matchAll(IMPORT)) {
    const portable = imports[name]?.default;
    if (portable !== undefined) graphOf(join(portable), found);
    else if (name.startsWith(".")) graphOf(join(dirname(file), name), found);
    else found.set(name, "");
  }
  return found;
}

const packageOf = (name: string): string | undefined => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0];

describe("clients/client/index.ts", () => {
  const graph = graphOf("clients/client/index.ts");
  const names = [...graph.keys()];

  test("leads to all of the client but its queue, to core, and to three packages that run anywhere", () => {
    const packages = names
      .filter((name) => !/^(?:clients\/client|evidence\/core|contract)\//.test(name))
      .map(packageOf);
    expect([...new Set(packages)].sort()).toEqual(["@noble/hashes", "canonicalize", "zod"]);
    expect(names).toContain("evidence/core/verify/verify-receipt.ts");
    expect(names.filter((name) => /^clients\/client\/queue\//.test(name))).toEqual([]);
  });

  test("leads to no module of Node and no AWS SDK", () => {
    expect(names.filter((name) => isBuiltin(name) || name.startsWith("@aws-sdk"))).toEqual([]);
  });

  test("runs where there is nothing but the language and what every runtime with fetch has", async () => {
    const { outputFiles } = await build({
      stdin: { contents: 'export * from "./clients/client/index.ts";', resolveDir: ROOT },
      bundle: true,
      write: false,
      platform: "neutral",
      mainFields: ["module", "main"],
      format: "iife",
      globalName: "client",
    });
    const context = createContext({ ...WEB });
    runInContext(outputFiles.map(({ text }) => text).join(""), context);
    const { DisclosureClient, hashWordingText } = context.client as typeof portable;
    const fetch = async () => new Response(text("receipts/greeting-pending.json"));
    const trustAnchors = text("authorities/service.pem");
    const client = new DisclosureClient({
      baseUrl: "https://receipts.example",
      apiKey: "k",
      trustAnchors,
      fetch,
    });
    const receipt = await client.attest(JSON.parse(text("requests/greeting.json")));
    expect(receipt).toEqual(JSON.parse(text("receipts/greeting-pending.json")));
    expect(hashWordingText("ü")).toBe(portable.hashWordingText("ü"));
    await expect(client.report("of another")).rejects.toMatchObject({ code: "receipt_invalid" });
  });
});

test("docs/client.md says the size of the client, to some percent", async () => {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "clients/client/index.ts")],
    bundle: true,
    write: false,
    minify: true,
    platform: "browser",
    format: "esm",
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  const page = readFileSync(join(ROOT, "docs/client.md"), "utf8");
  const [, minified, zipped] = /Minified it is (\d+) KB\s\((\d+) KB with gzip\)/.exec(page) ?? [];
  for (const [size, said] of [
    [contents.length, minified],
    [gzipSync(contents).length, zipped],
  ] as const)
    expect(Math.abs(size / 1_000 / Number(said) - 1)).toBeLessThan(0.05);
});

describe("clients/client/node.ts", () => {
  test("has everything of clients/client/index.ts, the very same, and the queue", () => {
    for (const [name, value] of Object.entries(portable)) expect(onNode).toHaveProperty(name, value);
    expect(Object.keys(onNode).sort()).toEqual([...Object.keys(portable), "DurableQueue"].sort());
  });

  test("leads to modules of Node, so that the test above can see them", () => {
    const builtin = [...graphOf("clients/client/node.ts").keys()].filter((name) => isBuiltin(name));
    expect(builtin).toContain("node:fs/promises");
  });
});
