// The signed attributes of a SignerInfo (RFC 5652 section 11): what the signature binds besides the content.

import { equalBytes, formatHex } from "../../bytes.ts";
import { digest, digestNameOf } from "./algorithms.ts";
import { type DerValue, Tag } from "./der.ts";
import { onlyChild, readObjectIdentifier, readSequence } from "./der-fields.ts";
import type { SignerInfo } from "./signer-info.ts";
import { check } from "./token-check.ts";

/** The value of each signed attribute, by object identifier. */
export type SignedAttributes = ReadonlyMap<string, DerValue>;

const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";

/**
 * Throws `token_invalid` unless the attributes occur once each and bind this content of this type.
 * Returns them for the checks that need a certificate.
 */
export function verifySignedAttributes(
  { signedAttributes, digestAlgorithm }: SignerInfo,
  contentType: string,
  content: Uint8Array,
): SignedAttributes {
  const attributes = readAttributes(signedAttributes);
  const actualType = attributes.get(CONTENT_TYPE);
  const isTyped = actualType !== undefined && readObjectIdentifier(actualType) === contentType;
  // Signed attributes without a type could be those of another kind of message by the same key.
  check(isTyped, "content_type_attribute", "the signed content type is not TSTInfo", {
    expected: contentType,
  });
  const expected = digest(digestNameOf(digestAlgorithm), content);
  const actual = attributes.get(MESSAGE_DIGEST)?.content ?? new Uint8Array();
  check(equalBytes(actual, expected), "message_digest", "the signed digest is not that of the TSTInfo", {
    expected: formatHex(expected),
    actual: formatHex(actual),
  });
  return attributes;
}

/** RFC 5652 section 11: each of the attributes read here must not occur twice, and has one value. */
function readAttributes(set: DerValue): SignedAttributes {
  const entries = set.children.map(readAttribute);
  const attributes = new Map(entries);
  check(attributes.size === entries.length, "signed_attributes_unique", "a signed attribute occurs twice");
  return attributes;
}

const readAttribute = (attribute: DerValue): [string, DerValue] =>
  readSequence(attribute, (fields) => {
    const oid = readObjectIdentifier(fields.next(Tag.objectIdentifier));
    const values = fields.next(Tag.set);
    const single = "a signed attribute has not one value";
    check(values.children.length === 1, "signed_attributes_unique", single, { actual: oid });
    return [oid, onlyChild(values)];
  });
