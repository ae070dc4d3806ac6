// A reader of a test's ledger: what is public, the tenant's history as the service hands it over, and its fingerprint.

import { layerPath } from "../../contract/policy-paths.ts";
import { utf8 } from "../../evidence/core/bytes.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { fingerprintOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { ChainHistory } from "../../evidence/core/log/chain-history.ts";
import type { HeadWalk } from "../../evidence/core/log/head-walk.ts";
import { bundlesBetween, LeafBundles } from "../../evidence/core/log/leaf-bundles.ts";
import { policyOfLog } from "../../evidence/core/log/tlog-policy.ts";
import type { TenantHistory } from "../../evidence/core/verify/tenant-history.ts";
import { walkIn } from "../../evidence/reader/bill-walk.ts";
import { newestWithEntries } from "../../evidence/reader/log-bundles.ts";
import type { LogSource, MetachainSource } from "../../evidence/reader/metachain.ts";
import type { LayerSource } from "../../evidence/reader/policy-layers.ts";
import type { FileFinding } from "../../evidence/reader/session/findings.ts";
import { NO_COMPANIONS } from "../../evidence/reader/session/given.ts";
import type { SessionInputs } from "../../evidence/reader/session/inputs.ts";
import { runSession } from "../../evidence/reader/session/session.ts";
import { ChainEntries } from "../../service/reports/chain-entries.ts";
import { readChainPage } from "../../service/reports/chain-history.ts";
import { PublishedRoots } from "../../service/seals/published-roots.ts";
import type { Ledger, TestCaller } from "./ledger-stack.ts";

export type PublicSource = MetachainSource & LogSource & LayerSource;

/** The ledger's bucket, as the public has it. Each file is read once. */
export function publicSource({ clients, name }: Pick<Ledger, "clients" | "name">): PublicSource {
  const roots = new PublishedRoots(clients.s3, name, null);
  const bytesOf = async (text: Promise<string | null>) => {
    const read = await text;
    return read === null ? null : utf8(read);
  };
  return {
    name: "public",
    head: async () => utf8(JSON.stringify(await roots.head())),
    root: once((index) => bytesOf(roots.sealText(Number(index)))),
    timestamp: (index, n) => bytesOf(roots.timestampText(index, n)),
    logFile: once((path) => roots.logFile(path)),
    layer: (digest) => roots.files.bytes(layerPath(digest)),
  };
}

function once<K extends string | number, T>(read: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const known = new Map<K, Promise<T>>();
  return (key) => {
    const reading = known.get(key) ?? read(key);
    known.set(key, reading);
    return reading;
  };
}

/** Walks the public entries up to the newest root whose entries are there. */
async function walkNewest(source: PublicSource, chainIds: Iterable<string>): Promise<HeadWalk | null> {
  const seal = await newestWithEntries(source);
  return seal === null ? null : walkIn(source)({ ...seal, seal_index: seal.index }, chainIds);
}

/** The tenant's history, as a key of its own fetches it. Throws what the service throws, and for what does not hold. */
export async function fetchTenant(ledger: Ledger, caller: TestCaller): Promise<TenantHistory> {
  const { table } = ledger.newProcess();
  const entries = new ChainEntries(table);
  const chains = new Map<string, ChainHistory>();
  for (const chainId of caller.chainIds) {
    const { heads } = await readChainPage(table, caller, chainId, 0);
    const leaves = new LeafBundles();
    for (const place of bundlesBetween(0, heads.at(-1)?.tree_size ?? 0))
      leaves.set(place.index, await entries.read(caller, chainId, place));
    const history = new ChainHistory(chainId, leaves.read);
    for (const head of heads) history.add(head);
    chains.set(chainId, history);
  }
  return { tenantAnchor: caller.tenantAnchor, chains };
}

/** What the reader's session finds in receipts of one tenant, by what is public and, where there is one, by its history. */
export async function examineReceipts(
  ledger: Ledger,
  source: PublicSource,
  caller: TestCaller,
  receipts: readonly ComplianceReceipt[],
  history: TenantHistory | null,
): Promise<readonly FileFinding<null>[]> {
  const fingerprint = history?.tenantAnchor ? fingerprintOf(caller.tenantAnchor) : null;
  const policy = policyOfLog(ledger.key.log.key);
  const inputs: SessionInputs = {
    companions: { ...NO_COMPANIONS, policies: [{ file: "policy", isNamed: true, policy }] },
    anchors: [],
    areAnchorsDefault: true,
    source,
    history: history && { file: "history", tenant: history, fingerprint, problem: null },
    walkLog: (chainIds) => walkNewest(source, chainIds),
    text: null,
    now: ledger.clock().toISOString(),
    verifiesTimestamps: false,
    verifiesLogs: true,
  };
  const files = receipts.map((receipt, i) => ({
    name: `receipt ${i}`,
    isNamed: true,
    read: async () => utf8(JSON.stringify(receipt)),
  }));
  const { files: found } = await runSession(files, inputs, { show: () => null, width: 1 });
  return found;
}
