// After the load: waits until every receipt that was answered is under a published seal, whose checkpoint is signed.
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../contract/time.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { parseCheckpoint } from "../../evidence/core/log/checkpoint.ts";
import { NEWEST_CHECKPOINT } from "../../evidence/core/log/log-paths.ts";
import { parseNote } from "../../evidence/core/log/note.ts";
import { parseHead } from "../../evidence/reader/metachain.ts";
import { ChainClient } from "../../tools/cli/history/chain-client.ts";
import { openMetachain } from "../../tools/cli/metachain/open.ts";
import type { CallJournal } from "./load/journal.ts";
import type { LoadTenant } from "./world/tenants.ts";

const MAX_MS = 5 * MINUTE_MS;
const PAUSE_MS = 1_000;
/** The published tree must stay as it is for so many looks: calls that were left open may have written, too. */
const QUIET_LOOKS = 5;

export interface Unsettled {
  readonly url: string;
  readonly tenants: readonly LoadTenant[];
  readonly journal: CallJournal;
  /** Is told how many receipts are not yet sealed. */
  readonly onWaiting: (receipts: number) => void;
}

/** False where that takes longer than five minutes. */
export async function settle(unsettled: Unsettled): Promise<boolean> {
  const chains = unsettled.tenants.map((tenant) => new SealedSizes(unsettled, tenant));
  const deadline = performance.now() + MAX_MS;
  let [quiet, size] = [0, -1];
  while (performance.now() < deadline) {
    const waiting = await Promise.all(chains.map((chain) => chain.waiting()));
    const receipts = waiting.reduce((sum, each) => sum + each, 0);
    unsettled.onWaiting(receipts);
    const published = await signedSize(unsettled.url);
    quiet = receipts === 0 && published !== null && published === size ? quiet + 1 : 0;
    size = published ?? -1;
    if (quiet === QUIET_LOOKS) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

/** The sealed sizes of a tenant's chains, which only grow. */
class SealedSizes {
  readonly #client: ChainClient;
  readonly #wanted: ReadonlyMap<string, number>;
  readonly #sealed = new Map<string, number>();

  constructor({ url, journal }: Unsettled, { apiKey, index }: LoadTenant) {
    this.#client = new ChainClient(url, apiKey);
    this.#wanted = journal.sizesOf(index);
  }

  /** How many answered receipts no seal covers, as far as it can be seen now. */
  async waiting(): Promise<number> {
    let receipts = 0;
    for (const [chainId, wanted] of this.#wanted) {
      if ((this.#sealed.get(chainId) ?? 0) < wanted) await this.#look(chainId);
      receipts += Math.max(0, wanted - (this.#sealed.get(chainId) ?? 0));
    }
    return receipts;
  }

  async #look(chainId: string): Promise<void> {
    try {
      for await (const heads of this.#client.heads(chainId, this.#sealed.get(chainId) ?? 0))
        this.#sealed.set(chainId, heads.at(-1)?.tree_size ?? this.#sealed.get(chainId) ?? 0);
    } catch (error) {
      if (!isDisclosureError(error, "publication_unavailable")) throw error;
    }
  }
}

/** The size of the tree that is published and signed; null where the two differ, or can't be read. */
async function signedSize(url: string): Promise<number | null> {
  try {
    const source = openMetachain(url);
    const { latest } = parseHead(await source.head());
    const note = await source.logFile(NEWEST_CHECKPOINT);
    if (latest === null || note === null) return latest === null ? 0 : null;
    const { size } = parseCheckpoint(parseNote(Buffer.from(note).toString("utf8")).text);
    return size === latest.tree_size ? size : null;
  } catch (error) {
    if (isDisclosureError(error, "publication_unavailable")) return null;
    throw error;
  }
}
