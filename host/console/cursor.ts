// A place in the list of all receipts: by their time, and where times are equal by chain and sequence.
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";

export interface FeedPlace {
  readonly issuedAt: string;
  readonly chainId: string;
  readonly sequence: number;
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([0-9a-f]{32})~(\d{1,15})$/;

export const cursorOf = ({ issued_at, chain_id, sequence }: ReceiptCore): FeedPlace => ({
  issuedAt: issued_at,
  chainId: chain_id,
  sequence,
});

export const formatCursor = ({ issuedAt, chainId, sequence }: FeedPlace): string =>
  `${issuedAt}~${chainId}~${sequence}`;

/** Null for a text that is no cursor. */
export function parseCursor(text: string): FeedPlace | null {
  const [, issuedAt, chainId, sequence] = CURSOR.exec(text) ?? [];
  if (issuedAt === undefined || chainId === undefined || sequence === undefined) return null;
  return { issuedAt, chainId, sequence: Number(sequence) };
}

/** True where `a` comes after `b` in a list that begins with the newest. In one chain this is its order. */
export function isOlder(a: FeedPlace, b: FeedPlace): boolean {
  if (a.issuedAt !== b.issuedAt) return a.issuedAt < b.issuedAt;
  if (a.chainId !== b.chainId) return a.chainId < b.chainId;
  return a.sequence < b.sequence;
}
