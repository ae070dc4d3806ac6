// The chains that a run visits: those with a marker, those that are set aside, and those whose leaves show that they have grown.
import type { OnDisbelief } from "../log/log-publication.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import type { Table } from "../table/table.ts";
import type { Look } from "./chain-watch.ts";
import { dueAgain, readSetAside } from "./damaged-chains.ts";
import { type News, readNews } from "./seal-news.ts";

interface NewsServices {
  readonly table: Table;
  readonly clock: () => Date;
  readonly onDisbelief: OnDisbelief;
}

export async function findNews(
  { table, clock, onDisbelief }: NewsServices,
  published: SealRecord | null,
  look: Look,
): Promise<{ readonly news: News; readonly setAside: readonly string[] }> {
  const setAside = await readSetAside(table);
  const { tree_size: sealedSize = 0, sealed_at: sealedAt = null } = published?.tree ?? {};
  const due = [...dueAgain(setAside), ...look.due];
  const news = await readNews(table, due, { now: clock(), sealedSize, sealedAt });
  if (!news.isBelieved) onDisbelief("the progress of the sealer", { sealedAt });
  // A chain that has grown has a marker, but where somebody took it away, or a write came late.
  const chains = look.due.filter((chainId) => !news.isMarked(chainId) && !setAside.includes(chainId)).length;
  if (chains > 0) onDisbelief("the markers of news", { chains });
  return { news, setAside };
}
