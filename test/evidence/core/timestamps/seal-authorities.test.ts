import { expect, test } from "vitest";
import { formatBase64 } from "../../../../evidence/core/bytes.ts";
import { PENDING_TIMESTAMP, type TsaTimestamp } from "../../../../evidence/core/formats/metachain.ts";
import { countAuthorities } from "../../../../evidence/core/timestamps/seal-authorities.ts";
import { makeAuthority } from "../../../support/dated-authority.ts";
import { SealedTree } from "../../../support/renewals.ts";
import { sparseTree } from "../../../support/trees.ts";
import { nothing, octets, oid, sequence, text } from "../../../vectors/timestamps/der-writer.ts";
import {
  caExtensions,
  ecKeys,
  type Identity,
  makeIdentity,
  makeToken,
  Oid,
  tsaExtensions,
} from "../../../vectors/timestamps/forge.ts";

const seal = new SealedTree(sparseTree([2, 6])).seal(3, "2026-10-01", () => []);
const root = Uint8Array.from(Buffer.from(seal.merkle_root.slice(2), "hex"));
const count = (additional_timestamps: TsaTimestamp[], ...trustAnchors: Uint8Array[]) =>
  countAuthorities({ ...seal, additional_timestamps }, { trustAnchors });

test("each authority counts once, however often its tokens stand there", async () => {
  const [one, other] = ["One", "Other"].map((name) => makeAuthority(name, "2040-01-01T00:00:00Z"));
  if (one === undefined || other === undefined) throw new Error("no authorities");
  const tokens = ["05", "06", "07"].map((second) => one.stamp(root, `2026-10-01T12:00:${second}Z`));
  expect(await count(tokens, one.anchor, other.anchor)).toBe(1);
  const both = [...tokens, other.stamp(root, "2026-10-01T12:00:05Z")];
  expect(await count(both, one.anchor, other.anchor)).toBe(2);
  expect(await count(both, other.anchor)).toBe(1);
});

test("one signer counts once, though a cross-signed issuer leads it to two trust anchors", async () => {
  const anchors = ["One", "Other"].map((name) => makeIdentity({ name, extensions: caExtensions }));
  const keys = ecKeys();
  const issuers = anchors.map((issuer) =>
    makeIdentity({ name: "CA", keys, issuer, extensions: caExtensions }),
  );
  const [issuer] = issuers;
  if (issuer === undefined) throw new Error("no issuer");
  const tsa = makeIdentity({ name: "TSA", issuer, extensions: tsaExtensions });
  const tokens = issuers.map((by) => tokenWith(tsa, by));
  for (const token of tokens) expect(await count([token], ...anchors.map(derOf))).toBe(1);
  expect(await count(tokens, ...anchors.map(derOf))).toBe(1);
});

test("one trust anchor counts once, though two keys sign for it", async () => {
  const issuer = makeIdentity({ name: "Root", extensions: caExtensions });
  const tokens = ["One", "Other"].map((name) =>
    tokenWith(makeIdentity({ name, issuer, extensions: tsaExtensions }), issuer),
  );
  expect(await count(tokens, derOf(issuer))).toBe(1);
});

test("one key counts once, though two authorities certified it", async () => {
  const anchors = ["One", "Other"].map((name) => makeIdentity({ name, extensions: caExtensions }));
  const keys = ecKeys();
  const tokens = anchors.map((issuer) =>
    tokenWith(makeIdentity({ name: "TSA", keys, issuer, extensions: tsaExtensions }), issuer),
  );
  expect(await count(tokens, ...anchors.map(derOf))).toBe(1);
});

test("of tokens A/1, A/2, A/3, B/1 and C/1 two at most are independent: two others share an anchor or a key", async () => {
  const [a, b, c] = ["A", "B", "C"].map((name) => makeIdentity({ name, extensions: caExtensions }));
  if (a === undefined || b === undefined || c === undefined) throw new Error("no authorities");
  const [one, two, three] = [ecKeys(), ecKeys(), ecKeys()];
  const token = (issuer: Identity, keys: typeof one) =>
    tokenWith(makeIdentity({ name: "TSA", keys, issuer, extensions: tsaExtensions }), issuer);
  const anchors = [a, b, c].map(derOf);
  const shared = [token(b, one), token(c, one)];
  expect(await count([token(a, one), token(a, two), token(a, three), ...shared], ...anchors)).toBe(2);
  expect(await count([token(a, one), ...shared], ...anchors)).toBe(1);
  expect(await count([token(a, one), token(b, two), token(c, three)], ...anchors)).toBe(3);
  // An anchor gives way to another that has no other key.
  expect(await count([token(a, one), token(a, two), token(b, one)], ...anchors)).toBe(2);
});

const derOf = ({ certificate }: Identity) => new Uint8Array(certificate);

function tokenWith(tsa: Identity, issuer: Identity): TsaTimestamp {
  const imprint = sequence(sequence(oid(Oid.sha256), nothing), octets(root));
  const tstInfo = { imprint, genTime: text(0x18, "20261001120005Z") };
  const token = makeToken({ tsa, tstInfo, certificates: [tsa.certificate, issuer.certificate] });
  return { ...PENDING_TIMESTAMP, status: "included", timestamp_token: formatBase64(new Uint8Array(token)) };
}
