// `npm run local`: builds what `npm start` runs into dist/: the local stack, and the thread of its engine. Node would strip
// the types of each source as it loads it, and what it needs for that, once in each thread, takes 35 MB until the end.
import { join } from "node:path";
import { build } from "esbuild";

/** Programs by their names below dist/. A thread lies as far from its program as in the sources. */
const PROGRAMS = { local: "bin/local.ts", "dynamodb/worker": "host/local/dynamodb/worker.ts" };

export async function buildLocal(): Promise<void> {
  await build({
    absWorkingDir: join(import.meta.dirname, ".."),
    entryPoints: PROGRAMS,
    outdir: "dist",
    bundle: true,
    packages: "external",
    platform: "node",
    target: "node24",
    format: "esm",
    logLevel: "warning",
  });
}

if (import.meta.main) await buildLocal();
