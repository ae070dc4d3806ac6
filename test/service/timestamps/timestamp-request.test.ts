import { describe, expect, test } from "vitest";
import { formatHex } from "../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { verifyTimestampToken } from "../../../evidence/core/timestamps/timestamp-token.ts";
import {
  buildTimeStampReq,
  parseTimeStampResp,
  randomNonce,
} from "../../../service/timestamps/timestamp-request.ts";
import { responseVectors, timestampVector } from "../../support/timestamp-vectors.ts";
import { integer, nothing, sequence, tlv } from "../../vectors/timestamps/der-writer.ts";

describe("buildTimeStampReq", () => {
  test("asks for the root itself as SHA-256 imprint, with the nonce and for certificates", () => {
    const root = new Uint8Array(32).fill(0xab);
    const request = buildTimeStampReq(root, Uint8Array.of(0x41, 2, 3, 4, 5, 6, 7, 8));
    expect(formatHex(request)).toBe(
      `3043020101 3031300d0609608648016503040201 0500 0420 ${"ab".repeat(32)} 0208 4102030405060708 0101ff`.replaceAll(
        " ",
        "",
      ),
    );
  });
});

describe("randomNonce", () => {
  test("is a positive INTEGER of at least 64 bits that does not come back", () => {
    const nonces = Array.from({ length: 200 }, randomNonce);
    expect(nonces.every(([first = 0]) => first >= 0x40 && first < 0x80)).toBe(true);
    expect(nonces.every(({ length }) => length > 8)).toBe(true);
    expect(new Set(nonces.map(formatHex)).size).toBe(nonces.length);
  });
});

describe("parseTimeStampResp", () => {
  test.for(responseVectors.map((vector) => [vector.expected, vector.what, vector] as const))(
    "answers %s: %s",
    async ([expected, , { bytes, rootBytes, anchors }]) => {
      const verdict = await Promise.resolve()
        .then(() => verifyTimestampToken(parseTimeStampResp(bytes), rootBytes, anchors))
        .then(() => "accepted")
        .catch((error: unknown) => (isDisclosureError(error) ? error.code : error));
      expect(verdict).toBe(expected);
    },
  );

  test("keeps what the authority says about a refusal", () => {
    const { bytes } = timestampVector("forged-rejection.tsr");
    expect(() => parseTimeStampResp(bytes)).toThrow(
      expect.objectContaining({ evidence: { status: 2, statusText: "not today", failInfo: [0] } }),
    );
  });

  test("names failures by the numbers of their bits, past the first octet too", () => {
    // PKIFailureInfo: badRequest (2), timeNotAvailable (14), systemFailure (25).
    const failInfo = tlv(0x03, Uint8Array.of(6, 0x20, 0x02, 0x00, 0x40));
    const response = new Uint8Array(sequence(sequence(integer(2), failInfo)));
    expect(() => parseTimeStampResp(response)).toThrow(
      expect.objectContaining({ evidence: { status: 2, statusText: "", failInfo: [2, 14, 25] } }),
    );
  });

  test("refuses a response with a member after its token", () => {
    const response = new Uint8Array(sequence(sequence(integer(0)), sequence(), nothing));
    expect(() => parseTimeStampResp(response)).toThrow(expect.objectContaining({ code: "malformed" }));
  });

  test("keeps no more of the authority's words than a log line bears", () => {
    const words = new Uint8Array(1000).fill(0x41);
    const text = Uint8Array.of(0x0c, 0x82, 0x03, 0xe8, ...words);
    const info = [0x02, 0x01, 0x02, 0x30, 0x82, 0x03, 0xec, ...text];
    const response = Uint8Array.of(0x30, 0x82, 0x03, 0xf7, 0x30, 0x82, 0x03, 0xf3, ...info);
    expect(() => parseTimeStampResp(response)).toThrow(
      expect.objectContaining({ evidence: { status: 2, statusText: "A".repeat(200), failInfo: [] } }),
    );
  });
});
