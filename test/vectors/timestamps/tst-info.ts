// Vectors of the TSTInfo, and of what its reader asked for: nonce and policy (RFC 3161 section 2.4.2).
import { forge, other, tsa } from "./authorities.ts";
import { type Bytes, boolean, context, integer, nothing, retag, sequence, text, tlv } from "./der-writer.ts";
import { extension, NONCE } from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

const genTime = (time: string): Bytes => forge({ tstInfo: { genTime: text(0x18, time) } });
const accuracy = (...members: Bytes[]): Bytes => forge({ tstInfo: { accuracy: sequence(...members) } });
/** `tsa` follows the nonce. */
const tsaName = (name: Bytes): Bytes =>
  forge({ tstInfo: { nonce: Buffer.concat([integer(NONCE), context(0, context(4, name))]) } });
const unknownExtension = retag(0xa1, sequence(extension("2.999.2", true, nothing)));

export const tstInfoVectors: readonly Vector[] = [
  vector("good-nonce", "accepted", "the nonce is the one that was sent", forge(), {
    nonce: NONCE.toString("hex"),
  }),
  vector("good-policy", "accepted", "the policy is the one that was asked for", forge(), {
    policy: "2.999.1",
  }),
  vector("good-fraction", "accepted", "genTime in milliseconds", genTime("20261001120000.125Z")),
  vector(
    "good-accuracy",
    "accepted",
    "accuracy of 1 s, 500 ms and 250 µs, and ordering",
    forge({
      tstInfo: {
        accuracy: sequence(
          integer(1),
          retag(0x80, integer(Uint8Array.of(1, 0xf4))),
          retag(0x81, integer(Uint8Array.of(0, 250))),
        ),
        ordering: boolean(true),
      },
    }),
  ),
  vector(
    "good-accuracy-millis",
    "accepted",
    "accuracy in milliseconds only",
    accuracy(retag(0x80, integer(20))),
  ),
  vector(
    "good-accuracy-bounds",
    "accepted",
    "accuracy of 1 ms and 999 µs",
    accuracy(retag(0x80, integer(1)), retag(0x81, integer(Uint8Array.of(3, 0xe7)))),
  ),
  vector(
    "good-ordering-false",
    "accepted",
    "an ordering that says in full that there is none",
    forge({ tstInfo: { ordering: boolean(false) } }),
  ),
  vector("good-tsa-name", "accepted", "tsa names the signer", tsaName(tsa.name)),
  vector("good-tsa-name-other", "accepted", "tsa, a hint, names somebody else", tsaName(other.name)),
  vector("version", "beyond_verifier: tst_info_version", "TSTInfo of version 2", forge({ tstInfo: { version: integer(2) } })),
  vector(
    "tst-info-extension",
    "beyond_verifier: tst_info_extensions",
    "a critical extension",
    forge({ tstInfo: { extensions: unknownExtension } }),
  ),
  vector(
    "tst-info-member",
    "encoding",
    "a TSTInfo with a member that it does not have",
    forge({ tstInfoRest: [retag(0xa2, sequence())] }),
  ),
  vector("gen-time-zone", "gen_time", "genTime with an offset", genTime("20261001120000+0100")),
  vector("gen-time-trailing-zero", "gen_time", "genTime with a trailing zero", genTime("20261001120000.50Z")),
  vector("gen-time-no-date", "gen_time", "genTime on 30 February", genTime("20260230120000Z")),
  vector("accuracy-negative", "accuracy", "a negative accuracy", accuracy(tlv(0x02, Uint8Array.of(0xff)))),
  vector(
    "accuracy-millis",
    "accuracy",
    "accuracy of 1,000 milliseconds",
    accuracy(retag(0x80, integer(Uint8Array.of(3, 0xe8)))),
  ),
  vector("accuracy-zero", "accuracy", "accuracy of 0 milliseconds", accuracy(retag(0x80, integer(0)))),
  vector("accuracy-member", "accuracy", "accuracy with a fourth member", accuracy(integer(1), nothing)),
  vector("nonce", "nonce", "the nonce is not the one that was sent", forge(), {
    nonce: "1f2e3d4c5b6a7989",
  }),
  vector(
    "nonce-missing",
    "nonce",
    "a nonce was sent and none came back",
    forge({ tstInfo: { nonce: Buffer.alloc(0) } }),
    { nonce: NONCE.toString("hex") },
  ),
  vector("policy", "policy", "the policy is not the one that was asked for", forge(), {
    policy: "2.999.3",
  }),
];
