// The oracle's view of one chain: every leaf, its links and its left path, recomputed from the stored cores.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { bytes, digits, type Item, text } from "./items.ts";
import { digestOf, sha256 } from "./plain-json.ts";
import { plainLeaf } from "./receipt-leaf.ts";
import { leafHash, type Mth, PATH, treeOf } from "./rfc9162.ts";
import { storedCore, storedKeyId } from "./stored-core.ts";

export interface WholeChain {
  readonly id: string;
  readonly cores: readonly ReceiptCore[];
  readonly hashes: readonly Uint8Array[];
  readonly mth: Mth;
}

export interface MacKey {
  readonly id: string;
  readonly secret: Buffer;
}

interface ChainSource {
  readonly id: string;
  readonly shard: number;
  readonly items: readonly Item[];
  /** Sort keys of the markers that tell the sealer of news. */
  readonly markers: ReadonlySet<string>;
  /** Null where only a KMS knows it; the signatures are then the caller's to check. */
  readonly macKey: MacKey | null;
}

const NO_PREVIOUS = `sha256:${"0".repeat(64)}`;

export function checkChain({ id, shard, items, markers, macKey }: ChainSource): WholeChain {
  const cores = items.map((item, index) =>
    storedCore(item, { id, index, eventIdOf: (shard) => eventIdOf(id, shard, index) }),
  );
  const hashes = cores.map((core) => leafHash(plainLeaf(core)));
  const chain = { id, cores, hashes, mth: checkLeaves(id, items, hashes) };
  for (const [i, core] of cores.entries()) {
    const item = items[i] ?? {};
    if (macKey !== null) {
      const day = core.issued_at.slice(0, 10);
      assert.equal(storedKeyId(item, core), `${macKey.id}/${day}`, `key of leaf ${i}`);
      const code = macOf(dayKeyOf(macKey.secret, day), hashes[i]);
      assert.equal(bytes(item, "s").toString("base64"), code, `signature of leaf ${i}`);
    }
    assert.equal(core.event_id, eventIdOf(id, shard, i), `event_id of leaf ${i}`);
    checkCore(chain, core, i);
  }
  checkMarkers(chain, markers);
  assert.equal(new Set(cores.map((core) => core.event_id)).size, cores.length, "event ids are unique");
  return chain;
}

/** One marker for each minute in which receipts were issued, by which the sealer finds them, and no other. */
function checkMarkers({ id, cores }: WholeChain, markers: ReadonlySet<string>): void {
  const minutes = cores.map(({ issued_at }) => Math.floor(Date.parse(issued_at) / 60_000));
  const expected = [...new Set(minutes)].map((minute) => `${digits(minute)}#${id}`);
  const found = [...markers].filter((marker) => marker.endsWith(`#${id}`));
  assert.deepEqual(found.sort(), expected.sort(), `the markers of chain ${id}`);
}

/** What every log has in common: sequences without gap, leaf hashes, left paths. */
export function checkLeaves(id: string, items: readonly Item[], hashes: readonly Uint8Array[]): Mth {
  const mth = treeOf((i) => hashes[i] ?? assert.fail(`log ${id} has no leaf ${i}`));
  for (const [i, item] of items.entries()) {
    assert.equal(text(item, "sk"), `leaf#${digits(i)}`, `log ${id} has a gap before`);
    assert.deepEqual(bytes(item, "h"), Buffer.from(mth(i, i + 1)), `leaf hash ${i} of ${id}`);
    const leftPath = Buffer.concat(PATH(i, 0, i + 1, mth));
    assert.deepEqual(bytes(item, "p"), leftPath, `left path ${i} of ${id}`);
  }
  return mth;
}

function checkCore({ id, cores, hashes }: WholeChain, core: ReceiptCore, i: number): void {
  const { event_id, policy, turn, verdict } = core;
  assert.equal(core.chain_id, id);
  assert.equal(core.sequence, i);
  assert.equal(
    core.previous_hash,
    i === 0 ? NO_PREVIOUS : linkTo(hashes[i - 1]),
    `previous_hash of leaf ${i}`,
  );
  assert.equal(core.output_hash, digestOf({ event_id, policy, turn, verdict }), `output_hash of leaf ${i}`);
  assert(core.issued_at >= (cores[i - 1]?.issued_at ?? ""), `leaf ${i} was issued before the one before it`);
}

export const linkTo = (hash: Uint8Array | undefined): string =>
  `sha256:${Buffer.from(hash ?? []).toString("hex")}`;

/** What KMS derives from a secret for one UTC date. */
export const dayKeyOf = (secret: Buffer, day: string): Buffer =>
  createHmac("sha256", secret).update(`disclosure-receipt/1/mac-key\n${day}`).digest();

export const macOf = (key: Uint8Array, hash: Uint8Array | undefined): string =>
  createHmac("sha256", key)
    .update("disclosure-receipt/1/receipt\n")
    .update(hash ?? "")
    .digest("base64");

/** RFC 9562 section 5.8: 62 bits of a hash over the chain and the sequence, 12 of shard, 48 of sequence. */
function eventIdOf(chainId: string, shard: number, sequence: number): string {
  const check = BigInt(`0x${sha256(`disclosure-receipt/1/event\n${chainId}\n${sequence}`).toString("hex")}`);
  const bitsOf = (first: number, count: number) =>
    (check >> BigInt(256 - first - count)) % (1n << BigInt(count));
  const hex = [
    bitsOf(0, 48).toString(16).padStart(12, "0"),
    `8${bitsOf(48, 12).toString(16).padStart(3, "0")}`,
    (8n + bitsOf(60, 2)).toString(16),
    shard.toString(16).padStart(3, "0"),
    sequence.toString(16).padStart(12, "0"),
  ].join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
