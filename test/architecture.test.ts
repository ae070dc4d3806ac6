// The architecture, checked on every source: the arrows between the folders, circles, purity, and the length of files.
import { describe, expect, test } from "vitest";
import { circlesOf } from "../bench/house/circles.ts";
import { codeOf, importGraphOf, importsOf } from "../bench/house/imports.ts";
import { filesIn, lineCount, readSource, sourceFolders } from "../bench/house/sources.ts";
import { ARROWS, isAllowed } from "./support/arrows.ts";

const MAX_LINES = 250;
const MAX_TEST_LINES = 320;

/** Globals that reach the clock, chance, the network, the machine or a document, though no import shows it. */
const IMPURE =
  /\b(?:process\.|Buffer\b|console\.|fetch\(|XMLHttpRequest|WebSocket|setTimeout\(|setInterval\(|setImmediate\(|performance\.|Math\.random|Date\.now|new Date\(\)|Temporal\.Now|getRandomValues|randomUUID|localStorage|sessionStorage|indexedDB|navigator\.|document\.|window\.|globalThis\b)/g;

const impuritiesOf = (source: string): string[] => [...codeOf(source).matchAll(IMPURE)].map(([name]) => name);

const sources = sourceFolders().flatMap(filesIn);

describe("the folders", () => {
  test.each(sourceFolders())("%s imports only what its arrows allow", (folder) => {
    const forbidden = filesIn(folder).flatMap((file) =>
      importsOf(readSource(file))
        .filter((imported) => !isAllowed(file, imported))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(forbidden).toEqual([]);
  });

  test.each(["core/", "service/", "lambdas/", "local/"])("%s is where this test looks for it", (folder) => {
    expect(sourceFolders()).toContain(folder);
    expect(filesIn(folder).flatMap((file) => importsOf(readSource(file))).length).toBeGreaterThan(10);
  });

  test("every folder of sources has its arrows", () => {
    expect(sourceFolders().filter((folder) => !(folder in ARROWS))).toEqual([]);
  });

  test.each(["core/", "reader/"])(
    "%s touches no clock, no chance, no document, no input or output through a global either",
    (folder) => {
      const impure = filesIn(folder).flatMap((file) =>
        impuritiesOf(readSource(file)).map((name) => `${file} uses ${name}`),
      );
      expect(impure).toEqual([]);
    },
  );
});

describe("the files", () => {
  test("do not import each other in a circle, not even for a type", () => {
    const graph = importGraphOf(new Map(sources.map((file) => [file, readSource(file)])));
    expect(circlesOf(graph)).toEqual([]);
  });

  test(`are no longer than ${MAX_LINES} lines, and tests no longer than ${MAX_TEST_LINES}`, () => {
    const long = [...sources, ...filesIn("test/")]
      // The words of the page hold no logic, and may be as long as they are.
      .filter((file) => !file.startsWith("reader/text/"))
      .map((file) => ({ file, lines: lineCount(readSource(file)) }))
      .filter(({ file, lines }) => lines > (file.startsWith("test/") ? MAX_TEST_LINES : MAX_LINES));
    expect(long).toEqual([]);
  });
});

describe("this test", () => {
  test.each([
    ["contract/routes.ts", "../core/errors.ts"],
    ["contract/routes.ts", "../service/environment.ts"],
    ["contract/routes.ts", "node:fs"],
    ["contract/routes.ts", "aws-cdk-lib"],
    ["core/formats/receipt.ts", "node:crypto"],
    ["core/formats/receipt.ts", "crypto"],
    ["core/formats/receipt.ts", "@aws-sdk/client-kms"],
    ["core/formats/receipt.ts", "zodiac"],
    ["core/formats/receipt.ts", "../../policy/index.ts"],
    ["core/formats/receipt.ts", "../../reader/evidence.ts"],
    ["core/formats/receipt.ts", "../policy/policy.ts"],
    ["core/formats/receipt.ts", "../timestamps/timestamp-token.ts"],
    ["core/formats/receipt.ts", "../verify/verify-receipt.ts"],
    ["core/bytes.ts", "./merkle/hash.ts"],
    ["core/merkle/hash.ts", "../formats/receipt.ts"],
    ["core/merkle/hash.ts", "./sha256-node.ts"],
    ["core/merkle/sha256-node.ts", "node:fs"],
    ["core/formats/receipt.ts", "#sha256"],
    ["core/merkle/hash.ts", "../timestamps/x509/der.ts"],
    ["core/policy/policy.ts", "../timestamps/timestamp-token.ts"],
    ["core/policy/policy.ts", "../verify/verify-receipt.ts"],
    ["core/timestamps/timestamp-token.ts", "../verify/check.ts"],
    ["core/timestamps/timestamp-token.ts", "../policy/policy.ts"],
    ["core/timestamps/x509/der.ts", "../../../service/ledger/log.ts"],
    ["core/timestamps/x509/der.ts", "../timestamp-token.ts"],
    ["core/timestamps/x509/der.ts", "../../verify/verify-receipt.ts"],
    ["core/timestamps/x509/der.ts", "../../formats/receipt.ts"],
    ["core/verify/verify-policy.ts", "../../policy/index.ts"],
    ["core/other/file.ts", "../merkle/hash.ts"],
    ["core/other/file.ts", "./neighbour.ts"],
    ["policy/index.ts", "../reader/evidence.ts"],
    ["reader/evidence.ts", "node:fs"],
    ["reader/evidence.ts", "@noble/hashes/sha2.js"],
    ["reader/evidence.ts", "../cli/files/read-file.ts"],
    ["reader/evidence.ts", "../web/origin.ts"],
    ["reader/evidence.ts", "../client/verified.ts"],
    ["reader/evidence.ts", "../service/ledger/log.ts"],
    ["service/ledger/log.ts", "../../reader/evidence.ts"],
    ["service/ledger/log.ts", "../../lambdas/attest.ts"],
    ["service/ledger/log.ts", "../../local/stack.ts"],
    ["service/ledger/log.ts", "../../server/http-server.ts"],
    ["service/ledger/log.ts", "../../policy/index.ts"],
    ["service/ledger/log.ts", "../seals/sealer.ts"],
    ["service/table/table.ts", "../ledger/log.ts"],
    ["service/reports/reports.ts", "../operator.ts"],
    ["lambdas/attest.ts", "@aws-sdk/client-kms"],
    ["lambdas/attest.ts", "../server/http-server.ts"],
    ["lambdas/attest.ts", "../reader/evidence.ts"],
    ["local/dynamodb.ts", "@aws-sdk/client-dynamodb"],
    ["cli/main.ts", "../service/ledger/log.ts"],
    ["cli/main.ts", "./admin/admin.ts"],
    ["cli/commands/verify.ts", "../admin/target.ts"],
    ["cli/commands/verify.ts", "../../service/ledger/log.ts"],
    ["cli/commands/verify.ts", "../../web/origin.ts"],
    ["cli/command-list.ts", "../service/ledger/log.ts"],
    ["cli/admin/key.ts", "@aws-sdk/client-dynamodb"],
    ["cli/admin/key.ts", "../../local/stack.ts"],
    ["web/worker.ts", "./view/dom.ts"],
    ["web/worker.ts", "../service/ledger/log.ts"],
    ["web/worker.ts", "../cli/files/read-file.ts"],
    ["web/worker.ts", "node:fs"],
    ["web/page.ts", "../lib/page-headers.ts"],
    ["client/disclosure-client.ts", "./queue/durable-queue.ts"],
    ["client/index.ts", "./queue/durable-queue.ts"],
    ["client/disclosure-client.ts", "node:crypto"],
    ["client/queue/journal.ts", "../../service/ledger/log.ts"],
    ["client/queue/journal.ts", "../../policy/index.ts"],
    ["lib/attestation-service.ts", "../service/ledger/log.ts"],
    ["lib/attestation-service.ts", "../service/environment.ts"],
    ["lib/attestation-service.ts", "../core/formats/receipt.ts"],
    ["lib/attestation-service.ts", "../core/log/witness-policy.ts"],
    ["lib/witness-policy.ts", "../core/formats/receipt.ts"],
    ["lib/attestation-service.ts", "../core/policy/deployed-layers.ts"],
    ["lib/deployed-policy.ts", "../service/environment.ts"],
    ["lib/attestation-service.ts", "../lambdas/attest.ts"],
    ["lib/attestation-service.ts", "../lambdas/routes.ts"],
    ["lib/attestation-service.ts", "../web/headers.ts"],
    ["service/ledger/log.ts", "../../lib/attestation-service.ts"],
    ["build/bundle.ts", "../lib/attestation-service.ts"],
    ["bench/bench.ts", "../lib/attestation-service.ts"],
    ["bin/local.ts", "../lib/attestation-service.ts"],
    ["bin/receipts.ts", "../cli/admin/admin.ts"],
    ["bin/receipts.ts", "@aws-sdk/client-dynamodb"],
    ["core/formats/receipt.ts", "../../../elsewhere/core/formats/receipt.ts"],
    ["core/formats/receipt.ts", "(computed)"],
    ["local/handlers.ts", "../lib/"],
    ["server/gateway.ts", "../local/stack.ts"],
    ["server/gateway.ts", "@aws-sdk/client-kms"],
    ["console/answers.ts", "@aws-sdk/client-dynamodb"],
    ["console/answers.ts", "../local/stack.ts"],
    ["console/answers.ts", "../server/gateway.ts"],
    ["web/console-page.ts", "../console/answers.ts"],
    ["web/console/ask.ts", "../view/dom.ts"],
    ["cli/admin/key.ts", "../../console/console-server.ts"],
    ["local/console.ts", "../console/answers.ts"],
    ["server/gateway.ts", "../console/console-server.ts"],
    ["adapters/livekit.ts", "@livekit/agents"],
    ["adapters/core.ts", "../service/ledger/log.ts"],
    ["client/node.ts", "../adapters/core.ts"],
    ["examples/adapters/twilio.ts", "../../adapters/twilio.ts"],
    ["bridge/bridge.ts", "../service/ledger/log.ts"],
    ["bridge/bridge.ts", "../adapters/core.ts"],
    ["lambdas/bridge.ts", "../service/connections.ts"],
    ["lambdas/attest.ts", "../bridge/bridge.ts"],
    ["lib/conversation-bridge.ts", "../bridge/bridge.ts"],
    ["service/ledger/log.ts", "../../bridge/bridge.ts"],
    ["other/file.ts", "zod"],
  ])("refuses that %s imports %s", (file, imported) => {
    expect(isAllowed(file, imported)).toBe(false);
  });

  test.each([
    ["contract/environment.ts", "zod"],
    ["core/bytes.ts", "./errors.ts"],
    ["core/formats/receipt.ts", "../merkle/hash.ts"],
    ["core/formats/receipt.ts", "../canonical-json.ts"],
    ["core/timestamps/x509/der.ts", "../../bytes.ts"],
    ["core/timestamps/timestamp-token.ts", "./x509/der.ts"],
    ["core/verify/verify-receipt.ts", "../timestamps/timestamp-verifier.ts"],
    ["core/verify/verify-policy.ts", "../policy/policy.ts"],
    ["core/merkle/hash.ts", "#sha256"],
    ["core/merkle/sha256.ts", "@noble/hashes/sha2.js"],
    ["core/merkle/sha256-node.ts", "node:crypto"],
    ["reader/evidence.ts", "../core/verify/verify-receipt.ts"],
    ["reader/wording.ts", "../policy/index.ts"],
    ["reader/paths.ts", "../contract/public-paths.ts"],
    ["service/ledger/macs.ts", "@aws-sdk/client-kms"],
    ["service/table/table.ts", "../../contract/environment.ts"],
    ["lambdas/middleware/api.ts", "../../service/ledger/log.ts"],
    ["local/handlers.ts", "../lambdas/"],
    ["local/stack.ts", "../server/gateway.ts"],
    ["lib/tables/ledger.ts", "../../contract/environment.ts"],
    ["lib/witness-policy.ts", "../core/log/witness-policy.ts"],
    ["lib/deployed-policy.ts", "../core/policy/deployed-layers.ts"],
    ["cli/commands/verify.ts", "../../core/verify/verify-receipt.ts"],
    ["cli/commands/verify.ts", "../../reader/evidence.ts"],
    ["cli/command-list.ts", "./admin/admin.ts"],
    ["cli/admin/admin.ts", "./key.ts"],
    ["cli/admin/key.ts", "../../service/tenants/api-keys.ts"],
    ["web/worker.ts", "../reader/evidence.ts"],
    ["web/page.ts", "./view/dom.ts"],
    ["web/view/result.ts", "../sheet.ts"],
    ["client/verified.ts", "../reader/evidence.ts"],
    ["client/node.ts", "./queue/durable-queue.ts"],
    ["client/queue/journal.ts", "node:fs/promises"],
    ["bin/app.ts", "../lib/attestation-service.ts"],
    ["console/answers.ts", "../service/operator.ts"],
    ["console/console-server.ts", "../server/http-server.ts"],
    ["cli/admin/console.ts", "../../console/console-server.ts"],
    ["local/console.ts", "../console/console-server.ts"],
    ["web/console-page.ts", "./view/redraw.ts"],
    ["adapters/core.ts", "../client/queue/durable-queue.ts"],
    ["examples/adapters/livekit.ts", "@livekit/agents"],
    ["bridge/bridge.ts", "../client/index.ts"],
    ["lambdas/bridge.ts", "../bridge/bridge.ts"],
    ["lib/conversation-bridge.ts", "../bridge/known-texts.ts"],
    ["local/bridge.ts", "../bridge/bridge.ts"],
  ])("allows that %s imports %s", (file, imported) => {
    expect(isAllowed(file, imported)).toBe(true);
  });

  test.each([
    ["const now = new Date();", "new Date()"],
    ["const now = Date.now();", "Date.now"],
    ["await fetch(url);", "fetch("],
    ["document.body.append(text);", "document."],
    ["const id = crypto.randomUUID();", "randomUUID"],
    ["export const home = process.env.HOME;", "process."],
  ])("finds what is impure in %j", (source, name) => {
    expect(impuritiesOf(source)).toEqual([name]);
  });

  test("takes a date that is given, and a comment, for pure", () => {
    expect(impuritiesOf("// Date.now() is the caller's.\nconst date = new Date(now);\n")).toEqual([]);
  });
});
