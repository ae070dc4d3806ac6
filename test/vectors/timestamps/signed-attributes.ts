// Vectors of the signed attributes, with the two that CMS demands: content-type and message-digest (RFC 5652).
import { forge } from "./authorities.ts";
import { integer, membersOf, nothing, octets, oid, retag, sequence, set, tlv } from "./der-writer.ts";
import { attribute, hash, Oid, ROOT } from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

const contentType = attribute(Oid.contentType, oid(Oid.tstInfo));

export const signedAttributesVectors: readonly Vector[] = [
  vector(
    "good-attribute-more",
    "accepted",
    "a signed attribute nobody here knows",
    forge({ attributes: { extra: [attribute("2.999.5", integer(1))] } }),
  ),
  vector(
    "attributes-none",
    "signed_attributes",
    "no signed attributes: the signature is over the TSTInfo itself",
    forge({ signedBytes: (_, content) => content, sentAttributes: () => Buffer.alloc(0) }),
  ),
  vector(
    "attributes-signed-as-sent",
    "signature",
    "the signature is over [0] and not over the SET",
    forge({ signedBytes: (attributes) => retag(0xa0, attributes) }),
  ),
  vector(
    "attributes-unsorted",
    "accepted",
    "the attributes are not in DER order",
    forge({ orderAttributes: (_, members) => tlv(0x31, ...members.toSorted(Buffer.compare).toReversed()) }),
  ),
  vector(
    "attributes-sorted-later",
    "signature",
    "the attributes were signed out of order, and sorted afterwards",
    forge({ signedBytes: (attributes) => tlv(0x31, ...membersOf(attributes).toReversed()) }),
  ),
  vector(
    "attribute-member",
    "encoding",
    "a signed attribute with a third member",
    forge({ attributes: { extra: [sequence(oid("2.999.5"), set(nothing), nothing)] } }),
  ),
  vector(
    "attributes-long-length",
    "beyond_verifier: encoding",
    "BER: the length of the attributes in its long form",
    forge({
      orderAttributes: (_, members) => {
        const content = Buffer.concat(members.toSorted(Buffer.compare));
        return Buffer.concat([
          Uint8Array.of(0x31, 0x82, content.length >> 8, content.length & 0xff),
          content,
        ]);
      },
    }),
  ),
  vector(
    "attribute-twice",
    "signed_attributes_unique",
    "content-type occurs twice",
    forge({ attributes: { extra: [contentType] } }),
  ),
  vector(
    "attribute-two-values",
    "signed_attributes_unique",
    "content-type has two values",
    forge({ attributes: { contentType: attribute(Oid.contentType, oid(Oid.tstInfo), oid(Oid.data)) } }),
  ),
  vector(
    "content-type-attribute",
    "content_type_attribute",
    "content-type says id-data",
    forge({ attributes: { contentType: attribute(Oid.contentType, oid(Oid.data)) } }),
  ),
  vector(
    "content-type-attribute-missing",
    "content_type_attribute",
    "no content-type",
    forge({ attributes: { contentType: Buffer.alloc(0) } }),
  ),
  vector(
    "message-digest",
    "message_digest",
    "the digest of other content",
    forge({ attributes: { messageDigest: attribute(Oid.messageDigest, octets(hash("sha256", ROOT))) } }),
  ),
  vector(
    "message-digest-missing",
    "message_digest",
    "no message-digest",
    forge({ attributes: { messageDigest: Buffer.alloc(0) } }),
  ),
  vector(
    "message-digest-twice",
    "signed_attributes_unique",
    "message-digest occurs twice, once right",
    forge({ attributes: { extra: [attribute(Oid.messageDigest, octets(hash("sha256", ROOT)))] } }),
  ),
];
