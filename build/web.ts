// `npm run web`: builds the verifier page into dist/web. One file holds all of it, so that it can be saved and opened
// from disk; beside it lie the headers to serve it with.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { FRAMING_POLICY, OPENER_POLICY, REFERRER_POLICY } from "../contract/page-headers.ts";
import { SHEET_STYLE } from "../reader/sheet/style.ts";

const SOURCE = new URL("../web/", import.meta.url);
const VECTORS = new URL("../test/vectors/evidence/", import.meta.url);
const TARGET = new URL("../dist/web/", import.meta.url);
/** Browsers of spring 2023, and Firefox of that autumn: they have everything that core and the page call. */
const BROWSERS = ["es2022", "chrome111", "firefox119", "safari16.4"];
/** The most bytes, gzipped, that a reader on a phone may be asked to load. */
const MAX_BYTES = 250_000;
const MINUTE_MS = 60_000;
/** The time of a receipt in its JSON. */
const ISSUED_AT = /(?<="issued_at": ")[^"]+/;
// zod would otherwise try to compile its schemas, which the page's policy forbids and the browser would report.
const NO_COMPILING = "globalThis.__zod_globalConfig={jitless:true};";

/** Two leaves and their root, as in the page's head. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M5 18 L12 6 L19 18" fill="none" stroke="#2b4a6f" stroke-width="2"/><g fill="#2b4a6f"><circle cx="5" cy="18" r="3.4"/><circle cx="19" cy="18" r="3.4"/><circle cx="12" cy="6" r="3.4"/></g></svg>`;

interface SampleSource {
  readonly name: string;
  readonly text: string;
}

interface BundledPart {
  readonly text: string;
  readonly metafile: Metafile;
}

async function bundle(entry: string, banner: Record<string, string> = {}): Promise<BundledPart> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(entry, SOURCE))],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "iife",
    target: BROWSERS,
    charset: "utf8",
    legalComments: "eof",
    banner,
  });
  return { text: outputFiles[0]?.text.trim() ?? "", metafile };
}

/** CSP names an inline script or style by the hash of its exact text. */
const sourceOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Nothing but this script, this style, its own worker, and the page's own origin. Trusted Types turn off every way of
 * making markup or code from text, except for the worker's address.
 */
const policyFor = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "worker-src blob:",
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types worker",
  ].join("; ");

/** Examples for a visitor without a receipt, and all that they are checked with: no service could be asked. */
function buildSamples(): Readonly<Record<"good" | "forged", readonly SampleSource[]>> {
  const read = (vector: string): string => readFileSync(new URL(vector, VECTORS), "utf8");
  const receipt = read("receipts/reminder.json");
  // The commonest of forgeries: the notice would have come a minute earlier.
  const forged = receipt.replace(ISSUED_AT, (time) => new Date(Date.parse(time) - MINUTE_MS).toISOString());
  const companions = [
    { name: "published-root-1.json", text: read("seals/1.json") },
    { name: "timestamp-authority.pem", text: read("authorities/service.pem") },
  ];
  return {
    good: [{ name: "example-receipt.json", text: receipt }, ...companions],
    forged: [{ name: "forged-receipt.json", text: forged }, ...companions],
  };
}

/** As data, which no browser runs; `<` is escaped, so that no text in it ends the element. */
const samplesElement = (): string =>
  `<script type="application/json" id="samples">${JSON.stringify(buildSamples()).replaceAll("<", "\\u003c")}</script>`;

function programName(): string {
  const { name, version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return `${name} ${version}, verifier page`;
}

const headersFor = (policy: string): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `${policy}; ${FRAMING_POLICY}`,
  "x-content-type-options": "nosniff",
  "referrer-policy": REFERRER_POLICY,
  "cross-origin-opener-policy": OPENER_POLICY,
  "cache-control": "no-cache",
});

function fill(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replaceAll(/<!-- (\w+) -->/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`index.html asks for ${name}`);
    return part;
  });
}

/** Builds the page. Returns what went into it. */
export async function buildPage(): Promise<Metafile[]> {
  const parts = await Promise.all([bundle("main.ts", { js: NO_COMPILING }), bundle("style.css")]);
  const [{ text: script }, { text: pageStyle }] = parts;
  const style = pageStyle + SHEET_STYLE;
  const policy = policyFor(script, style);
  const template = readFileSync(new URL("index.html", SOURCE), "utf8");
  const page = fill(template, {
    policy,
    program: programName(),
    icon: `data:image/svg+xml,${encodeURIComponent(ICON)}`,
    samples: samplesElement(),
    style: `<style>${style}</style>`,
    script: `<script>${script}</script>`,
  });
  mkdirSync(TARGET, { recursive: true });
  writeFileSync(new URL("index.html", TARGET), page);
  writeFileSync(new URL("headers.json", TARGET), `${JSON.stringify(headersFor(policy), null, 2)}\n`);
  const size = gzipSync(page).length;
  // Standard error, since `npm pack --json` keeps standard output for its own.
  console.error(`dist/web/index.html: ${page.length} bytes, ${size} gzipped`);
  if (size > MAX_BYTES) throw new Error(`the page has more than ${MAX_BYTES} bytes gzipped`);
  return parts.map(({ metafile }) => metafile);
}

if (import.meta.main) await buildPage();
