// Timestamp tokens made to keep a verifier busy, for the bench of the worst evidence.
import { formatBase64 } from "../../evidence/core/bytes.ts";
import { integer } from "../../test/vectors/timestamps/der-writer.ts";
import {
  caExtensions,
  ecKeys,
  extension,
  type Identity,
  makeIdentity,
  makeToken,
  tsaExtensions,
} from "../../test/vectors/timestamps/forge.ts";
import { type JsonOf, list } from "./documents.ts";

/** The reader's own authority. */
export const ANCHOR = makeIdentity({ name: "Root", extensions: caExtensions, keys: ecKeys("P-521") });

export const included = (der: Uint8Array): JsonOf => ({
  status: "included",
  timestamp_token: formatBase64(der),
  tsa_url: "",
  covers: "merkle_root",
});
const sequence = (tag: number, content: Uint8Array): Uint8Array =>
  Uint8Array.of(
    tag,
    0x83,
    content.length >> 16,
    (content.length >> 8) & 0xff,
    content.length & 0xff,
    ...content,
  );

/** One sound token, whose bytes are made distinct where no signature covers them: in the revocation lists. */
export function altered(tsa: Identity, certificates: readonly Uint8Array[]): (index: number) => Uint8Array {
  let signed: Uint8Array | undefined;
  const alterSignature = (signature: Uint8Array): Uint8Array => {
    signed ??= signature;
    return signed;
  };
  return (i) =>
    makeToken({
      tsa,
      certificates,
      crls: [Uint8Array.of(0x04, 4, i >> 24, i >> 16, i >> 8, i)],
      alterSignature,
    });
}
/** Tokens that are signed each. */
export const distinct = (tsa: Identity, certificates: readonly Uint8Array[]) => (i: number) =>
  makeToken({ tsa, certificates, tstInfo: { serial: integer(65_536 + i) } });
const stranger = makeIdentity({ name: "Stranger", extensions: tsaExtensions, keys: ecKeys("P-521") });
export const ofReader = makeIdentity({
  name: "TSA",
  issuer: ANCHOR,
  extensions: tsaExtensions,
  keys: ecKeys("P-521"),
});
export const usual = makeIdentity({ name: "Usual TSA", issuer: ANCHOR, extensions: tsaExtensions });
const impostor = makeIdentity({ name: "Root", extensions: caExtensions, keys: ecKeys("P-521") });
const ofImpostor = makeIdentity({
  name: "TSA",
  issuer: impostor,
  extensions: tsaExtensions,
  keys: ecKeys("P-521"),
});
const namesakes = list(
  15,
  () =>
    makeIdentity({ name: "Root", issuer: impostor, extensions: caExtensions, keys: ecKeys("P-521") })
      .certificate,
);
export const TOKENS: Readonly<Record<string, (index: number) => Uint8Array>> = {
  "of an unknown authority": distinct(stranger, [stranger.certificate]),
  "of an impostor": distinct(ofImpostor, [ofImpostor.certificate]),
  "of an impostor with 15 namesakes": distinct(ofImpostor, [ofImpostor.certificate, ...namesakes]),
  "with an identifier of 60 kB": (i) =>
    sequence(0x06, new Uint8Array(60_000).fill(0xff).with(59_999, i % 128)),
  "with an identifier of 1 kB": (i) => sequence(0x06, new Uint8Array(1_000).fill(0xff).with(999, i % 128)),
  "of 30,000 empty values": () =>
    sequence(
      0x30,
      new Uint8Array(60_000).map((_, at) => (at % 2 === 0 ? 5 : 0)),
    ),
  "with many extensions": distinct(
    makeIdentity({
      name: "TSA",
      issuer: ANCHOR,
      extensions: [
        ...tsaExtensions,
        ...list(1_000, (i) => extension(`2.999.${i}`, false, Uint8Array.of(5, 0))),
      ],
    }),
    [],
  ),
};
