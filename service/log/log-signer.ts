// The log's key, which never leaves KMS: Ed25519 (RFC 8032) over the very bytes that are signed, never over a digest.
import { GetPublicKeyCommand, type KMSClient, SignCommand } from "@aws-sdk/client-kms";
import { concatBytes, equalBytes, parseHex } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { ED25519_KEY_BYTES, verifyEd25519 } from "../../evidence/core/log/ed25519.ts";
import { errorNameOf } from "../table/aws-error.ts";

/** The beginning of a DER SubjectPublicKeyInfo of an Ed25519 key (RFC 8410 section 4); the key itself follows. */
const SPKI_PREFIX = parseHex("302a300506032b6570032100");

export class KmsSigner {
  readonly #client: KMSClient;
  readonly #keyId: string;
  #publicKey: Uint8Array | null = null;

  constructor(client: KMSClient, keyId: string) {
    this.#client = client;
    this.#keyId = keyId;
  }

  /** The 32 bytes of the public key, asked for once. Throws `signing_unavailable`; `misconfigured` for another key. */
  async publicKey(): Promise<Uint8Array> {
    this.#publicKey ??= await this.#readPublicKey();
    return this.#publicKey;
  }

  /** A signature that holds: no other is published. Throws `signing_unavailable`. */
  async sign(Message: Uint8Array): Promise<Uint8Array> {
    const publicKey = await this.publicKey();
    const algorithm = { SigningAlgorithm: "ED25519_SHA_512", MessageType: "RAW" } as const;
    const command = new SignCommand({ KeyId: this.#keyId, Message, ...algorithm });
    const { Signature } = await this.#client.send(command).catch(unavailable);
    if (Signature === undefined) return unavailable(new Error("the answer holds no signature"));
    if (await verifyEd25519(publicKey, Message, Signature)) return Signature;
    return unavailable(new Error("the signature does not hold"));
  }

  async #readPublicKey(): Promise<Uint8Array> {
    const command = new GetPublicKeyCommand({ KeyId: this.#keyId });
    const { PublicKey } = await this.#client.send(command).catch(unavailable);
    if (PublicKey === undefined) return unavailable(new Error("the answer holds no key"));
    const key = PublicKey.subarray(SPKI_PREFIX.length);
    if (key.length === ED25519_KEY_BYTES && equalBytes(PublicKey, concatBytes(SPKI_PREFIX, key))) return key;
    throw new DisclosureError("misconfigured", "the log's key is no Ed25519 key", { keyId: this.#keyId });
  }
}

function unavailable(cause: unknown): never {
  const evidence = { error: errorNameOf(cause) };
  throw new DisclosureError(
    "signing_unavailable",
    "the key service made no signature for the log",
    evidence,
    cause,
  );
}
