// Readers of a tenant's whole history: all sealed heads and leaves, and each head in the public log, as the command
// `history` reads them.
import { join } from "node:path";
import { ChainClient } from "../../../tools/cli/history/chain-client.ts";
import { fetchHistory } from "../../../tools/cli/history/fetch-history.ts";
import { HistoryFolder } from "../../../tools/cli/history/history-folder.ts";
import { openMetachain } from "../../../tools/cli/metachain/open.ts";
import { Terminal } from "../../../tools/cli/output/terminal.ts";
import { indexIn } from "../../throughput/random.ts";
import { type ReaderParts, readOn } from "./reading.ts";

const silent = { write: () => undefined };
const terminal = new Terminal({ out: silent, err: silent, environment: {} });

/** Each tenant's history grows in a folder of its own: an answer that contradicts an earlier one is found. */
export function readHistories(reading: ReaderParts): Promise<unknown> {
  const { tenants, url, out, random } = reading;
  const log = openMetachain(url);
  return readOn(reading, "history", async () => {
    const tenant = tenants[indexIn(random, tenants.length)];
    if (tenant === undefined) return false;
    const folder = new HistoryFolder(join(out, "history", tenant.name));
    const client = new ChainClient(url, tenant.apiKey);
    const { heads } = await fetchHistory({ client, log, folder, terminal }, tenant.anchor);
    return heads > 0;
  });
}
