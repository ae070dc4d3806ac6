// The log's key on one machine, as KMS has it: Sign and GetPublicKey of one ECC_NIST_EDWARDS25519 key.
// https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from "node:crypto";
import * as z from "zod";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { secretFile } from "./secret-file.ts";

/** The length of the key in PKCS #8. */
const SECRET_BASE64_LENGTH = 64;
const KEY_SPEC = "ECC_NIST_EDWARDS25519";
const KEY_USAGE = "SIGN_VERIFY";
const SIGNING_ALGORITHMS = ["ED25519_SHA_512", "ED25519_PH_SHA_512"] as const;

export interface LogKeyPair {
  readonly id: string;
  readonly secret: KeyObject;
}

const keyFileSchema = z.strictObject({ id: z.uuid(), secret: z.base64().length(SECRET_BASE64_LENGTH) });

/** The members of a Sign request beside the key and the message. Ed25519ph is left out: it signs a digest. */
export const signSchema = z.object({
  SigningAlgorithm: z.literal(SIGNING_ALGORITHMS[0]),
  MessageType: z.literal("RAW").default("RAW"),
});

/** The key kept in `file`, made on the first start. */
export function loadLogKey(file: string): LogKeyPair {
  const text = secretFile(file, createKey);
  try {
    const { id, secret } = keyFileSchema.parse(JSON.parse(text));
    const key = Buffer.from(secret, "base64");
    return { id, secret: createPrivateKey({ key, format: "der", type: "pkcs8" }) };
  } catch (error) {
    // With a new key in its place the log would have another identity, which nobody knows.
    throw new DisclosureError("misconfigured", `the key file ${file} is damaged`, { file }, error);
  }
}

function createKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  const secret = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  return JSON.stringify({ id: randomUUID(), secret });
}

/** The members of the answer to Sign beside the key's name. */
export const signMessage = ({ secret }: LogKeyPair, message: Uint8Array) => ({
  Signature: sign(null, message, secret).toString("base64"),
  SigningAlgorithm: SIGNING_ALGORITHMS[0],
});

/** Those of the answer to GetPublicKey. */
export const describePublicKey = ({ secret }: LogKeyPair) => ({
  KeySpec: KEY_SPEC,
  KeyUsage: KEY_USAGE,
  SigningAlgorithms: SIGNING_ALGORITHMS,
  PublicKey: createPublicKey(secret).export({ format: "der", type: "spki" }).toString("base64"),
});
