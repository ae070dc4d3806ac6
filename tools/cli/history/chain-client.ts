// A tenant's own chains over the API, with its key. The service is not trusted: whatever it answers is verified later.
import { CHAINS_PATH } from "../../../contract/public-paths.ts";
import { BINARY_TYPE } from "../../../contract/routes.ts";
import {
  type ChainPage,
  chainListSchema,
  chainPageSchema,
  type SealedHead,
} from "../../../evidence/core/formats/chain-history.ts";
import { type EntryBundle, formatTilePlace } from "../../../evidence/core/log/tiles.ts";
import { readPages } from "../../../evidence/core/pages.ts";
import { parseAs } from "../../../evidence/reader/metachain.ts";
import { type HttpReader, inCircles, unavailable } from "../metachain/http-reader.ts";
import { openKeyed } from "../metachain/keyed-reader.ts";

export interface OwnChain {
  readonly chain_id: string;
  readonly shard: number;
}

export class ChainClient {
  readonly #json: HttpReader;
  readonly #bytes: HttpReader;

  /** Throws `UsageError` for an address to which a key must not be sent. */
  constructor(address: string, apiKey: string) {
    this.#json = openKeyed(address, apiKey);
    this.#bytes = openKeyed(address, apiKey, { headers: { accept: BINARY_TYPE } });
  }

  /** The chains that the service says are the tenant's. */
  async chains(): Promise<readonly OwnChain[]> {
    const bytes = await this.#json.get(CHAINS_PATH);
    if (bytes === null) throw unavailable("the service tells no chains");
    return parseAs(chainListSchema, bytes, "the list of chains").chains;
  }

  /** Resolves to true if the service has the chain as one of the tenant's. */
  async has(chainId: string): Promise<boolean> {
    return (await this.#page(chainId, 0)) !== null;
  }

  /** The heads that continue at the size `from` or later, page by page. */
  async *heads(chainId: string, from: number): AsyncGenerator<readonly SealedHead[]> {
    const read = async (place: number): Promise<ChainPage> =>
      (await this.#page(chainId, place)) ?? Promise.reject(unavailable(`there is no chain ${chainId}`));
    const nextOf = ({ next }: ChainPage): number | null => next;
    for await (const { heads } of readPages({ first: from, read, nextOf, refuse: inCircles("heads") }))
      yield heads;
  }

  async #page(chainId: string, from: number): Promise<ChainPage | null> {
    const bytes = await this.#json.get(`${CHAINS_PATH}/${chainId}?from=${from}`);
    if (bytes === null) return null;
    const page = parseAs(chainPageSchema, bytes, "a page of heads");
    if (page.chain_id === chainId) return page;
    throw unavailable("the service answers with another chain");
  }

  /** A bundle of leaves. Throws `publication_unavailable` for one that the service has not. */
  async leaves(chainId: string, place: EntryBundle): Promise<Uint8Array> {
    const path = `${CHAINS_PATH}/${chainId}/entries/${formatTilePlace(place)}`;
    return (await this.#bytes.get(path)) ?? Promise.reject(unavailable(`${path} is missing`));
  }
}
