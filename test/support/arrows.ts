// The arrows between the folders: which files may import which.
import { targetOf } from "./sources.ts";

/**
 * The modules that the files of a folder may import. A name that ends in a slash means a folder with all its folders,
 * one that ends in a star the files of a folder alone, any other one file. Of packages, a name covers what is below it.
 */
interface Arrows {
  readonly ours: readonly string[];
  readonly packages: readonly string[];
  /** Exceptions from `ours`. */
  readonly never?: readonly string[];
}

/** A room of core: the rooms below it, and the ground floor. Only packages that touch no network, clock or file. */
const coreArrows = (...rooms: readonly string[]): Arrows => ({
  ours: ["contract/", "core/*", ...rooms.map((room) => `core/${room}`)],
  packages: ["@noble/hashes", "canonicalize", "zod"],
});

/** A part of the service: the other parts that it may import. */
const serviceArrows = (...parts: readonly string[]): Arrows => ({
  ours: ["contract/", "core/", ...parts.map((part) => `service/${part}`)],
  packages: ["@aws-sdk", "@aws-lambda-powertools", "node:*", "zod"],
});

const CLI: Arrows = {
  ours: ["cli/", "reader/", "core/", "policy/", "contract/"],
  packages: ["node:*", "zod"],
};
const WEB: Arrows = { ours: ["web/", "reader/", "core/", "policy/", "contract/"], packages: [] };
/** All that runs on one machine. */
const WHOLE_SERVICE = [
  "local/",
  "console/",
  "server/",
  "lambdas/",
  "service/",
  "core/",
  "policy/",
  "contract/",
];
const CLIENT: Arrows = { ours: ["client/", "reader/", "core/", "contract/"], packages: ["zod"] };

/** The longest name that a file begins with is its rule. */
export const ARROWS: Readonly<Record<string, Arrows>> = {
  // Deploy time and run time share these facts, so both sides must be able to import them.
  "contract/": { ours: ["contract/"], packages: ["zod"] },
  // Pure: a browser runs it. A room without a rule of its own may import the ground floor alone.
  "core/": coreArrows(),
  "core/merkle/": coreArrows("merkle/"),
  "core/merkle/hash.ts": { ours: ["core/*"], packages: ["#sha256"] },
  // Node's own hash, which Node takes for `#sha256`, and a browser never sees.
  "core/merkle/sha256-node.ts": { ours: [], packages: ["node:crypto"] },
  "core/formats/": coreArrows("formats/", "merkle/"),
  "core/log/": coreArrows("log/", "formats/", "merkle/"),
  "core/policy/": coreArrows("policy/", "formats/", "merkle/"),
  // X.509 and CMS know nothing of timestamps: their errors and shapes must make sense without any.
  "core/timestamps/x509/": coreArrows("timestamps/x509/", "merkle/"),
  "core/timestamps/": coreArrows("timestamps/", "formats/", "merkle/"),
  "core/verify/": coreArrows("verify/", "log/", "policy/", "timestamps/", "formats/", "merkle/"),
  "policy/": { ours: ["policy/", "core/"], packages: [] },
  // Every reader's program runs it, in Node and in a browser.
  "reader/": { ours: ["reader/", "core/", "policy/", "contract/"], packages: ["zod"] },
  // The only folder that knows the AWS SDK. Its own files put the parts together: table ← ledger ← all others.
  "service/": serviceArrows(""),
  "service/table/": serviceArrows("table/"),
  "service/ledger/": serviceArrows("ledger/", "table/"),
  "service/policy/": serviceArrows("policy/", "seals/public-files.ts", "table/"),
  "service/tenants/": serviceArrows("tenants/", "ledger/chain.ts", "ledger/tenant-chains.ts", "table/"),
  "service/seals/": serviceArrows("seals/", "policy/", "ledger/", "table/", "timestamps/ports.ts"),
  "service/timestamps/": serviceArrows("timestamps/"),
  "service/limits/": serviceArrows("limits/", "tenants/", "ledger/", "table/"),
  "service/attestations/": serviceArrows(
    "attestations/",
    "limits/",
    "policy/",
    "reports/",
    "timestamps/ports.ts",
    "tenants/",
    "ledger/",
    "table/",
  ),
  "service/bill/": serviceArrows("bill/", "limits/", "seals/", "tenants/", "ledger/", "table/"),
  "service/reports/": serviceArrows("reports/", "policy/", "seals/", "tenants/", "ledger/", "table/"),
  "service/events/": serviceArrows("events/"),
  "service/webhooks/": serviceArrows("webhooks/", "seals/", "tenants/", "ledger/", "table/"),
  "service/audit/": serviceArrows("audit/", "policy/", "seals/", "tenants/", "ledger/", "table/"),
  "lambdas/": {
    ours: ["lambdas/", "service/", "core/", "policy/", "contract/"],
    packages: ["@aws-lambda-powertools", "@middy", "aws-lambda", "node:*", "zod"],
  },
  // The bridge stands outside of the service, and calls it as any client does: of the service's own code it has the log
  // and the counting alone.
  "lambdas/bridge.ts": {
    ours: [
      "lambdas/middleware/bridge-log.ts",
      "lambdas/middleware/metrics.ts",
      "bridge/",
      "service/environment.ts",
      "core/",
      "contract/",
    ],
    packages: ["aws-lambda", "node:*"],
  },
  "lambdas/middleware/bridge-log.ts": {
    ours: ["lambdas/middleware/metrics.ts", "bridge/", "service/logger.ts"],
    packages: [],
  },
  // The HTTP front of the handlers. It knows nothing of what stands behind them.
  "server/": {
    ours: ["server/", "lambdas/", "service/", "core/", "contract/"],
    packages: ["aws-lambda", "node:*", "zod"],
  },
  // The operator's page: what it shows is read by the service's own code, and nothing of it can write.
  "console/": {
    ours: ["console/", "server/http-server.ts", "service/", "core/", "contract/"],
    packages: ["node:*"],
  },
  "local/": {
    ours: [
      "local/",
      "console/console-server.ts",
      "server/",
      "lambdas/",
      "service/",
      "core/",
      "policy/",
      "contract/",
    ],
    packages: ["asn1js", "aws-lambda", "node:*", "pkijs", "zod"],
  },
  "local/bridge.ts": {
    ours: [
      "bridge/",
      "lambdas/middleware/bridge-log.ts",
      "local/settings.ts",
      "server/",
      "core/",
      "contract/",
    ],
    packages: ["node:*"],
  },
  // A reader's commands must find what they find without the service's code, so nothing leads them to the operator's.
  "cli/": { ...CLI, never: ["cli/admin/"] },
  // The list of commands loads the operator's when they are called.
  "cli/command-list.ts": CLI,
  // The operator's commands reach the deployment through the service's own code.
  "cli/admin/": { ...CLI, ours: [...CLI.ours, "service/"] },
  "cli/admin/console.ts": { ...CLI, ours: [...CLI.ours, "console/console-server.ts", "service/"] },
  // The page's logic runs in a worker and in tests, where there is no document.
  "web/": { ...WEB, never: ["web/view/"] },
  // The pages themselves put the views together.
  "web/page.ts": WEB,
  "web/status-page.ts": WEB,
  "web/console-page.ts": WEB,
  "web/view/": WEB,
  // A customer's app embeds it: it must not bring the service's code along.
  "lib/": {
    ours: ["lib/", "contract/"],
    packages: ["aws-cdk-lib", "constructs", "node:*", "zod"],
  },
  // The operator's tlog-policy is checked at synthesis by the parser that the sealer runs.
  "lib/witness-policy.ts": {
    ours: ["lib/", "contract/", "core/log/witness-policy.ts"],
    packages: ["node:*", "zod"],
  },
  // The operator's layers are checked at synthesis by the parser that the functions run, and by the lint.
  "lib/deployed-policy.ts": {
    ours: ["lib/", "contract/", "core/canonical-json.ts", "core/policy/", "policy/"],
    packages: ["aws-cdk-lib", "constructs", "node:*", "zod"],
  },
  // The texts that a bridge listens for are looked up at synthesis, as the function does it.
  "lib/conversation-bridge.ts": {
    ours: ["lib/", "contract/", "bridge/known-texts.ts"],
    packages: ["aws-cdk-lib", "constructs", "node:*", "zod"],
  },
  // An integrator runs it wherever there is fetch; the queue on disk is Node's.
  "client/": { ...CLIENT, never: ["client/queue/"] },
  "client/node.ts": CLIENT,
  "client/queue/": { ...CLIENT, packages: ["node:*", "zod"] },
  // They name nothing of the stacks that they are for: each states what it needs of one, and a test compiles it against it.
  "adapters/": {
    ours: ["adapters/", "client/", "policy/", "core/", "contract/"],
    packages: ["node:*", "zod"],
  },
  // It listens for registered texts in platforms' webhooks, and is a client of the service.
  "bridge/": {
    ours: [
      "bridge/",
      "adapters/statements.ts",
      "adapters/words.ts",
      "client/",
      "policy/",
      "core/",
      "contract/",
    ],
    packages: ["node:*", "zod"],
  },
  // As an integrator's own program would be: the client, the wordings, and Node.
  "examples/": { ours: ["client/index.ts", "client/node.ts", "policy/package.ts"], packages: ["node:*"] },
  // These stand in a project that has the package and a stack.
  "examples/adapters/": {
    ours: ["examples/adapters/"],
    packages: ["@livekit/agents", "@openai/agents-realtime", "ai", "disclosure-receipts", "node:*", "ws"],
  },
  "bin/": {
    ours: ["bin/", "cli/", "client/", ...WHOLE_SERVICE],
    never: ["cli/admin/"],
    packages: ["node:*", "zod"],
  },
  "bin/app.ts": { ours: ["lib/"], packages: ["aws-cdk-lib", "cdk-nag", "node:*"] },
  "build/": {
    ours: ["build/", "core/formats/", "lambdas/", "reader/", "contract/"],
    packages: ["esbuild", "node:*", "zod"],
  },
  // It takes the place of a Region, at the SDK's own clients.
  "bench/throughput/": {
    ours: ["bench/", "local/", "service/", "core/", "policy/", "contract/"],
    packages: ["@aws-sdk", "node:*"],
  },
  // It calls and reads as strangers' programs do, and starts the service's own.
  "bench/hammer/": {
    ours: ["bench/", "cli/", "client/", "reader/", ...WHOLE_SERVICE],
    never: ["cli/admin/"],
    packages: ["@aws-sdk", "node:*", "zod"],
  },
  "bench/": {
    ours: [
      "bench/",
      "build/bundle.ts",
      "build/local.ts",
      "build/web.ts",
      "client/",
      ...WHOLE_SERVICE,
      "test/vectors/timestamps/",
    ],
    packages: ["asn1js", "autocannon", "node:*", "pkijs", "playwright-core", "tinybench", "vite", "zod"],
  },
};

export function isAllowed(file: string, imported: string): boolean {
  const [scope] = Object.keys(ARROWS)
    .filter((name) => file.startsWith(name))
    .sort((a, b) => b.length - a.length);
  const arrows = scope === undefined ? undefined : ARROWS[scope];
  if (arrows === undefined) return false;
  if (!imported.startsWith(".")) return arrows.packages.some((name) => isWithinPackage(imported, name));
  const target = targetOf(file, imported);
  const { ours, never = [] } = arrows;
  return ours.some((name) => isWithin(target, name)) && !never.some((name) => isWithin(target, name));
}

const isWithinPackage = (imported: string, name: string): boolean =>
  name === "node:*" ? imported.startsWith("node:") : imported === name || imported.startsWith(`${name}/`);

function isWithin(target: string, name: string): boolean {
  if (name.endsWith("/")) return target.startsWith(name);
  if (name.endsWith("/*"))
    return target.startsWith(name.slice(0, -1)) && !target.slice(name.length - 1).includes("/");
  return target === name;
}
