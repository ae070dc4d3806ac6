// KMS on one machine: GenerateMac and VerifyMac of one HMAC_256 key, over AWS JSON 1.1.
// https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateMac.html
import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from "node:crypto";
import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { DisclosureError, isDisclosureError } from "../core/errors.ts";
import { listen, type Reply, readBody } from "./http-server.ts";
import { secretFile } from "./secret-file.ts";

const KEY_BYTES = 32;
const KEY_BASE64_LENGTH = 44;
const MAX_MESSAGE_BYTES = 4_096;
/** Room for the longest message and MAC in base64, with their names. */
const MAX_BODY_BYTES = 16_384;
const OPERATION = /^TrentService\.(GenerateMac|VerifyMac)$/;
const ARN_PREFIX = "arn:aws:kms:local:000000000000:key/";

export type KeyService = {
  readonly endpoint: string;
  /** The key's id, a UUID. As in KMS, requests may name its ARN instead, and answers do. */
  readonly keyId: string;
  readonly close: () => Promise<void>;
};

type StoredKey = { readonly id: string; readonly secret: KeyObject };

/** An error of KMS, thrown where it is found. */
class KmsError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const keyFileSchema = z.strictObject({ id: z.uuid(), secret: z.base64().length(KEY_BASE64_LENGTH) });

const requestSchema = z.object({
  KeyId: z.string(),
  Message: z
    .base64()
    .transform((text) => Buffer.from(text, "base64"))
    .refine(
      (message) => message.length >= 1 && message.length <= MAX_MESSAGE_BYTES,
      "must have 1 to 4096 bytes",
    ),
  MacAlgorithm: z.enum(["HMAC_SHA_224", "HMAC_SHA_256", "HMAC_SHA_384", "HMAC_SHA_512"]),
  Mac: z
    .base64()
    .transform((text) => Buffer.from(text, "base64"))
    .optional(),
});

/** Serves the key kept in `file`, made on the first start, on `port` or any free one. */
export async function startKeyService({ file, port }: { file: string; port?: number }): Promise<KeyService> {
  const key = loadKey(file);
  const server = await listen((request) => answer(key, request).catch(errorReply), port);
  return { endpoint: server.url, keyId: key.id, close: server.close };
}

function loadKey(file: string): StoredKey {
  const text = secretFile(file, createKey);
  try {
    const { id, secret } = keyFileSchema.parse(JSON.parse(text));
    return { id, secret: createSecretKey(secret, "base64") };
  } catch (error) {
    // With a new key in its place the MAC of every earlier receipt would fail: the operator must decide that.
    throw new DisclosureError("misconfigured", `the key file ${file} is damaged`, { file }, error);
  }
}

const createKey = (): string =>
  JSON.stringify({ id: randomUUID(), secret: randomBytes(KEY_BYTES).toString("base64") });

async function answer(key: StoredKey, request: IncomingMessage): Promise<Reply> {
  const [, operation] = OPERATION.exec(String(request.headers["x-amz-target"])) ?? [];
  if (operation === undefined)
    throw new KmsError("UnknownOperationException", "not an operation of this stand-in");
  const { KeyId, Message, MacAlgorithm, Mac } = await parseRequest(request);
  requireKey(key, KeyId, MacAlgorithm);
  const expected = createHmac("sha256", key.secret).update(Message).digest();
  const named = { KeyId: ARN_PREFIX + key.id, MacAlgorithm };
  if (operation === "GenerateMac") return jsonReply(200, { ...named, Mac: expected.toString("base64") });
  requireMac(expected, Mac);
  return jsonReply(200, { ...named, MacValid: true });
}

async function parseRequest(request: IncomingMessage): Promise<z.infer<typeof requestSchema>> {
  const body = Buffer.from(await readBody(request, MAX_BODY_BYTES)).toString("utf8");
  const result = requestSchema.safeParse(parseJson(body));
  if (!result.success) throw new KmsError("ValidationException", z.prettifyError(result.error));
  return result.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KmsError("SerializationException", "the body is not JSON");
  }
}

function requireKey(key: StoredKey, keyId: string, algorithm: string): void {
  if (keyId !== key.id && keyId !== ARN_PREFIX + key.id)
    throw new KmsError("NotFoundException", "no such key");
  // An HMAC_256 key has this one algorithm.
  if (algorithm !== "HMAC_SHA_256")
    throw new KmsError("InvalidKeyUsageException", "the key is an HMAC_256 key");
}

function requireMac(expected: Buffer, actual: Buffer | undefined): void {
  if (actual === undefined) throw new KmsError("ValidationException", "Mac is missing");
  const valid = actual.length === expected.length && timingSafeEqual(actual, expected);
  if (!valid) throw new KmsError("KMSInvalidMacException", "the MAC is not valid");
}

function errorReply(error: unknown): Reply {
  if (error instanceof KmsError) return jsonReply(400, { __type: error.type, message: error.message });
  if (!isDisclosureError(error, "payload_too_large")) throw error;
  return jsonReply(400, { __type: "ValidationException", message: error.message });
}

const jsonReply = (status: number, body: object): Reply => ({
  status,
  headers: { "content-type": "application/x-amz-json-1.1" },
  body: JSON.stringify(body),
});
