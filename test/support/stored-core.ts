// The oracle's reading of a leaf's short form (service/ledger/leaf-codec.ts), written once more from its description.
import assert from "node:assert/strict";
import { inflateRawSync } from "node:zlib";
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { DICTIONARIES } from "../../service/ledger/leaf-dictionary.ts";
import { bytes, type Item } from "./items.ts";
import { digestOf } from "./plain-json.ts";

interface Place {
  readonly id: string;
  readonly index: number;
  readonly eventIdOf: (shard: number) => string;
}

/** The core in an item, with the members that its place and its other members give. */
export function storedCore(item: Item, { id, index, eventIdOf }: Place): ReceiptCore {
  const [stored, leftPath] = [bytes(item, "c"), bytes(item, "p")];
  const { text, digests } = DICTIONARIES[stored.readUInt8(0)] ?? assert.fail("an unknown version");
  const issued_at = new Date(stored.readUIntBE(1, 6)).toISOString();
  const deflated = 8 + 32 * stored.readUInt8(7);
  const digestAt = (from: Buffer, at: number) => `sha256:${from.subarray(at, at + 32).toString("hex")}`;
  const table = [...digests, leftPath.length === 0 ? "" : digestAt(leftPath, 0)];
  let next = 8;
  const dictionary = Buffer.concat([text, Buffer.from(issued_at)]);
  const marked = inflateRawSync(stored.subarray(deflated), { dictionary }).toString();
  const parts = [...marked].map((character, i, all) => {
    if (all[i - 1] === "\u0001") return "";
    if (character === "\u0001") return table[(all[i + 1]?.charCodeAt(0) ?? 0) - 0x20];
    if (character !== "\u0002") return character;
    table.push(digestAt(stored, next));
    next += 32;
    return table.at(-1);
  });
  assert.equal(next, deflated, `digests of leaf ${index}`);
  const { shard, ...rest } = JSON.parse(parts.join(""));
  const event = shard === undefined ? {} : { event_id: eventIdOf(shard) };
  const core = { chain_id: id, sequence: index, issued_at, ...event, ...rest };
  const { event_id, policy, turn, verdict } = core;
  return { output_hash: digestOf({ event_id, policy, turn, verdict }), ...core };
}

/** The id of a MAC key: of a KMS key, with the receipt's day behind a slash where the first byte says so. */
export function storedKeyId(item: Item, { issued_at }: ReceiptCore): string {
  const [stored, hex] = [bytes(item, "k"), bytes(item, "k").subarray(1).toString("hex")];
  const forms = [
    stored.subarray(1).toString(),
    hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    `mrk-${hex}`,
  ];
  return `${forms[stored.readUInt8(0) % 16]}${stored.readUInt8(0) < 16 ? "" : `/${issued_at.slice(0, 10)}`}`;
}
