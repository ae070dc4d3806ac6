// The arrows between the folders: which files may import which.
import { targetOf } from "./sources.ts";

/**
 * The modules that the files of a folder may import. A name that ends in a slash means a folder with all its folders,
 * one that ends in a star the files of a folder alone, any other one file. Of packages, a name covers what is below it.
 */
export interface Arrows {
  readonly ours: readonly string[];
  readonly packages: readonly string[];
  /** Exceptions from `ours`. */
  readonly never?: readonly string[];
}

/** A room of core: the rooms below it, and the ground floor. Only packages that touch no network, clock or file. */
const coreArrows = (...rooms: readonly string[]): Arrows => ({
  ours: ["contract/", "evidence/core/*", ...rooms.map((room) => `evidence/core/${room}`)],
  packages: ["@noble/hashes", "canonicalize", "zod"],
});

/** A part of the service: the other parts that it may import. */
const serviceArrows = (...parts: readonly string[]): Arrows => ({
  ours: ["contract/", "evidence/core/", ...parts.map((part) => `service/${part}`)],
  packages: ["@aws-sdk", "@aws-lambda-powertools", "node:*", "zod"],
});

/** A room of the stack: the rooms below it. */
const libArrows = (...rooms: readonly string[]): Arrows => ({
  ours: ["contract/", ...rooms.map((room) => `lib/${room}`)],
  packages: ["aws-cdk-lib", "constructs", "node:*", "zod"],
});

const CLI: Arrows = {
  ours: ["tools/cli/", "evidence/reader/", "evidence/core/", "evidence/policy/", "contract/"],
  packages: ["node:*", "zod"],
};
const WEB: Arrows = {
  ours: ["tools/web/", "evidence/reader/", "evidence/core/", "evidence/policy/", "contract/"],
  packages: [],
};
/** All that runs on one machine. */
const WHOLE_SERVICE = [
  "host/local/",
  "host/console/",
  "host/server/",
  "lambdas/",
  "service/",
  "evidence/core/",
  "evidence/policy/",
  "contract/",
];
const CLIENT: Arrows = {
  ours: ["clients/client/", "evidence/reader/", "evidence/core/", "contract/"],
  packages: ["zod"],
};

/** The longest name that a file begins with is its rule. */
export const ARROWS: Readonly<Record<string, Arrows>> = {
  // Deploy time and run time share these facts, so both sides must be able to import them.
  "contract/": { ours: ["contract/"], packages: ["zod"] },
  // Pure: a browser runs it. A room without a rule of its own may import the ground floor alone.
  "evidence/core/": coreArrows(),
  "evidence/core/merkle/": coreArrows("merkle/"),
  "evidence/core/merkle/hash.ts": { ours: ["evidence/core/*"], packages: ["#sha256"] },
  // Node's own hash, which Node takes for `#sha256`, and a browser never sees.
  "evidence/core/merkle/sha256-node.ts": { ours: [], packages: ["node:crypto"] },
  "evidence/core/formats/": coreArrows("formats/", "merkle/"),
  "evidence/core/log/": coreArrows("log/", "formats/", "merkle/"),
  "evidence/core/policy/": coreArrows("policy/", "formats/", "merkle/"),
  // X.509 and CMS know nothing of timestamps: their errors and shapes must make sense without any.
  "evidence/core/timestamps/x509/": coreArrows("timestamps/x509/", "merkle/"),
  "evidence/core/timestamps/": coreArrows("timestamps/", "formats/", "merkle/"),
  "evidence/core/verify/": coreArrows("verify/", "log/", "policy/", "timestamps/", "formats/", "merkle/"),
  "evidence/policy/": { ours: ["evidence/policy/", "evidence/core/"], packages: [] },
  // Every reader's program runs it, in Node and in a browser.
  "evidence/reader/": {
    ours: ["evidence/reader/", "evidence/core/", "evidence/policy/", "contract/"],
    packages: ["zod"],
  },
  // The only folder that knows the AWS SDK. Its own files put the parts together: table ← ledger ← all others.
  "service/": serviceArrows(""),
  "service/table/": serviceArrows("table/"),
  "service/ledger/": serviceArrows("ledger/", "table/"),
  "service/policy/": serviceArrows("policy/", "seals/public-files.ts", "table/"),
  "service/tenants/": serviceArrows("tenants/", "ledger/chain.ts", "ledger/tenant-chains.ts", "table/"),
  // What a seal is and where it is kept, the log that is signed over the seals, and the run that makes both.
  "service/seals/": serviceArrows("seals/", "ledger/", "table/", "timestamps/ports.ts"),
  "service/log/": serviceArrows("log/", "seals/", "ledger/", "table/"),
  "service/sealing/": serviceArrows(
    "sealing/",
    "log/",
    "seals/",
    "policy/",
    "tenants/chain-window.ts",
    "ledger/",
    "table/",
    "timestamps/ports.ts",
  ),
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
  "service/audit/": serviceArrows(
    "audit/",
    "policy/",
    "sealing/claims.ts",
    "sealing/damaged-chains.ts",
    "sealing/unpublished-entries.ts",
    "log/log-publication.ts",
    "log/published-checkpoints.ts",
    "seals/",
    "tenants/",
    "ledger/",
    "table/",
  ),
  "lambdas/": {
    ours: ["lambdas/", "service/", "evidence/core/", "evidence/policy/", "contract/"],
    packages: ["@aws-lambda-powertools", "@middy", "aws-lambda", "node:*", "zod"],
  },
  // The bridge stands outside of the service, and calls it as any client does: of the service's own code it has the log
  // and the counting alone.
  "lambdas/bridge.ts": {
    ours: [
      "lambdas/middleware/bridge-log.ts",
      "lambdas/middleware/metrics.ts",
      "clients/bridge/",
      "service/environment.ts",
      "evidence/core/",
      "contract/",
    ],
    packages: ["aws-lambda", "node:*"],
  },
  "lambdas/middleware/bridge-log.ts": {
    ours: ["lambdas/middleware/metrics.ts", "clients/bridge/", "service/logger.ts"],
    packages: [],
  },
  // The HTTP front of the handlers. It knows nothing of what stands behind them.
  "host/server/": {
    ours: ["host/server/", "lambdas/", "service/", "evidence/core/", "contract/"],
    packages: ["aws-lambda", "node:*", "zod"],
  },
  // The operator's page: what it shows is read by the service's own code, and nothing of it can write.
  "host/console/": {
    ours: ["host/console/", "host/server/http-server.ts", "service/", "evidence/core/", "contract/"],
    packages: ["node:*"],
  },
  "host/local/": {
    ours: [
      "host/local/",
      "host/console/console-server.ts",
      "host/server/",
      "lambdas/",
      "service/",
      "evidence/core/",
      "evidence/policy/",
      "contract/",
    ],
    packages: ["asn1js", "aws-lambda", "node:*", "pkijs", "zod"],
  },
  "host/local/bridge.ts": {
    ours: [
      "clients/bridge/",
      "lambdas/middleware/bridge-log.ts",
      "host/local/settings.ts",
      "host/server/",
      "evidence/core/",
      "contract/",
    ],
    packages: ["node:*"],
  },
  // A reader's commands must find what they find without the service's code, so nothing leads them to the operator's.
  "tools/cli/": { ...CLI, never: ["tools/cli/admin/"] },
  // The list of commands loads the operator's when they are called.
  "tools/cli/command-list.ts": CLI,
  // The operator's commands reach the deployment through the service's own code.
  "tools/cli/admin/": { ...CLI, ours: [...CLI.ours, "service/"] },
  "tools/cli/admin/console.ts": { ...CLI, ours: [...CLI.ours, "host/console/console-server.ts", "service/"] },
  // The page's logic runs in a worker and in tests, where there is no document.
  "tools/web/": { ...WEB, never: ["tools/web/view/"] },
  // The pages themselves put the views together.
  "tools/web/page.ts": WEB,
  "tools/web/status-page.ts": WEB,
  "tools/web/console-page.ts": WEB,
  "tools/web/view/": WEB,
  // A customer's app embeds it: it must not bring the service's code along.
  "lib/": {
    ours: ["lib/", "contract/"],
    packages: ["aws-cdk-lib", "constructs", "node:*", "zod"],
  },
  // The rooms of the stack: settings ← parts ← evidence ← runs ← front ← watch, and what puts them together.
  "lib/settings/": libArrows("settings/"),
  "lib/parts/": libArrows("parts/", "settings/"),
  "lib/evidence/": libArrows("evidence/", "parts/", "settings/"),
  "lib/runs/": libArrows("runs/", "evidence/", "parts/", "settings/"),
  "lib/front/": libArrows("front/", "runs/", "evidence/", "parts/", "settings/"),
  "lib/watch/": libArrows("watch/", "front/", "runs/", "evidence/", "parts/", "settings/"),
  // The operator's tlog-policy is checked at synthesis by the parser that the sealer runs.
  "lib/evidence/witness-policy.ts": {
    ours: ["lib/settings/", "contract/", "evidence/core/log/witness-policy.ts"],
    packages: ["node:*", "zod"],
  },
  // The operator's layers are checked at synthesis by the parser that the functions run, and by the lint.
  "lib/evidence/deployed-policy.ts": {
    ours: [
      "lib/settings/",
      "contract/",
      "evidence/core/canonical-json.ts",
      "evidence/core/policy/",
      "evidence/policy/",
    ],
    packages: ["aws-cdk-lib", "constructs", "node:*", "zod"],
  },
  // The texts that a bridge listens for are looked up at synthesis, as the function does it.
  "lib/conversation-bridge.ts": {
    ours: ["lib/", "contract/", "clients/bridge/known-texts.ts"],
    packages: ["aws-cdk-lib", "constructs", "node:*", "zod"],
  },
  // An integrator runs it wherever there is fetch; the queue on disk is Node's.
  "clients/client/": { ...CLIENT, never: ["clients/client/queue/"] },
  "clients/client/node.ts": CLIENT,
  "clients/client/queue/": { ...CLIENT, packages: ["node:*", "zod"] },
  // They name nothing of the stacks that they are for: each states what it needs of one, and a test compiles it against it.
  "clients/adapters/": {
    ours: ["clients/adapters/", "clients/client/", "evidence/policy/", "evidence/core/", "contract/"],
    packages: ["node:*", "zod"],
  },
  // It listens for registered texts in platforms' webhooks, and is a client of the service.
  "clients/bridge/": {
    ours: [
      "clients/bridge/",
      "clients/adapters/statements.ts",
      "clients/adapters/words.ts",
      "clients/client/",
      "evidence/policy/",
      "evidence/core/",
      "contract/",
    ],
    packages: ["node:*", "zod"],
  },
  // As an integrator's own program would be: the client, the wordings, and Node.
  "examples/": {
    ours: ["clients/client/index.ts", "clients/client/node.ts", "evidence/policy/package.ts"],
    packages: ["node:*"],
  },
  // These stand in a project that has the package and a stack.
  "examples/adapters/": {
    ours: ["examples/adapters/"],
    packages: ["@livekit/agents", "@openai/agents-realtime", "ai", "disclosure-receipts", "node:*", "ws"],
  },
  "bin/": {
    ours: ["bin/", "tools/cli/", "clients/client/", ...WHOLE_SERVICE],
    never: ["tools/cli/admin/"],
    packages: ["node:*", "zod"],
  },
  "bin/app.ts": { ours: ["lib/"], packages: ["aws-cdk-lib", "cdk-nag", "node:*"] },
  "build/": {
    ours: ["build/", "evidence/core/formats/", "lambdas/", "evidence/reader/", "contract/"],
    packages: ["esbuild", "node:*", "zod"],
  },
  // It takes the place of a Region, at the SDK's own clients.
  "bench/throughput/": {
    ours: ["bench/", "host/local/", "service/", "evidence/core/", "evidence/policy/", "contract/"],
    packages: ["@aws-sdk", "node:*"],
  },
  // It calls and reads as strangers' programs do, starts the service's own, and plants what tests plant.
  "bench/hammer/": {
    ours: ["bench/", "tools/cli/", ...CLIENT.ours, ...WHOLE_SERVICE, "test/support/planted.ts"],
    never: ["tools/cli/admin/"],
    packages: ["@aws-sdk", "node:*", "zod"],
  },
  "bench/": {
    ours: [
      "bench/",
      "build/bundle.ts",
      "build/local.ts",
      "build/web.ts",
      "clients/client/",
      ...WHOLE_SERVICE,
      "test/vectors/timestamps/",
    ],
    packages: ["asn1js", "autocannon", "node:*", "pkijs", "playwright-core", "tinybench", "vite", "zod"],
  },
};

/** The rule of a file, if it has one. */
export function arrowsOf(file: string): Arrows | undefined {
  const [scope] = Object.keys(ARROWS)
    .filter((name) => file.startsWith(name))
    .sort((a, b) => b.length - a.length);
  return scope === undefined ? undefined : ARROWS[scope];
}

export function isAllowed(file: string, imported: string): boolean {
  const arrows = arrowsOf(file);
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
