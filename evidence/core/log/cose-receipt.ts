// COSE receipts of inclusion (RFC 9942, RFC9162_SHA256): the log's COSE_Sign1 over the root of a seal, which is signed
// once a seal, and the proof of one entry, which whoever exports the receipt puts into the unprotected header.
import { equalBytes, formatHex } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { HASH_BYTES, hashBytes, hashLeaf } from "../merkle/hash.ts";
import { rootOfInclusion } from "../merkle/merkle-proof.ts";
import { type CborMap, CborTag, type CborValue, formatCbor, isMap, parseCbor } from "./cbor.ts";
import { ED25519_SIGNATURE_BYTES, verifyEd25519 } from "./ed25519.ts";
import type { NoteKey } from "./note.ts";

/** The header parameters (RFC 9052 section 3.1, RFC 9597, RFC 9942 section 2). */
const HEADER = { alg: 1, kid: 4, cwtClaims: 15, vds: 395, vdp: 396 } as const;
const CLAIM = { iss: 1, sub: 2 } as const;
const COSE_SIGN1_TAG = 18;
const COSE_OPENING = [0xd2, 0x84] as const;
const SIGN1_MEMBERS = 4;
const EDDSA = -8;
const RFC9162_SHA256 = 1;
const INCLUSION_PROOFS = -1;
const ISSUER_SCHEME = "https://";
const SUBJECT = "disclosure-receipts/metachain";
const SIGNATURE_CONTEXT = "Signature1";
/** 63 nodes of 34 bytes and a header with a long origin fit in it. */
export const MAX_COSE_BYTES = 4_096;

/** The log's signature over the root of a seal, without the root. */
export interface SignedRoot {
  /** The protected header as it was signed. */
  readonly header: Uint8Array;
  readonly signature: Uint8Array;
}

/** The place of one entry in the tree whose root is signed, and its path to that root. */
export interface EntryProof {
  readonly treeSize: number;
  readonly leafIndex: number;
  readonly path: readonly Uint8Array[];
}

export interface CoseReceipt {
  readonly signedRoot: SignedRoot;
  readonly proof: EntryProof;
}

/** The protected header of the log with this key, whose name is the log's origin. */
export const coseProtectedHeader = ({ name, publicKey }: Pick<NoteKey, "name" | "publicKey">): Uint8Array =>
  formatCbor(
    new Map<number, CborValue>([
      [HEADER.alg, EDDSA],
      [HEADER.kid, hashBytes(publicKey)],
      [
        HEADER.cwtClaims,
        new Map([
          [CLAIM.iss, `${ISSUER_SCHEME}${name}`],
          [CLAIM.sub, SUBJECT],
        ]),
      ],
      [HEADER.vds, RFC9162_SHA256],
    ]),
  );

/** The Sig_structure (RFC 9052 section 4.4), the bytes that Ed25519 signs. It begins with 0x84, which no note does. */
export const coseSignatureInput = (header: Uint8Array, root: Uint8Array): Uint8Array =>
  formatCbor([SIGNATURE_CONTEXT, header, new Uint8Array(), root]);

/** The COSE_Sign1 with a detached payload and an empty unprotected header: what the log publishes for a seal. */
export const formatSignedRoot = (header: Uint8Array, signature: Uint8Array): Uint8Array =>
  formatSign1({ header, signature }, new Map());

/** True if these bytes begin as a tagged COSE_Sign1 does: with tag 18, and an array of four. */
export const isCose = ([tag, array]: Uint8Array): boolean =>
  tag === COSE_OPENING[0] && array === COSE_OPENING[1];

/** Reads what `formatSignedRoot` wrote; nothing is verified. Throws `malformed`. */
export function parseSignedRoot(bytes: Uint8Array): SignedRoot {
  const { signedRoot, unprotectedHeader } = parseSign1(bytes);
  if (unprotectedHeader.size === 0) return signedRoot;
  throw malformed("a signed root has an unprotected header");
}

/** Throws `proof_invalid` unless the log with this key signed the root. */
export async function verifySignedRoot(
  { header, signature }: SignedRoot,
  root: Uint8Array,
  key: NoteKey,
): Promise<void> {
  requireHeaderOf(key, header);
  if (await verifyEd25519(key.publicKey, coseSignatureInput(header, root), signature)) return;
  throw new DisclosureError("proof_invalid", "the log's COSE signature does not hold over the root");
}

/** Throws `malformed` for a tree of one entry: its path is empty, and RFC 9942 has no receipt with an empty path. */
export function formatCoseReceipt({ signedRoot, proof }: CoseReceipt): Uint8Array {
  const { treeSize, leafIndex, path } = proof;
  if (path.length === 0)
    throw malformed("a tree of one entry has no COSE receipt, since RFC 9942 knows no empty path");
  const proofs = [formatCbor([treeSize, leafIndex, path])];
  return formatSign1(signedRoot, new Map([[HEADER.vdp, new Map([[INCLUSION_PROOFS, proofs]])]]));
}

/** Reads a COSE receipt with one proof of inclusion; nothing is verified. Throws `malformed`. */
export function parseCoseReceipt(bytes: Uint8Array): CoseReceipt {
  const { signedRoot, unprotectedHeader } = parseSign1(bytes);
  const proofs = onlyMember(unprotectedHeader, HEADER.vdp);
  const inclusions = isMap(proofs) ? onlyMember(proofs, INCLUSION_PROOFS) : undefined;
  if (!Array.isArray(inclusions) || inclusions.length !== 1 || !(inclusions[0] instanceof Uint8Array)) {
    throw malformed("a COSE receipt does not hold one proof of inclusion");
  }
  return { signedRoot, proof: readProof(parseCbor(inclusions[0])) };
}

/**
 * The root that the log signed, in which the entry stands. Throws `proof_invalid`. The tree's size is not signed in
 * RFC 9942, so it says no more than the turns of the path do.
 */
export async function verifyCoseReceipt(
  { signedRoot, proof }: CoseReceipt,
  entry: Uint8Array,
  key: NoteKey,
): Promise<Uint8Array> {
  const root = rootOfInclusion(hashLeaf(entry), proof.leafIndex, proof.treeSize, proof.path);
  await verifySignedRoot(signedRoot, root, key);
  return root;
}

/** The log's origin as the protected header names it. Throws `malformed` for a header that no log of ours writes. */
export function readCoseOrigin(header: Uint8Array): string {
  const map = parseCbor(header);
  const claims = isMap(map) ? map.get(HEADER.cwtClaims) : undefined;
  const issuer = isMap(claims) ? claims.get(CLAIM.iss) : undefined;
  if (typeof issuer === "string" && issuer.startsWith(ISSUER_SCHEME))
    return issuer.slice(ISSUER_SCHEME.length);
  throw malformed("the COSE header names no issuer");
}

/** Deterministic CBOR has one header for one key, so equal bytes are equal alg, kid, iss, sub and vds. */
function requireHeaderOf(key: NoteKey, header: Uint8Array): void {
  if (equalBytes(header, coseProtectedHeader(key))) return;
  throw new DisclosureError("proof_invalid", "the COSE header is not that of the log's key", {
    key: key.name,
    header: formatHex(header),
  });
}

const formatSign1 = ({ header, signature }: SignedRoot, unprotectedHeader: CborMap): Uint8Array =>
  formatCbor(new CborTag(COSE_SIGN1_TAG, [header, unprotectedHeader, null, signature]));

function parseSign1(bytes: Uint8Array): { signedRoot: SignedRoot; unprotectedHeader: CborMap } {
  if (bytes.length > MAX_COSE_BYTES) throw malformed("a COSE message is too long");
  const message = parseCbor(bytes);
  const members = message instanceof CborTag && message.tag === COSE_SIGN1_TAG ? message.value : null;
  if (!Array.isArray(members) || members.length !== SIGN1_MEMBERS) throw malformed("this is no COSE_Sign1");
  const [header, unprotectedHeader, payload, signature] = members as readonly CborValue[];
  const isSigned = header instanceof Uint8Array && signature instanceof Uint8Array && payload === null;
  if (isSigned && isMap(unprotectedHeader) && signature.length === ED25519_SIGNATURE_BYTES) {
    return { signedRoot: { header, signature }, unprotectedHeader };
  }
  throw malformed("the COSE_Sign1 does not sign a detached payload by Ed25519");
}

function readProof(value: CborValue): EntryProof {
  const [treeSize, leafIndex, path, ...rest] = Array.isArray(value) ? (value as readonly CborValue[]) : [];
  const isPlace = typeof treeSize === "number" && typeof leafIndex === "number" && rest.length === 0;
  if (isPlace && Array.isArray(path) && path.length > 0 && path.every(isHash)) {
    return { treeSize, leafIndex, path };
  }
  throw malformed("a proof of inclusion is not tree size, leaf index and path");
}

const isHash = (value: CborValue): value is Uint8Array =>
  value instanceof Uint8Array && value.length === HASH_BYTES;

/** The unprotected header is not signed, so it must not say more than this. */
const onlyMember = (map: CborMap, key: number): CborValue | undefined =>
  map.size === 1 ? map.get(key) : undefined;

const malformed = (message: string): DisclosureError => new DisclosureError("malformed", message);
