// X.501 names for people to read, written as RFC 4514 strings. Never compared: comparison is on DER.

import { DisclosureError } from "../../errors.ts";
import { type DerValue, Tag } from "./der.ts";
import { readObjectIdentifier, readSequence, requireTag } from "./der-fields.ts";

const BMP_STRING = 0x1e;

const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["2.5.4.3", "CN"],
  ["2.5.4.5", "serialNumber"],
  ["2.5.4.6", "C"],
  ["2.5.4.7", "L"],
  ["2.5.4.8", "ST"],
  ["2.5.4.10", "O"],
  ["2.5.4.11", "OU"],
  ["2.5.4.97", "organizationIdentifier"],
]);

/** The most specific part first. Throws `malformed` unless `name` is a Name. */
export const formatName = (name: DerValue): string =>
  requireTag(name, Tag.sequence).children.map(formatRelativeName).reverse().join(",");

const formatRelativeName = (set: DerValue): string =>
  requireTag(set, Tag.set).children.map(formatAttribute).join("+");

const formatAttribute = (attribute: DerValue): string =>
  readSequence(attribute, (fields) => {
    const oid = readObjectIdentifier(fields.next(Tag.objectIdentifier));
    const value = fields.any();
    if (value === undefined)
      throw new DisclosureError("malformed", "a name has an attribute without a value");
    return `${KEYWORDS.get(oid) ?? oid}=${escapeValue(decodeText(value))}`;
  });

const decodeText = ({ tag, content }: DerValue): string =>
  new TextDecoder(tag === BMP_STRING ? "utf-16be" : "utf-8").decode(content);

const escapeValue = (text: string): string =>
  text.replace(/[\\",+;<>=]|^[ #]| $/g, (character) => `\\${character}`);
