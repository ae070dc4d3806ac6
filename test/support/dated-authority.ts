// A timestamp authority for tests that stamps any root at any time, with a certificate that runs out when it should.
import { formatBase64 } from "../../evidence/core/bytes.ts";
import type { TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import { integer, nothing, octets, oid, sequence, text } from "../vectors/timestamps/der-writer.ts";
import { caExtensions, makeIdentity, makeToken, Oid, tsaExtensions } from "../vectors/timestamps/forge.ts";

export type DatedAuthority = {
  readonly anchor: Uint8Array;
  /** `at` is RFC 3339 in whole seconds; `accuracy`, in whole seconds below 128, is left out where it is not given. */
  readonly stamp: (root: Uint8Array, at: string, accuracy?: number) => TsaTimestamp;
};

const compact = (instant: string): string => `${instant.replaceAll(/[-:TZ]/g, "")}Z`;

export function makeAuthority(name: string, validUntil: string): DatedAuthority {
  const ca = makeIdentity({ name: `${name} root`, extensions: caExtensions });
  const notAfter = compact(validUntil);
  const tsa = makeIdentity({ name, issuer: ca, extensions: tsaExtensions, notAfter });
  return {
    anchor: new Uint8Array(ca.certificate),
    stamp: (root, at, accuracy) => {
      const imprint = sequence(sequence(oid(Oid.sha256), nothing), octets(root));
      const exactness = accuracy === undefined ? {} : { accuracy: sequence(integer(accuracy)) };
      const tstInfo = { imprint, genTime: text(0x18, compact(at)), ...exactness };
      const token = makeToken({ tsa, tstInfo });
      return included(new Uint8Array(token), name);
    },
  };
}

const included = (token: Uint8Array, name: string): TsaTimestamp => ({
  status: "included",
  timestamp_token: formatBase64(token),
  tsa_url: `https://${name.toLowerCase()}.example/tsr`,
  covers: "merkle_root",
});
