// Reads the history that somebody was handed, and verifies it: each chain from its first head to its last, and against
// the public log where there is one. The folder is not trusted.
import { digestSchema } from "../../../evidence/core/formats/shapes.ts";
import type { ChainHistory } from "../../../evidence/core/log/chain-history.ts";
import { labelsOf } from "../../../evidence/core/log/verify-labels.ts";
import { type TenantHistory, verifyHeads } from "../../../evidence/core/verify/verify-history.ts";
import { readHistory } from "../../../evidence/reader/history-files.ts";
import { newestWithEntries } from "../../../evidence/reader/log-bundles.ts";
import { UsageError } from "../command.ts";
import type { Terminal } from "../output/terminal.ts";
import { filesIn } from "./history-folder.ts";
import { type PublicLog, searchLog } from "./walk-log.ts";

export interface HistoryOptions {
  /** Null where the reader has no public log to search. */
  readonly log: PublicLog | null;
  /** The fingerprint of the anchor from which the chains must follow; null where the reader expects none. */
  readonly fingerprint: string | null;
  readonly terminal: Terminal;
}

/** Throws `malformed` for a folder without a history, `proof_invalid` for a history that does not hold by itself. */
export async function readTenantHistory(
  path: string,
  { log, fingerprint, terminal }: HistoryOptions,
): Promise<TenantHistory> {
  if (fingerprint !== null && !digestSchema.safeParse(fingerprint).success)
    throw new UsageError("a fingerprint is sha256: and 64 lower-case hex digits");
  const { chains, tenantAnchor } = await readHistory(filesIn(path));
  const publicHeads = log === null ? new Map() : await searchHeads(log, [...chains.values()], terminal);
  return { chains, publicHeads, tenantAnchor, fingerprint };
}

async function searchHeads(
  log: PublicLog,
  chains: readonly ChainHistory[],
  terminal: Terminal,
): Promise<TenantHistory["publicHeads"]> {
  const seal = await newestWithEntries(log);
  if (seal === null) return new Map();
  const labels = new Set(chains.flatMap((chain) => [...labelsOf(chain)]));
  const search = await searchLog(log, seal, labels, { from: null, terminal });
  return new Map(chains.map((chain) => [chain.chainId, verifyHeads(chain, search)]));
}
