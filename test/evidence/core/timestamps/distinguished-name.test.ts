import { describe, expect, test } from "vitest";
import { parseDer } from "../../../../evidence/core/timestamps/x509/der.ts";
import { formatName } from "../../../../evidence/core/timestamps/x509/distinguished-name.ts";
import { oid, sequence, set, text, tlv } from "../../../vectors/timestamps/der-writer.ts";

const show = (...attributes: Uint8Array[]): string =>
  formatName(parseDer(new Uint8Array(sequence(...attributes.map((attribute) => set(attribute))))));
const attribute = (id: string, value: Uint8Array) => sequence(oid(id), value);

describe("formatName", () => {
  test("shows the most specific part first, by its keyword where it has one", () => {
    const country = attribute("2.5.4.6", text(0x13, "DE"));
    expect(show(country, attribute("2.5.4.3", text(0x0c, "Zeit")))).toBe("CN=Zeit,C=DE");
    expect(show(attribute("2.999.1", text(0x0c, "x")))).toBe("2.999.1=x");
  });

  test("reads a BMPString", () => {
    const value = tlv(0x1e, Buffer.from("Zürich", "utf16le").swap16());
    expect(show(attribute("2.5.4.7", value))).toBe("L=Zürich");
  });

  test.for([
    ["2.5.4.5", "serialNumber"],
    ["2.5.4.8", "ST"],
    ["2.5.4.10", "O"],
    ["2.5.4.11", "OU"],
    ["2.5.4.97", "organizationIdentifier"],
  ] as const)("shows %s as %s", ([id, keyword]) => {
    expect(show(attribute(id, text(0x0c, "x")))).toBe(`${keyword}=x`);
  });

  test("shows the attributes of one part with a plus between them", () => {
    const [country, name] = [
      attribute("2.5.4.6", text(0x13, "DE")),
      attribute("2.5.4.3", text(0x0c, "Zeit")),
    ];
    expect(formatName(parseDer(new Uint8Array(sequence(set(name, country)))))).toBe("C=DE+CN=Zeit");
  });

  test("escapes a space or a number sign at the ends alone", () => {
    expect(show(attribute("2.5.4.3", text(0x0c, "#a # b")))).toBe("CN=\\#a # b");
  });

  test("escapes what separates parts, so that one name can't be read as two", () => {
    expect(show(attribute("2.5.4.3", text(0x0c, " a,O=b+c ")))).toBe("CN=\\ a\\,O\\=b\\+c\\ ");
  });

  test("refuses an attribute without a value", () => {
    expect(() => show(sequence(oid("2.5.4.3")))).toThrow(expect.objectContaining({ code: "malformed" }));
  });
});
