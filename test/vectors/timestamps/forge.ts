// Certificates and tokens to order: every part can be replaced, and the signature still holds over what was made.
import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  type RSAPSSKeyPairKeyObjectOptions,
  randomBytes,
  type SigningOptions,
  sign,
} from "node:crypto";
import {
  type Bytes,
  bits,
  boolean,
  context,
  integer,
  nothing,
  octets,
  oid,
  retag,
  sequence,
  set,
  text,
  tlv,
} from "./der-writer.ts";

export const ROOT = createHash("sha256").update("disclosure-receipts timestamp vectors").digest();
export const NONCE = Buffer.from("1f2e3d4c5b6a7988", "hex");
export const POLICY = "2.999.1";
export const hash = (name: string, ...parts: Bytes[]): Bytes =>
  createHash(name).update(Buffer.concat(parts)).digest();

export const Oid = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  tstInfo: "1.2.840.113549.1.9.16.1.4",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  essV1: "1.2.840.113549.1.9.16.2.12",
  essV2: "1.2.840.113549.1.9.16.2.47",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  sha1: "1.3.14.3.2.26",
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
} as const;

/** A way to sign: the AlgorithmIdentifier it goes by, and node's name of its digest. */
export type Scheme = {
  readonly algorithm: Bytes;
  /** Null where the scheme has its own. */
  readonly digest: string | null;
  readonly options?: SigningOptions;
};

export const Digests = {
  sha1: { oid: Oid.sha1, name: "sha1" },
  sha256: { oid: Oid.sha256, name: "sha256" },
  sha384: { oid: Oid.sha384, name: "sha384" },
  sha512: { oid: Oid.sha512, name: "sha512" },
} as const;
type Digest = (typeof Digests)[keyof typeof Digests];

/** RSASSA-PSS-params, each as an option so that a forgery can leave it out or exchange it. */
const pssParameters = (digest: Digest, mask: Digest, saltLength: number, ...rest: Bytes[]): Bytes =>
  sequence(
    context(0, sequence(oid(digest.oid), nothing)),
    context(1, sequence(oid("1.2.840.113549.1.1.8"), sequence(oid(mask.oid), nothing))),
    context(2, integer(saltLength)),
    ...rest,
  );
const pss = (digest: Digest, parameters: Bytes, saltLength: number): Scheme => ({
  algorithm: sequence(oid("1.2.840.113549.1.1.10"), parameters),
  digest: digest.name,
  options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength },
});
const named = (id: string, digest: string | null, ...parameters: Bytes[]): Scheme => ({
  algorithm: sequence(oid(id), ...parameters),
  digest,
});

export const Schemes = {
  ecdsaSha256: named("1.2.840.10045.4.3.2", "sha256"),
  ecdsaSha384: named("1.2.840.10045.4.3.3", "sha384"),
  ecdsaSha512: named("1.2.840.10045.4.3.4", "sha512"),
  ecdsaSha1: named("1.2.840.10045.4.1", "sha1"),
  ed25519: named("1.3.101.112", null),
  rsaSha1: named("1.2.840.113549.1.1.5", "sha1", nothing),
  rsaSha256: named("1.2.840.113549.1.1.11", "sha256", nothing),
  rsaSha384: named("1.2.840.113549.1.1.12", "sha384", nothing),
  rsaSha512: named("1.2.840.113549.1.1.13", "sha512", nothing),
  rsaPlain: named("1.2.840.113549.1.1.1", "sha512", nothing),
  pssSha256: pss(Digests.sha256, pssParameters(Digests.sha256, Digests.sha256, 32), 32),
  pssSha384: pss(Digests.sha384, pssParameters(Digests.sha384, Digests.sha384, 48), 48),
  pssSha512: pss(Digests.sha512, pssParameters(Digests.sha512, Digests.sha512, 64), 64),
  pssTrailer: pss(
    Digests.sha256,
    pssParameters(Digests.sha256, Digests.sha256, 32, context(3, integer(1))),
    32,
  ),
  pssOtherTrailer: pss(
    Digests.sha256,
    pssParameters(Digests.sha256, Digests.sha256, 32, context(3, integer(2))),
    32,
  ),
  pssMaskSha384: pss(Digests.sha256, pssParameters(Digests.sha256, Digests.sha384, 32), 32),
  pssMaskFunction: pss(
    Digests.sha256,
    sequence(
      context(0, sequence(oid(Oid.sha256), nothing)),
      context(1, sequence(oid("1.2.840.113549.1.1.9"), sequence(oid(Oid.sha256), nothing))),
      context(2, integer(32)),
    ),
    32,
  ),
  pssLongSalt: pss(Digests.sha256, pssParameters(Digests.sha256, Digests.sha256, 250), 32),
  pssMore: pss(
    Digests.sha256,
    pssParameters(Digests.sha256, Digests.sha256, 32, context(3, integer(1)), nothing),
    32,
  ),
  pssNoParameters: {
    ...named("1.2.840.113549.1.1.10", "sha1"),
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 },
  },
  pssOtherMask: pss(Digests.sha256, pssParameters(Digests.sha256, Digests.sha1, 32), 32),
  pssDefaults: pss(Digests.sha1, sequence(), 20),
} satisfies Record<string, Scheme>;

export type KeyPair = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
export const ecKeys = (namedCurve = "P-256"): KeyPair => generateKeyPairSync("ec", { namedCurve });
/** Keys whose certificate says that they are for RSASSA-PSS, with these parameters where given. */
export function pssKeys(hashAlgorithm?: string, saltLength?: number): KeyPair {
  const parameters = { ...(hashAlgorithm !== undefined && { hashAlgorithm, mgf1HashAlgorithm: hashAlgorithm }) };
  const salt = { ...(saltLength !== undefined && { saltLength }) };
  // The declared type takes the salt's length for a text, and node for a number.
  const options: object = { modulusLength: 2048, ...parameters, ...salt };
  return generateKeyPairSync("rsa-pss", options as RSAPSSKeyPairKeyObjectOptions);
}
export const rsaKeys = (modulusLength: number): KeyPair => generateKeyPairSync("rsa", { modulusLength });

export const nameOf = (commonName: string): Bytes =>
  sequence(
    set(sequence(oid("2.5.4.6"), text(0x13, "DE"))),
    set(sequence(oid("2.5.4.3"), text(0x0c, commonName))),
  );

export const extension = (id: string, isCritical: boolean, value: Bytes): Bytes =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octets(value));

export const basicConstraints = (pathLength?: number): Bytes =>
  extension(
    "2.5.29.19",
    true,
    sequence(boolean(true), ...(pathLength === undefined ? [] : [integer(pathLength)])),
  );
/** The highest `used` bits of the octet are named bits; the rest is unused. */
export const keyUsage = (octet: number, used: number): Bytes =>
  extension("2.5.29.15", true, bits(Uint8Array.of(octet), 8 - used));
export const digitalSignature = keyUsage(0x80, 1);
export const keyCertSign = keyUsage(0x06, 7);
export const extendedKeyUsage = (isCritical: boolean, ...purposes: string[]): Bytes =>
  extension("2.5.29.37", isCritical, sequence(...purposes.map(oid)));
export const subjectKeyIdentifier = (identifier: Bytes): Bytes =>
  extension("2.5.29.14", false, octets(identifier));

/** keyIdentifier [0] of AuthorityKeyIdentifier. */
export const issuerKeyIdentifier = (identifier: Bytes): Bytes =>
  extension("2.5.29.35", false, sequence(tlv(0x80, identifier)));

export const caExtensions = [basicConstraints(), keyCertSign];
export const tsaExtensions = [digitalSignature, extendedKeyUsage(true, Oid.timeStamping)];

export type Identity = KeyPair & {
  readonly name: Bytes;
  readonly serial: Bytes;
  readonly certificate: Bytes;
  readonly issuerName: Bytes;
};

export type CertificateOrder = {
  readonly name: string;
  readonly issuer?: Identity;
  readonly keys?: KeyPair;
  readonly extensions: readonly Bytes[];
  readonly notBefore?: string;
  readonly notAfter?: string;
  readonly scheme?: Scheme;
  /** Another name than the issuer's own. */
  readonly issuerName?: Bytes;
  /** The algorithm named outside of what is signed, where it is another. */
  readonly outerAlgorithm?: Bytes;
  readonly alterSignature?: (signature: Bytes) => Bytes;
  /** The members of what is signed, from the version to the extensions. */
  readonly alterTbs?: (members: Bytes[]) => Bytes[];
  /** Members after the signature. */
  readonly outerRest?: readonly Bytes[];
};

/** A certificate and its key; self-signed where no issuer is given. */
export function makeIdentity(order: CertificateOrder): Identity {
  const { issuer, keys = ecKeys(), extensions, scheme = Schemes.ecdsaSha256 } = order;
  const { notBefore = "20200101000000Z", notAfter = "20660101000000Z" } = order;
  const name = nameOf(order.name);
  const serial = Uint8Array.of(1, ...randomBytes(8));
  const issuerName = order.issuerName ?? issuer?.name ?? name;
  const { outerAlgorithm = scheme.algorithm, alterSignature = (signature: Bytes) => signature } = order;
  const { alterTbs = (members: Bytes[]) => members, outerRest = [] } = order;
  const tbs = sequence(
    ...alterTbs([
      context(0, integer(2)),
      integer(serial),
      scheme.algorithm,
      issuerName,
      // RFC 5280 section 4.1.2.5: UTCTime up to the year 2049.
      sequence(
        text(0x17, notBefore.slice(2)),
        notAfter < "2050" ? text(0x17, notAfter.slice(2)) : text(0x18, notAfter),
      ),
      name,
      keys.publicKey.export({ type: "spki", format: "der" }),
      context(3, sequence(...extensions)),
    ]),
  );
  const signature = alterSignature(signBy(scheme, (issuer ?? keys).privateKey, tbs));
  return { ...keys, name, serial, issuerName, certificate: sequence(tbs, outerAlgorithm, bits(signature), ...outerRest) };
}

export const signBy = ({ digest, options }: Scheme, key: KeyObject, data: Bytes): Bytes =>
  sign(digest, data, { key, ...options });

/** The members of a TSTInfo, each in DER, so that a forgery can replace one. */
export const tstInfoParts = (): Record<"version" | "policy" | "imprint" | "serial" | "genTime" | "accuracy" | "ordering" | "nonce" | "extensions", Bytes> => ({
  version: integer(1),
  policy: oid(POLICY),
  imprint: sequence(sequence(oid(Oid.sha256), nothing), octets(ROOT)),
  serial: integer(7),
  genTime: text(0x18, "20261001120000Z"),
  accuracy: Buffer.alloc(0),
  ordering: Buffer.alloc(0),
  nonce: integer(NONCE),
  extensions: Buffer.alloc(0),
});
export type TstInfoParts = ReturnType<typeof tstInfoParts>;

export const attribute = (id: string, ...values: Bytes[]): Bytes => sequence(oid(id), set(...values));
export const generalNames = (name: Bytes): Bytes => sequence(context(4, name));

export const essV2 = ({ certificate }: Identity, ...issuerSerial: Bytes[]): Bytes =>
  attribute(Oid.essV2, sequence(sequence(sequence(octets(hash("sha256", certificate)), ...issuerSerial))));
/** ESSCertIDv2 that names its digest. */
export const essV2By = ({ certificate }: Identity, digest: Digest): Bytes => {
  const certId = sequence(sequence(oid(digest.oid)), octets(hash(digest.name, certificate)));
  return attribute(Oid.essV2, sequence(sequence(certId)));
};
export const essV1 = ({ certificate }: Identity): Bytes =>
  attribute(Oid.essV1, sequence(sequence(sequence(octets(hash("sha1", certificate))))));

export type Attributes = { contentType: Bytes; messageDigest: Bytes; ess: Bytes; extra: Bytes[] };

export type TokenOrder = {
  readonly tsa: Identity;
  readonly certificates?: readonly Bytes[];
  readonly crls?: readonly Bytes[];
  readonly tstInfo?: Partial<TstInfoParts>;
  /** Members after those that a TSTInfo has. */
  readonly tstInfoRest?: readonly Bytes[];
  readonly outerType?: string;
  readonly innerType?: string;
  readonly attributes?: Partial<Attributes>;
  readonly orderAttributes?: (set: Bytes, members: readonly Bytes[]) => Bytes;
  readonly digest?: { readonly oid: string; readonly name: string };
  readonly scheme?: Scheme;
  readonly identifier?: Bytes;
  readonly alterSignature?: (signature: Bytes) => Bytes;
  /** What is signed in place of the attributes. */
  readonly signedBytes?: (attributes: Bytes, content: Bytes) => Bytes;
  /** What stands in the message in place of the attributes as [0]. */
  readonly sentAttributes?: (attributes: Bytes) => Bytes;
  /** What stands in the message in place of the content as [0]. */
  readonly sentContent?: (content: Bytes) => Bytes;
  readonly alterSigners?: (signer: Bytes) => Bytes[];
};

/** A TimeStampToken. What the order leaves out is as it should be. */
export function makeToken(order: TokenOrder): Bytes {
  const { tstInfoRest = [] } = order;
  const content = sequence(...Object.values({ ...tstInfoParts(), ...order.tstInfo }), ...tstInfoRest);
  const { digest = Digests.sha256, certificates = [order.tsa.certificate], crls = [] } = order;
  const signer = makeSigner(order, content, digest);
  const signedData = sequence(
    integer(3),
    set(sequence(oid(digest.oid), nothing)),
    sequence(oid(order.innerType ?? Oid.tstInfo), order.sentContent?.(content) ?? context(0, octets(content))),
    ...(certificates.length === 0 ? [] : [retag(0xa0, set(...certificates))]),
    ...(crls.length === 0 ? [] : [retag(0xa1, set(...crls))]),
    set(...(order.alterSigners?.(signer) ?? [signer])),
  );
  return sequence(oid(order.outerType ?? Oid.signedData), context(0, signedData));
}

function makeSigner(order: TokenOrder, content: Bytes, digest: { oid: string; name: string }): Bytes {
  const { tsa, scheme = Schemes.ecdsaSha256, identifier, alterSignature = (signature) => signature } = order;
  const defaults: Attributes = {
    contentType: attribute(Oid.contentType, oid(Oid.tstInfo)),
    messageDigest: attribute(Oid.messageDigest, octets(hash(digest.name, content))),
    ess: essV2(tsa),
    extra: [],
  };
  const { extra, ...one } = { ...defaults, ...order.attributes };
  const members = [...Object.values(one), ...extra];
  const attributes = order.orderAttributes?.(set(...members), members) ?? set(...members);
  return sequence(
    integer(identifier === undefined ? 1 : 3),
    identifier ?? sequence(tsa.issuerName, integer(tsa.serial)),
    sequence(oid(digest.oid), nothing),
    order.sentAttributes?.(attributes) ?? retag(0xa0, attributes),
    scheme.algorithm,
    octets(alterSignature(signBy(scheme, tsa.privateKey, order.signedBytes?.(attributes, content) ?? attributes))),
  );
}
