// A tenant's chain: where its receipts go.

export interface Chain {
  readonly chainId: string;
  /** The chain's place among the tenant's own. */
  readonly shard: number;
}
