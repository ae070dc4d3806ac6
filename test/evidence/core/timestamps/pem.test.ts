import { describe, expect, test } from "vitest";
import { parseCertificatesPem } from "../../../../evidence/core/timestamps/x509/pem.ts";

const block = (body: string): string => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
const malformed = expect.objectContaining({ code: "malformed" });

describe("parseCertificatesPem", () => {
  test("reads every certificate in order, across line breaks and past words around them", () => {
    const pem = `Subject: one\n${block("AQI\nD")}another\r\n${block("BAUG").replaceAll("\n", "\r\n")}`;
    expect(parseCertificatesPem(pem)).toEqual([Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 6)]);
  });

  test("passes over what is no certificate, such as a private key in the same file", () => {
    const key = block("BAUG").replaceAll("CERTIFICATE", "PRIVATE KEY");
    expect(parseCertificatesPem(key + block("AQID"))).toEqual([Uint8Array.of(1, 2, 3)]);
  });

  test.for([
    ["no certificate", "nothing here"],
    ["a block without its end", `${block("AQID")}-----BEGIN CERTIFICATE-----\nAQID\n`],
    ["a character that is not base64", block("AQ!D")],
    ["base64 that was cut", block("AQIDB")],
    ["padding within the base64", block("AQ==AQID")],
    ["a space that is none of ASCII's", block("AQ\ufeffID")],
    ["a no-break space", block("AQ\u00a0ID")],
  ] as const)("refuses %s", ([, pem]) => {
    expect(() => parseCertificatesPem(pem)).toThrow(malformed);
  });
});
