// A metachain of some length, whose roots no authority has stamped yet, behind a host that can be slowed.

import { ascending } from "../../support/trees.ts";
import { type MetachainServer, serveMetachain, type Trick } from "./metachain-server.ts";
import { publishedLog } from "./published-log.ts";

export interface LongMetachain {
  /** What is published, by path under `v1/metachain` as a mirror has it that was made in one go. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly server: MetachainServer;
  /** Does what a host would do beside answering: it may wait. */
  before: (path: string) => Promise<void> | void;
}

/** One leaf more with each seal. */
export async function serveLongMetachain(size: number): Promise<LongMetachain> {
  const sizes = ascending(size, (i) => i + 1);
  const published = publishedLog(sizes);
  const trick: Trick = async (path, response) => {
    await metachain.before(path);
    const name = path === "/v1/metachain" ? "index.json" : path.slice("/v1/metachain/".length);
    const body = published.get(name);
    response.writeHead(body === undefined ? 404 : 200).end(body);
    return true;
  };
  const files = Object.fromEntries(publishedLog(sizes, undefined, [size]));
  const metachain: LongMetachain = { files, server: await serveMetachain(trick), before: () => {} };
  return metachain;
}
