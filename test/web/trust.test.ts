import { describe, expect, test } from "vitest";
import { parseCertificatesPem } from "../../core/timestamps/x509/pem.ts";
import { readDocument, type Subject } from "../../web/documents.ts";
import { type AnchorSource, chooseAnchors } from "../../web/trust.ts";
import { readBytes } from "../support/evidence.ts";

const subject = (file: string) => readDocument(readBytes(file)) as Subject;
const anchors = (file: string) => parseCertificatesPem(new TextDecoder().decode(readBytes(file)));

const receipt = subject("receipts/greeting.json");
const own = anchors("authorities/service.pem");
const other = anchors("../timestamps/openssl-rsa-ca.pem");

const sourceOf = async (...question: Parameters<typeof chooseAnchors>): Promise<AnchorSource | undefined> =>
  (await chooseAnchors(...question))?.source;

describe("chooseAnchors", () => {
  test("takes the reader's certificate before all others, even where the token does not lead to it", async () => {
    const reader = { source: { kind: "reader", name: "my.pem" }, der: other } as const;
    expect(await chooseAnchors(receipt, { reader, service: own }, own)).toBe(reader);
  });

  test("takes a known authority's before the service's own word", async () => {
    expect(await sourceOf(receipt, { reader: null, service: own }, own)).toEqual({ kind: "known" });
  });

  test("says that it is the service's word where no known authority issued the token", async () => {
    expect(await sourceOf(receipt, { reader: null, service: own }, other)).toEqual({ kind: "service" });
    expect(await sourceOf(receipt, { reader: null, service: own })).toEqual({ kind: "service" });
  });

  test("has none where nobody here issued the token, so that it is open rather than wrong", async () => {
    expect(await chooseAnchors(receipt, { reader: null, service: [] }, other)).toBeNull();
  });

  test("has none while there is no token", async () => {
    const pending = subject("receipts/goodbye-unstamped.json");
    expect(await chooseAnchors(pending, { reader: null, service: [] }, own)).toBeNull();
  });

  test.each(["damaged/receipt-timestamp-damaged.json", "damaged/receipt-timestamp-of-another-root.json"])(
    "does not let %s pass as the token of somebody unknown",
    async (file) => {
      expect(await sourceOf(subject(file), { reader: null, service: [] }, own)).toEqual({ kind: "known" });
    },
  );

  test("goes by the newest root of a bundle", async () => {
    const bundle = subject("bundles/conversation.json");
    expect(await sourceOf(bundle, { reader: null, service: [] }, own)).toEqual({ kind: "known" });
  });
});
