// The package's code: each entry in one file for ES modules and one for CommonJS, with all that it needs but the CDK.
import { join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";

const root = join(import.meta.dirname, "..");

/** What can be imported, by its path in dist/, and where it begins in the sources. */
export const ENTRIES = {
  "lib/index": "lib/index.ts",
  "client/index": "client/index.ts",
  "client/node": "client/durable-queue.ts",
} as const;
const COMMAND_LINE = { "cli/receipts": "bin/receipts.ts" };

const SHARED = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  target: "node22.18",
  mainFields: ["module", "main"],
  // Their licences go into THIRD-PARTY-LICENSES, whole.
  legalComments: "none",
  logLevel: "warning",
} as const satisfies BuildOptions;
/** CommonJS has no `import.meta`. */
const OWN_ADDRESS = {
  define: { "import.meta.url": "ownAddress" },
  banner: { js: 'const ownAddress = require("node:url").pathToFileURL(__filename).href;' },
};
const PEERS = ["aws-cdk-lib", "aws-cdk-lib/*", "constructs"];

/** Builds into `outdir`. Returns what went into each file. */
export async function packageCode(outdir: string): Promise<Metafile[]> {
  const node = { ...SHARED, outdir, platform: "node", external: PEERS } as const;
  const { "client/index": client, ...onNode } = ENTRIES;
  // The client must do without Node; building it for none fails where it would not.
  const anywhere = {
    ...SHARED,
    outdir,
    platform: "neutral",
    entryPoints: { "client/index": client },
  } as const;
  const cjs = { format: "cjs", outExtension: { ".js": ".cjs" } } as const;
  const results = await Promise.all([
    build({ ...node, entryPoints: onNode, format: "esm" }),
    build({ ...node, entryPoints: onNode, ...cjs, ...OWN_ADDRESS }),
    build({ ...anywhere, format: "esm" }),
    build({ ...anywhere, ...cjs }),
    build({
      ...node,
      entryPoints: COMMAND_LINE,
      format: "esm",
      splitting: true,
      chunkNames: "cli/[name]-[hash]",
    }),
  ]);
  return results.map(({ metafile }) => metafile);
}
