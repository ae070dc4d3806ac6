// Receipts with something wrong in their timestamp.
import { BOUND, changed, HEAD, TOKEN } from "./damage-base.ts";
import { at, change, type Edit, type Draft, read, set } from "./edit.ts";

export function timestampEntries(): Draft[] {
  const stamped = (name: string, reason: string, edit: Edit) =>
    changed(`timestamp-${name}`, ["timestamp"], reason, edit);
  const unanchored = (name: string, reason: string, edit: Edit) =>
    changed(`timestamp-${name}`, [], reason, edit, { unmade: [HEAD, "timestamp"] });
  const token = (file: string) => at(read(file), "/timestamp_token") as string;
  const sealToken = at(read("seals/1.json"), TOKEN);
  const early = stamped(
    "early",
    "the token is older than the receipt",
    set(TOKEN, token("authorities/early-token.json")),
  );
  return [
    stamped("of-another-root", "the token of the seal before", set(TOKEN, sealToken)),
    unanchored(
      "by-another-authority",
      "a sound token of an authority whose certificate the reader hasn't got: it proves nothing to this reader",
      set(TOKEN, token("authorities/other-token.json")),
    ),
    { ...early, anchors: "authorities/early.pem", unmade: [HEAD, BOUND] },
    {
      ...unanchored(
        "anchor-of-another-authority",
        "nothing was changed: the reader brought the certificate of another authority, which says nothing of the receipt",
        () => {},
      ),
      anchors: "authorities/other.pem",
      unmade: [HEAD, "timestamp", BOUND],
    },
    stamped("damaged", "one bit of the token's signature was turned", changeToken(flipInSignature)),
    stamped(
      "cut",
      "the token lacks its last three bytes",
      changeToken((der) => der.subarray(0, -3)),
    ),
    stamped(
      "trailing",
      "three bytes more than the token",
      changeToken((der) => Buffer.concat([der, Buffer.alloc(3)])),
    ),
    stamped("no-token", "base64 of something else", set(TOKEN, Buffer.from("no token").toString("base64"))),
    stamped("stray-bits", "base64 whose last bits are not zero", set(TOKEN, "MB==")),
    stamped("pending-with-token", "pending, with a token", set("/tsa_timestamp/status", "pending")),
    stamped("included-without-token", "included, without a token", set(TOKEN, null)),
  ];
}

const changeToken = (edit: (der: Buffer) => Buffer): Edit =>
  change<string>(TOKEN, (text) => edit(Buffer.from(text, "base64")).toString("base64"));

/** A token ends with its ECDSA signature. */
function flipInSignature(der: Buffer): Buffer {
  der[der.length - 5] = (der[der.length - 5] ?? 0) ^ 1;
  return der;
}
