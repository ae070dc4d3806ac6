// `npm run web`: builds the verifier page, the status page and the console's page into dist/web. One file holds all of a page, so that it can
// be saved and opened from disk; beside it lie the headers to serve it with.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { FRAMING_POLICY, OPENER_POLICY, REFERRER_POLICY } from "../contract/page-headers.ts";
import { MINUTE_MS } from "../contract/time.ts";
import { SHEET_STYLE } from "../evidence/reader/sheet/style.ts";

const SOURCE = new URL("../tools/web/", import.meta.url);
const VECTORS = new URL("../test/vectors/evidence/", import.meta.url);
const TARGET = new URL("../dist/web/", import.meta.url);
/** Browsers of spring 2023, and Firefox of that autumn: they have everything that core and the page call. */
const BROWSERS = ["es2022", "chrome111", "firefox119", "safari16.4"];
/** The most bytes, gzipped, that a reader on a phone may be asked to load. */
const MAX_BYTES = 250_000;
/** The time of a receipt in its JSON. */
const ISSUED_AT = /(?<="issued_at": ")[^"]+/;

/** Two leaves and their root, as in the pages' head, on light and on dark. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:none;stroke:#2b4a6f;stroke-width:2}circle{fill:#2b4a6f}@media(prefers-color-scheme:dark){path{stroke:#9dbce0}circle{fill:#9dbce0}}</style><path d="M5 18 L12 6 L19 18"/><circle cx="5" cy="18" r="3.4"/><circle cx="19" cy="18" r="3.4"/><circle cx="12" cy="6" r="3.4"/></svg>\n`;

/** A page: its sources, the files that it becomes, and what it may do beyond running its own script. */
interface PageSource {
  readonly title: string;
  readonly template: string;
  readonly script: string;
  readonly style: string;
  /** Style that has no file in tools/web/. */
  readonly moreStyle: string;
  readonly headers: string;
  /** Directives of its policy. */
  readonly allowed: readonly string[];
  readonly samples: () => string;
}

const VERIFIER: PageSource = {
  title: "verifier page",
  template: "index.html",
  script: "main.ts",
  style: "style.css",
  moreStyle: SHEET_STYLE,
  headers: "headers.json",
  // Its own worker, whose address is the one thing that Trusted Types let become code.
  allowed: ["worker-src blob:", "trusted-types worker"],
  samples: samplesElement,
};

const STATUS: PageSource = {
  title: "status page",
  template: "status.html",
  script: "status-page.ts",
  style: "status.css",
  moreStyle: "",
  headers: "status.headers.json",
  allowed: ["trusted-types 'none'"],
  samples: () => "",
};

const CONSOLE: PageSource = {
  title: "console",
  template: "console.html",
  script: "console-page.ts",
  style: "console.css",
  moreStyle: "",
  headers: "console.headers.json",
  allowed: ["trusted-types 'none'"],
  samples: () => "",
};

interface SampleSource {
  readonly name: string;
  readonly text: string;
  readonly as?: string;
}

interface BundledPart {
  readonly text: string;
  readonly metafile: Metafile;
}

/** The text of a script, built as those of the pages are. */
export const buildScript = async (entry: URL): Promise<string> => (await bundleScript(entry)).text;

// zod would otherwise try to compile its schemas, which the page's policy forbids and the browser would report.
const bundleScript = (entry: URL): Promise<BundledPart> =>
  bundle(entry, { js: "globalThis.__zod_globalConfig={jitless:true};" });

async function bundle(entry: URL, banner: Record<string, string> = {}): Promise<BundledPart> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(entry)],
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
 * Nothing but this script, this style, and the page's own origin. Trusted Types turn off every way of making markup or
 * code from text, but for what is allowed.
 */
const policyFor = (script: string, style: string, allowed: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    ...allowed,
  ].join("; ");

/** Examples for a visitor without a receipt, and all that they are checked with: no service could be asked. */
function buildSamples(): Readonly<Record<"good" | "forged", readonly SampleSource[]>> {
  const read = (vector: string): string => readFileSync(new URL(vector, VECTORS), "utf8");
  const receipt = read("receipts/reminder.json");
  // The commonest of forgeries: the notice would have come a minute earlier.
  const forged = receipt.replace(ISSUED_AT, (time) => new Date(Date.parse(time) - MINUTE_MS).toISOString());
  const companions = [
    { name: "published-root-1.json", text: read("seals/1.json"), as: "seal" },
    { name: "wording-policy-layer.json", text: JSON.stringify(JSON.parse(read("layers/service.json"))) },
    { name: "timestamp-authority.pem", text: read("authorities/service.pem") },
  ];
  return {
    good: [{ name: "example-receipt.json", text: receipt }, ...companions],
    forged: [{ name: "forged-receipt.json", text: forged }, ...companions],
  };
}

/** As data, which no browser runs; `<` is escaped, so that no text in it ends the element. */
function samplesElement(): string {
  const json = JSON.stringify(buildSamples()).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="samples">${json}</script>`;
}

function programName(title: string): string {
  const { name, version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return `${name} ${version}, ${title}`;
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
    if (part === undefined) throw new Error(`a template asks for ${name}`);
    return part;
  });
}

/** Builds the pages and their icon. Returns what went into them. */
export async function buildPages(): Promise<Metafile[]> {
  mkdirSync(TARGET, { recursive: true });
  replaceFile("favicon.svg", ICON);
  return [...(await buildPage(VERIFIER)), ...(await buildPage(STATUS)), ...(await buildPage(CONSOLE))];
}

async function buildPage({ title, template, moreStyle, headers, allowed, ...source }: PageSource) {
  const entries = [
    bundleScript(new URL(source.script, SOURCE)),
    bundle(new URL(source.style, SOURCE)),
  ] as const;
  const parts = await Promise.all(entries);
  const [{ text: script }, { text: pageStyle }] = parts;
  const style = pageStyle + moreStyle;
  const policy = policyFor(script, style, allowed);
  const page = fill(readFileSync(new URL(template, SOURCE), "utf8"), {
    policy,
    program: programName(title),
    icon: `data:image/svg+xml,${encodeURIComponent(ICON.trim())}`,
    samples: source.samples(),
    style: `<style>${style}</style>`,
    script: `<script>${script}</script>`,
  });
  // Where there is a page, there are its headers.
  replaceFile(headers, `${JSON.stringify(headersFor(policy), null, 2)}\n`);
  replaceFile(template, page);
  const size = gzipSync(page).length;
  if (size > MAX_BYTES) throw new Error(`the ${title} has ${size} bytes gzipped, more than ${MAX_BYTES}`);
  return parts.map(({ metafile }) => metafile);
}

/** In one step, since a stack may start from these files meanwhile. */
function replaceFile(name: string, text: string): void {
  const whole = new URL(`${name}.${process.pid}`, TARGET);
  writeFileSync(whole, text);
  renameSync(whole, new URL(name, TARGET));
}

if (import.meta.main) await buildPages();
