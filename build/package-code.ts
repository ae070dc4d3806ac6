// The package's code, bundled with all that it needs but the CDK, for ES modules and for CommonJS.
import { join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";

const root = join(import.meta.dirname, "..");

const CONSTRUCT = { "lib/index": "lib/index.ts" };
const CLIENT = { "client/index": "clients/client/index.ts", "client/node": "clients/client/node.ts" };
const ADAPTERS = {
  "adapters/ai-sdk": "clients/adapters/ai-sdk.ts",
  "adapters/livekit": "clients/adapters/livekit.ts",
  "adapters/openai-realtime": "clients/adapters/openai-realtime.ts",
  "adapters/twilio": "clients/adapters/twilio.ts",
};
const VERIFIER = { "verify/index": "evidence/reader/index.ts" };
const POLICY = { "policy/index": "evidence/policy/package.ts" };
const COMMAND_LINE = { "cli/receipts": "bin/receipts.ts" };
/** The package's entries, by their path in dist/, and where each begins in the sources. */
export const ENTRIES = { ...CONSTRUCT, ...CLIENT, ...ADAPTERS, ...VERIFIER, ...POLICY };

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
const CJS = { format: "cjs", outExtension: { ".js": ".cjs" } } as const satisfies BuildOptions;
/** Parts are shared between entries, so that a class is one class, or loaded only where they are wanted. */
const inParts = (folder: string) =>
  ({ format: "esm", splitting: true, chunkNames: `${folder}/[name]-[hash]` }) as const satisfies BuildOptions;
/** CommonJS has no `import.meta`. */
const OWN_ADDRESS = {
  define: { "import.meta.url": "ownAddress" },
  banner: { js: 'const ownAddress = require("node:url").pathToFileURL(__filename).href;' },
};
const PEERS = ["aws-cdk-lib", "aws-cdk-lib/*", "constructs"];

/** Builds into `outdir`. Returns what went into each file. */
export async function packageCode(outdir: string): Promise<Metafile[]> {
  const node = { ...SHARED, outdir, platform: "node", external: PEERS } as const;
  const construct = { ...node, entryPoints: CONSTRUCT } as const;
  // The client's first entry must import nothing of Node's; a test follows its imports.
  const client = {
    ...SHARED,
    outdir,
    platform: "neutral" as const,
    external: ["node:*"],
    entryPoints: { ...CLIENT, ...ADAPTERS },
  } satisfies BuildOptions;
  const verifier = { ...client, entryPoints: VERIFIER, external: [] };
  const policy = { ...verifier, entryPoints: POLICY };
  const results = await Promise.all([
    build({ ...construct, format: "esm" }),
    build({ ...construct, ...CJS, ...OWN_ADDRESS }),
    build({ ...client, ...inParts("client") }),
    build({ ...client, ...CJS }),
    build({ ...verifier, format: "esm" }),
    build({ ...verifier, ...CJS }),
    build({ ...policy, format: "esm" }),
    build({ ...policy, ...CJS }),
    build({ ...node, entryPoints: COMMAND_LINE, ...inParts("cli") }),
  ]);
  return results.map(({ metafile }) => metafile);
}
