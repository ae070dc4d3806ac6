// Reads the history that somebody was handed, and verifies it: each chain from its first head to its last, and against
// the public log where there is one. The folder is not trusted.
import { DisclosureError } from "../../core/errors.ts";
import { digestSchema } from "../../core/formats/shapes.ts";
import { chainIdOf } from "../../core/formats/tenant-anchor.ts";
import type { ChainHistory } from "../../core/log/chain-history.ts";
import { labelsOf } from "../../core/log/verify-labels.ts";
import { type TenantHistory, verifyHeads } from "../../core/verify/verify-history.ts";
import { UsageError } from "../command.ts";
import type { Terminal } from "../output/terminal.ts";
import { HistoryFolder, type HistoryIndex } from "./history-folder.ts";
import { newestWithEntries, type PublicLog, searchLog } from "./walk-log.ts";

export interface HistoryOptions {
  /** Null where the reader has no public log to search. */
  readonly log: PublicLog | null;
  /** Of the anchor that the chains must be of; null where the reader expects none. */
  readonly fingerprint: string | null;
  readonly terminal: Terminal;
}

/** Throws `malformed` for a folder without a history, `proof_invalid` for a history that does not hold by itself. */
export async function readHistory(
  path: string,
  { log, fingerprint, terminal }: HistoryOptions,
): Promise<TenantHistory> {
  if (fingerprint !== null && !digestSchema.safeParse(fingerprint).success)
    throw new UsageError("a fingerprint is sha256: and 64 lower-case hex digits");
  const folder = new HistoryFolder(path);
  const index = await folder.readIndex();
  if (index === null) throw new DisclosureError("malformed", `${path} has no history`);
  checkIds(index, path);
  const chains = new Map<string, ChainHistory>();
  for (const { chain_id } of index.chains) chains.set(chain_id, (await folder.readChain(chain_id)).history);
  const publicHeads = log === null ? new Map() : await searchHeads(log, [...chains.values()], terminal);
  return { chains, publicHeads, tenantAnchor: index.tenant_anchor, fingerprint };
}

/** With an anchor, no chain can be passed off as the tenant's that is not. */
function checkIds({ tenant_anchor: anchor, chains }: HistoryIndex, path: string): void {
  if (anchor === null || chains.every(({ chain_id, shard }) => chainIdOf(anchor, shard) === chain_id)) return;
  throw new DisclosureError("malformed", `a chain in ${path} is not of the anchor that is in it`);
}

async function searchHeads(
  log: PublicLog,
  chains: readonly ChainHistory[],
  terminal: Terminal,
): Promise<TenantHistory["publicHeads"]> {
  const seal = await newestWithEntries(log);
  if (seal === null) return new Map();
  const labels = new Set(chains.flatMap((chain) => [...labelsOf(chain)]));
  const search = await searchLog(log, seal, labels, { from: { size: 0, subtrees: [] }, terminal });
  return new Map(chains.map((chain) => [chain.chainId, verifyHeads(chain, search)]));
}
