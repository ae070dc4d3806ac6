// `npm run bundle`: everything that a deployment uploads, into dist/. Each handler and each server becomes one CommonJS
// file, so that whoever deploys needs neither these sources nor a bundler.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { ICON_FILE, OPENAPI_PATH, PAGE_FILE, STATUS_PAGE_FILE } from "../contract/public-paths.ts";
import { HANDLERS } from "../contract/routes.ts";
import { WEB_SERVERS } from "../contract/web-runtime.ts";
import { buildOpenApi } from "../lambdas/api/openapi-document.ts";

const root = join(import.meta.dirname, "..");
const runtimeFile = (name: string): string => join(import.meta.dirname, "lambda-runtime", name);
const EVENT_STREAMS = runtimeFile("event-streams.ts");

/**
 * Builds into `folder`, in place of what was there: lambda/<handler>/index.js, host/server/<name>/index.js, site/ and
 * trust-anchors/. Returns what went in.
 */
export async function bundle(folder: string): Promise<Metafile[]> {
  for (const stale of ["lambda", "server", "site", "trust-anchors"]) {
    rmSync(join(folder, stale), { recursive: true, force: true });
  }
  cpSync(join(root, "lib", "trust-anchors"), join(folder, "trust-anchors"), { recursive: true });
  gatherSite(join(folder, "site"));
  return [await bundleHandlers(join(folder, "lambda")), await bundleServers(join(folder, "server"))];
}

/** The static files, under the paths by which the public reads them. */
function gatherSite(folder: string): void {
  mkdirSync(dirname(join(folder, OPENAPI_PATH)), { recursive: true });
  writeFileSync(join(folder, OPENAPI_PATH), JSON.stringify(buildOpenApi()));
  for (const [name, path] of PAGES) {
    const built = join(root, "dist", "web", name);
    if (existsSync(built)) cpSync(built, join(folder, path));
  }
}

/** The files that `npm run web` builds, if it ran, under the paths by which the public finds them. */
const PAGES = [
  ["index.html", PAGE_FILE],
  ["status.html", STATUS_PAGE_FILE],
  ["favicon.svg", ICON_FILE],
] as const;

const bundleHandlers = (outdir: string): Promise<Metafile> =>
  bundlePrograms({
    entryPoints: HANDLERS.map((name) => ({ in: `lambdas/${name}.ts`, out: `${name}/index` })),
    outdir,
    alias: {
      "@aws-sdk/credential-provider-node": runtimeFile("credentials.ts"),
      "@smithy/core/event-streams": EVENT_STREAMS,
    },
  });

const bundleServers = (outdir: string): Promise<Metafile> =>
  bundlePrograms({
    entryPoints: WEB_SERVERS.map((name) => ({ in: `host/server/${name}-server.ts`, out: `${name}/index` })),
    outdir,
    // CommonJS has no import.meta. A server finds the files that are deployed with it next to itself.
    define: { "import.meta.dirname": "__dirname" },
    // A server runs in containers and on machines, too, which have their credentials from elsewhere than the environment.
    alias: { "@smithy/core/event-streams": EVENT_STREAMS },
  });

async function bundlePrograms(options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    ...options,
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    minify: true,
    legalComments: "none",
    platform: "node",
    target: "node24",
    // CommonJS loads faster than ES modules in Lambda; the packages' own ES modules shake better than their CommonJS.
    format: "cjs",
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
  return metafile;
}

if (import.meta.main) {
  await bundle(join(root, "dist"));
  console.log(`dist/ holds ${HANDLERS.length} handlers and ${WEB_SERVERS.length} servers`);
}
