// The service's answers about a ledger over HTTP, as far as `receipts history` asks: own chains, their leaves, the public log.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { HEAD_ROUTE } from "../../contract/metachain-paths.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { Metachain } from "../../evidence/core/formats/metachain.ts";
import { parseTilePlace } from "../../evidence/core/log/tile-place.ts";
import { listChains } from "../../service/ledger/tenant-chains.ts";
import { ChainEntries } from "../../service/reports/chain-entries.ts";
import { readChainPage } from "../../service/reports/chain-history.ts";
import type { Caller } from "../../service/tenants/tenants.ts";
import type { Ledger } from "./ledger-stack.ts";
import type { TestProcess } from "./test-process.ts";

/** What a dishonest service tells in place of an honest answer: null for nothing, undefined for the honest one. */
export type Lie = (path: string) => unknown;

/** What a caller is answered; undefined for what everybody may read. */
export type Answer = (caller: Caller, path: string, query: URLSearchParams) => Promise<unknown>;

export interface HistoryServer {
  readonly url: string;
  readonly asked: string[];
  lie: Lie;
  readonly close: () => void;
}

const STATUS: Readonly<Record<string, number>> = { not_found: 404, receipt_removed: 410 };

export const serveHistory = (ledger: Ledger, caller: Caller, apiKey: string): Promise<HistoryServer> =>
  serveLedger(ledger.newProcess(), new Map([[apiKey, caller]]));

/** `callers` are there by their API keys; `more` answers what is no question about a history. */
export async function serveLedger(
  { table, roots }: Pick<TestProcess, "table" | "roots">,
  callers: ReadonlyMap<string, Caller>,
  more: Answer = async () => undefined,
): Promise<HistoryServer> {
  const entries = new ChainEntries(table);
  const keyed: Answer = async (caller, path, query) => {
    const [, chain, place] = /^\/v1\/chains\/(\w+)(?:\/entries\/(.+))?$/.exec(path) ?? [];
    if (path === "/v1/chains")
      return { chains: listChains(caller).map(({ chainId: chain_id, shard }) => ({ chain_id, shard })) };
    if (chain === undefined) return more(caller, path, query);
    if (place === undefined) return readChainPage(table, caller, chain, Number(query.get("from")));
    const parsed = parseTilePlace(place);
    return parsed && entries.read(caller, chain, parsed);
  };
  const server = createServer(async ({ url = "", headers }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    state.asked.push(pathname);
    const caller = callers.get(headers.authorization?.slice("Bearer ".length) ?? "");
    const isAllowed = caller !== undefined || !pathname.startsWith("/v1/chains");
    try {
      let told = isAllowed ? state.lie(pathname) : null;
      if (told === undefined && caller !== undefined) told = await keyed(caller, pathname, searchParams);
      if (told === undefined)
        told = await (pathname === HEAD_ROUTE ? roots.head() : roots.files.bytes(pathname.slice(1)));
      const bytes = told instanceof Uint8Array ? told : JSON.stringify(told);
      response.writeHead(isAllowed ? (told === null ? 404 : 200) : 401).end(bytes);
    } catch (error) {
      response.writeHead(STATUS[isDisclosureError(error) ? error.code : ""] ?? 500).end();
    }
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: HistoryServer = { url, asked: [], lie: () => undefined, close };
  return state;
}

/** Copies the newest root, and the 1 to 255 entries under it, into the folders of a mirror. */
export async function copyLog(url: string, folder: string): Promise<void> {
  const bytesAt = async (path: string) => new Uint8Array(await (await fetch(url + path)).arrayBuffer());
  const head = await bytesAt("/v1/metachain");
  const { latest } = JSON.parse(Buffer.from(head).toString()) as Metachain;
  const entries = `v1/metachain/tile/entries/000.p/${latest?.tree_size}`;
  mkdirSync(dirname(join(folder, entries)), { recursive: true });
  writeFileSync(join(folder, "v1/metachain/index.json"), head);
  writeFileSync(join(folder, entries), await bytesAt(`/${entries}`));
}
