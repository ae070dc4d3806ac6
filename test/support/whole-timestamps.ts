// The oracle's view of the tokens of seals: in the published bytes, beside them, and in the list of what is lacking.
import assert from "node:assert/strict";
import type { Seal, TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import { type Item, text } from "./items.ts";
import { AUTHORITIES, stampedRoot } from "./test-process.ts";

/** What a published text says of tokens: over this root, pending only where there is none. */
export function checkPublishedTokens({ tsa_timestamp, additional_timestamps, merkle_root }: Seal): void {
  const tokens = [tsa_timestamp, ...additional_timestamps];
  if (tsa_timestamp.status === "pending") {
    assert.equal(tsa_timestamp.timestamp_token, null);
    assert.deepEqual(additional_timestamps, [], "a second token without a first");
  } else checkTokens(tokens, merkle_root);
}

/** The tokens beside a published seal, whose number is what readers count to. Returns all that there are. */
export async function checkLaterTokens(
  item: Item,
  seal: Seal,
  readObject: (key: string) => Promise<string | null>,
): Promise<readonly TsaTimestamp[]> {
  const own = [seal.tsa_timestamp, ...seal.additional_timestamps].filter(
    ({ status }) => status === "included",
  );
  const published: TsaTimestamp[] = [];
  for (let n = 0; ; n++) {
    const object = await readObject(`v1/metachain/timestamps/${seal.index}/${n}`);
    if (object === null) break;
    published.push(JSON.parse(object) as TsaTimestamp);
  }
  const shown = item.later === undefined ? [] : (JSON.parse(text(item, "later")) as TsaTimestamp[]);
  // A run may die between the object and the item; then the object alone is there.
  assert.deepEqual(shown, published.slice(0, shown.length), `later tokens of seal ${seal.index}`);
  checkTokens([...own, ...published], seal.merkle_root);
  return [...own, ...shown];
}

function checkTokens(tokens: readonly TsaTimestamp[], root: string): void {
  for (const token of tokens) assert.equal(stampedRoot(token), root, "a token covers another root");
  const urls = tokens.map(({ tsa_url }) => tsa_url);
  assert.equal(new Set(urls).size, urls.length, "one authority counts twice");
}

/** A seal that lacks a token is in the list, for as long as nobody has given it up. */
export function checkIncomplete(list: Item, seal: Seal, tokens: readonly TsaTimestamp[]): void {
  if (tokens.length >= AUTHORITIES.length) return;
  const noted = [...(list.tokenless?.NS ?? []), ...(list.incomplete?.NS ?? [])];
  assert(
    noted.includes(String(seal.previous_tree_size)),
    `seal ${seal.index} lacks tokens, and nobody knows`,
  );
}
