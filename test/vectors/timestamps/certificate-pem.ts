// A certificate in PEM, as openssl writes one (RFC 7468 section 5).
import type { Bytes } from "./der-writer.ts";

export function certificatePem(der: Bytes): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
