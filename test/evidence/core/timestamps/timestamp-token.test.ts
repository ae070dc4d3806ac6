import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseHex } from "../../../../evidence/core/bytes.ts";
import { DisclosureError } from "../../../../evidence/core/errors.ts";
import { formatDigest, formatNode, hashBytes } from "../../../../evidence/core/merkle/hash.ts";
import {
  parseTimestampToken,
  type VerifiedTimestamp,
  verifyTimestampToken,
} from "../../../../evidence/core/timestamps/timestamp-token.ts";
import { formatName } from "../../../../evidence/core/timestamps/x509/distinguished-name.ts";
import { findSignerCertificate } from "../../../../evidence/core/timestamps/x509/signer-info.ts";
import { type TimestampVector, timestampVector, tokenVectors } from "../../../support/timestamp-vectors.ts";

const verify = ({ bytes, rootBytes, anchors, nonce, policy }: TimestampVector): Promise<VerifiedTimestamp> =>
  verifyTimestampToken(bytes, rootBytes, anchors, {
    ...(nonce === undefined ? {} : { nonce: parseHex(nonce) }),
    ...(policy === undefined ? {} : { policy }),
  });

const digestOf = (bytes: Uint8Array | undefined): string =>
  formatDigest(hashBytes(bytes ?? new Uint8Array()));

/** What the verifier says of a token: `accepted`, or the check that it names, after the reason where it can't be made. */
async function verdictOn(vector: TimestampVector): Promise<unknown> {
  try {
    await verify(vector);
    return "accepted";
  } catch (error) {
    if (!(error instanceof DisclosureError)) throw error;
    const { check, reason } = error.evidence;
    expect(error.code).toBe(reason === undefined ? "token_invalid" : "token_open");
    return reason === undefined ? check : `${reason}: ${check}`;
  }
}

describe("verifyTimestampToken", () => {
  test("is tried on a corpus that has both good tokens and bad ones", () => {
    expect(tokenVectors.filter(({ expected }) => expected === "accepted").length).toBeGreaterThan(15);
    expect(tokenVectors.filter(({ expected }) => expected !== "accepted").length).toBeGreaterThan(50);
  });

  test.for(tokenVectors.map((vector) => [vector.expected, vector.what, vector] as const))(
    "answers %s: %s",
    async ([expected, , vector]) => {
      expect(await verdictOn(vector)).toBe(expected);
    },
  );

  test("says what the token proves and on whose word", async () => {
    const vector = timestampVector("forged-good-fraction.der");
    const [certificate] = parseTimestampToken(vector.bytes).certificates;
    expect(await verify(vector)).toEqual({
      genTime: "2026-10-01T12:00:00.125Z",
      accuracy: null,
      serialNumber: "07",
      policy: "2.999.1",
      messageImprint: "0cdec3d7cc55da628e0d6f819fdd7e5da178338a0819902e8e0f5a47b423dd72",
      authority: { subject: "CN=TSA,C=DE", issuer: "CN=Root,C=DE" },
      signer: digestOf(certificate?.publicKeyInfo.bytes),
      trustAnchor: digestOf(vector.anchors[0]),
      validUntil: "2066-01-01T00:00:00Z",
    });
  });

  test("reads the accuracy, and the day on which the first certificate of the chain runs out", async () => {
    expect(await verify(timestampVector("forged-good-accuracy.der"))).toMatchObject({
      accuracy: 1.50025,
    });
    expect(await verify(timestampVector("forged-good-accuracy-millis.der"))).toMatchObject({
      accuracy: 0.02,
    });
    expect(await verify(timestampVector("forged-good-accuracy-bounds.der"))).toMatchObject({
      accuracy: 0.001999,
    });
    expect(await verify(timestampVector("forged-good-expired-since.der"))).toMatchObject({
      validUntil: "2026-10-02T00:00:00Z",
    });
    expect(await verify(timestampVector("forged-good-intermediate-short.der"))).toMatchObject({
      validUntil: "2027-01-01T00:00:00Z",
    });
  });

  test("names what it expected and what it found", async () => {
    const { rootBytes, ...vector } = timestampVector("forged-good.der");
    const otherRoot = rootBytes.map((byte) => byte ^ 0xff);
    await expect(verify({ ...vector, rootBytes: otherRoot })).rejects.toMatchObject({
      code: "token_invalid",
      evidence: { check: "imprint", expected: formatNode(otherRoot), actual: formatNode(rootBytes) },
    });
  });

  test("trusts nobody without anchors, and whichever anchor fits among several", async () => {
    const vector = timestampVector("forged-good.der");
    const other = timestampVector("openssl-rsa-sha512.der");
    expect(await verdictOn({ ...vector, anchors: [] })).toBe("other_authority: trust_anchor");
    expect(await verdictOn({ ...vector, anchors: [...other.anchors, ...vector.anchors] })).toBe("accepted");
  });

  test("trusts an intermediate CA or the TSA itself where the caller names it as an anchor", async () => {
    const vector = timestampVector("forged-good-intermediate.der");
    const { certificates } = parseTimestampToken(vector.bytes);
    for (const { der } of certificates)
      expect(await verdictOn({ ...vector, anchors: [der] })).toBe("accepted");
  });

  test("is told of the fault of a chain that has an anchor in it, whichever of several and wherever it is", async () => {
    const vector = timestampVector("forged-after-intermediate.der");
    const { certificates } = parseTimestampToken(vector.bytes);
    const [intermediate] = certificates.filter(({ subject }) => formatName(subject).includes("Intermediate"));
    const stranger = timestampVector("openssl-rsa-sha512.der").anchors;
    const within = [...stranger, intermediate?.der ?? expect.unreachable()];
    for (const anchors of [vector.anchors, [...stranger, ...vector.anchors]])
      expect(await verdictOn({ ...vector, anchors })).toBe("certificate_validity");
    expect(await verdictOn({ ...vector, anchors: stranger })).toBe("other_authority: trust_anchor");
    // What the reader trusts is a name and a key, whatever its certificate says.
    expect(await verdictOn({ ...vector, anchors: within })).toBe("accepted");
  });

  test("finds its way past a wrong anchor of the right name", async () => {
    const vector = timestampVector("forged-good.der");
    const namesake = parseTimestampToken(timestampVector("forged-root-of-same-name.der").bytes).certificates;
    const anchors = [...namesake.map(({ der }) => der), ...vector.anchors];
    expect(await verdictOn({ ...vector, anchors })).toBe("accepted");
  });

  test("calls an anchor that is no certificate malformed, as it is the caller's", async () => {
    const vector = timestampVector("forged-good.der");
    await expect(verify({ ...vector, anchors: [Uint8Array.of(0x30, 0)] })).rejects.toMatchObject({
      code: "malformed",
    });
  });
});

describe("a damaged token", () => {
  const vector = timestampVector("openssl-p256-sha256.der");
  const flip = (bytes: Uint8Array, bit: number): Uint8Array =>
    bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (0x80 >> (bit & 7)) : byte));

  /** Where `part` lies in the token, in bits. */
  const bitsOf = (part: Uint8Array): { min: number; max: number } => {
    const start = Buffer.from(vector.bytes).indexOf(part);
    expect(start).toBeGreaterThan(0);
    return { min: 8 * start, max: 8 * (start + part.length) - 1 };
  };

  test("is refused for any flipped bit of what is signed", async () => {
    const { content, signers, certificates } = parseTimestampToken(vector.bytes);
    const parts = signers.flatMap((signer) => [
      content,
      signer.signedAttributes.content,
      signer.signature,
      (findSignerCertificate(signer, certificates) ?? expect.unreachable()).der,
    ]);
    const flips = fc.oneof(...parts.map((part) => fc.integer(bitsOf(part))));
    await fc.assert(
      fc.asyncProperty(flips, async (bit) => {
        await expect(verify({ ...vector, bytes: flip(vector.bytes, bit) })).rejects.toMatchObject({
          code: expect.stringMatching(/^token_(?:invalid|open)$/),
        });
      }),
      { numRuns: 500 },
    );
  });

  test("never proves another root or another time, wherever a byte is changed", async () => {
    const honest = await verify(vector);
    const position = fc.integer({ min: 0, max: vector.bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(position, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const bytes = vector.bytes.map((byte, i) => (i === at ? byte ^ mask : byte));
        const proved = await verify({ ...vector, bytes }).catch((error: unknown) => {
          expect(error).toMatchObject({ code: expect.stringMatching(/^token_(?:invalid|open)$/) });
          return honest;
        });
        expect(proved).toEqual(honest);
      }),
      { numRuns: 500 },
    );
  });

  test("is refused for any missing tail", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: vector.bytes.length - 1 }), async (length) => {
        const bytes = vector.bytes.subarray(0, length);
        expect(await verdictOn({ ...vector, bytes })).toBe("encoding");
      }),
    );
  });
});
