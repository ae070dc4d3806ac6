import { afterEach, describe, expect, test, vi } from "vitest";
import { formatBase64 } from "../../../../evidence/core/bytes.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import { TimestampVerifier } from "../../../../evidence/core/timestamps/timestamp-verifier.ts";
import { timestampVector } from "../../../support/timestamp-vectors.ts";
import { integer } from "../../../vectors/timestamps/der-writer.ts";
import {
  caExtensions,
  type Identity,
  makeIdentity,
  makeToken,
  tsaExtensions,
} from "../../../vectors/timestamps/forge.ts";

const GOOD = timestampVector("forged-good.der");
const root = formatNode(GOOD.rootBytes);
const token = formatBase64(GOOD.bytes);
const forged = formatBase64(timestampVector("forged-signature.der").bytes);

/** How many signatures were verified: the work that remembering saves. */
const signatures = vi.spyOn(crypto.subtle, "verify");
afterEach(() => signatures.mockClear());

describe("TimestampVerifier", () => {
  test("says whether it has anchors at all", () => {
    expect(new TimestampVerifier([]).hasTrustAnchors).toBe(false);
    expect(new TimestampVerifier(GOOD.anchors).hasTrustAnchors).toBe(true);
  });

  test("verifies a token once, however many ask, at once or later", async () => {
    const verifier = new TimestampVerifier(GOOD.anchors);
    const answers = await Promise.all(Array.from({ length: 50 }, () => verifier.verify(token, root)));
    answers.push(await verifier.verify(token, root));
    expect(new Set(answers.map(({ genTime }) => genTime))).toEqual(new Set(["2026-10-01T12:00:00Z"]));
    expect(signatures).toHaveBeenCalledTimes(2);
  });

  test("does not take a remembered token for another root, nor a remembered root for another token", async () => {
    const verifier = new TimestampVerifier(GOOD.anchors);
    await verifier.verify(token, root);
    const other = formatNode(new Uint8Array(32));
    await expect(verifier.verify(token, other)).rejects.toMatchObject({ evidence: { check: "imprint" } });
    await expect(verifier.verify(forged, root)).rejects.toMatchObject({ evidence: { check: "signature" } });
  });

  test("refuses a bad token again without looking at it again, whatever root it is asked for", async () => {
    const verifier = new TimestampVerifier(GOOD.anchors);
    for (let time = 0; time < 3; time++) {
      const asked = formatNode(GOOD.rootBytes.map((byte) => byte + time));
      await expect(verifier.verify(forged, asked)).rejects.toMatchObject({
        evidence: { check: "signature" },
      });
    }
    expect(signatures).toHaveBeenCalledTimes(1);
  });

  test("looks at a good token once, whatever root it is asked for", async () => {
    const verifier = new TimestampVerifier(GOOD.anchors);
    for (let i = 0; i < 20; i++) {
      const asked = verifier.verify(token, formatNode(new Uint8Array(32).fill(i)));
      await expect(asked).rejects.toMatchObject({ evidence: { check: "imprint" } });
    }
    expect(signatures).toHaveBeenCalledTimes(2);
  });

  test("tells a sound token of another authority from one that is wrong", async () => {
    const stranger = new TimestampVerifier(timestampVector("openssl-rsa-sha512.der").anchors);
    expect(await stranger.judge(token, root)).toMatchObject({
      trustAnchor: null,
      why: { evidence: { reason: "other_authority", expected: "CN=Root,C=DE" } },
    });
    await expect(stranger.judge(forged, root)).rejects.toMatchObject({ evidence: { check: "signature" } });
  });

  test("remembers for itself alone: another reader's anchors are another verifier", async () => {
    await new TimestampVerifier(GOOD.anchors).verify(token, root);
    const stranger = new TimestampVerifier(timestampVector("openssl-rsa-sha512.der").anchors);
    await expect(stranger.verify(token, root)).rejects.toMatchObject({ code: "token_open" });
  });

  test("loses patience within one examination with tokens that lead nowhere, and with no sound one", async () => {
    const [ca, impostor] = [0, 1].map(() => makeIdentity({ name: "Root", extensions: caExtensions }));
    if (ca === undefined || impostor === undefined) throw new Error("no authorities");
    const tokenBy = (issuer: Identity, serial: number) => {
      const tsa = makeIdentity({ name: "TSA", issuer, extensions: tsaExtensions });
      return formatBase64(makeToken({ tsa, tstInfo: { serial: integer(serial) } }));
    };
    const stranger = makeIdentity({ name: "Stranger", extensions: caExtensions });
    const limits = { falseTokens: 2, strangeTokens: 3 };
    const verifier = new TimestampVerifier([new Uint8Array(ca.certificate)]);
    const examined = async (issuer: Identity, count: number) => {
      const within = verifier.forExamination(limits);
      const sound = Array.from({ length: 5 }, (_, i) => within.verify(tokenBy(ca, 100 + i), root));
      const judged = Array.from({ length: count }, (_, i) => within.judge(tokenBy(issuer, i), root));
      expect(await Promise.all(sound)).toHaveLength(5);
      return (await Promise.all(judged)).map(
        (judgement) => "why" in judgement && !judgement.why.message.includes("to examine this one"),
      );
    };
    expect(await examined(impostor, 4)).toEqual([true, true, false, false]);
    expect(await examined(stranger, 4)).toEqual([true, true, true, false]);
  });

  test("forgets the oldest first", async () => {
    const verifier = new TimestampVerifier(GOOD.anchors, 2);
    const others = ["forged-good-fraction.der", "forged-good-accuracy.der"].map((file) =>
      formatBase64(timestampVector(file).bytes),
    );
    for (const each of [token, ...others]) await verifier.verify(each, root);
    signatures.mockClear();
    for (const each of others) await verifier.verify(each, root);
    expect(signatures).not.toHaveBeenCalled();
    // The authority's certificate is known from the others.
    await verifier.verify(token, root);
    expect(signatures).toHaveBeenCalledTimes(1);
  });

  test("lets bad tokens push nothing out", async () => {
    const verifier = new TimestampVerifier(GOOD.anchors, 1);
    await verifier.verify(token, root);
    const bad = Array.from({ length: 20 }, (_, i) =>
      verifier.verify(token, formatNode(new Uint8Array(32).fill(i))),
    );
    const damaged = Array.from({ length: 20 }, (_, i) => verifier.verify(token.slice(0, 4 * (i + 1)), root));
    await Promise.allSettled([...bad, ...damaged, verifier.verify(forged, root)]);
    signatures.mockClear();
    await verifier.verify(token, root);
    expect(signatures).not.toHaveBeenCalled();
  });
});
