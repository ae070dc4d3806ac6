// KMS on one machine, over AWS JSON 1.1: GenerateMac of one HMAC_256 key, Sign and GetPublicKey of the log's.
// https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateMac.html
import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { type HttpHandler, listen, type Reply, readBody } from "../server/http-server.ts";
import { describePublicKey, type LogKeyPair, loadLogKey, signMessage, signSchema } from "./log-key.ts";
import { forOwnClients } from "./own-clients.ts";
import { secretFile } from "./secret-file.ts";

const KEY_BYTES = 32;
const KEY_BASE64_LENGTH = 44;
const MAX_MESSAGE_BYTES = 4_096;
/** Room for the longest message in base64, with the names. */
const MAX_BODY_BYTES = 16_384;
const TARGET = /^TrentService\.(\w+)$/;
const ARN_PREFIX = "arn:aws:kms:local:000000000000:key/";

export type KeyService = {
  readonly endpoint: string;
  /** The key's id, a UUID. As in KMS, requests may name its ARN instead, and answers do. */
  readonly keyId: string;
  /** That of the log's key. */
  readonly logKeyId: string;
  readonly close: () => Promise<void>;
};

type StoredKey = { readonly id: string; readonly secret: KeyObject };

interface Keys {
  readonly mac: StoredKey;
  readonly log: LogKeyPair;
}

/** An error of KMS, thrown where it is found. */
class KmsError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const keyFileSchema = z.strictObject({ id: z.uuid(), secret: z.base64().length(KEY_BASE64_LENGTH) });

const messageSchema = z
  .base64()
  .transform((text) => Buffer.from(text, "base64"))
  .refine(
    (message) => message.length >= 1 && message.length <= MAX_MESSAGE_BYTES,
    "must have 1 to 4096 bytes",
  );

const keySchema = z.object({ KeyId: z.string() });

const macSchema = z.object({
  Message: messageSchema,
  MacAlgorithm: z.enum(["HMAC_SHA_224", "HMAC_SHA_256", "HMAC_SHA_384", "HMAC_SHA_512"]),
});

const signatureSchema = signSchema.extend({ Message: messageSchema });

export interface KeyFiles {
  readonly mac: string;
  readonly log: string;
}

/** Serves the keys kept in `files`, made on the first start, on `port` or any free one. */
export async function startKeyService({
  files,
  port,
  accessKey,
}: {
  files: KeyFiles;
  port?: number;
  accessKey?: string;
}): Promise<KeyService> {
  const keys = { mac: loadKey(files.mac), log: loadLogKey(files.log) };
  const handler: HttpHandler = (request) => answer(keys, request).catch(errorReply);
  const server = await listen(forOwnClients(handler, accessKey), port);
  return { endpoint: server.url, keyId: keys.mac.id, logKeyId: keys.log.id, close: server.close };
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

async function answer(keys: Keys, request: IncomingMessage): Promise<Reply> {
  const [, operation = ""] = TARGET.exec(String(request.headers["x-amz-target"])) ?? [];
  const carryOut = OPERATIONS.get(operation);
  if (carryOut === undefined)
    throw new KmsError("UnknownOperationException", "not an operation of this stand-in");
  const body = Buffer.from(await readBody(request, MAX_BODY_BYTES)).toString("utf8");
  return jsonReply(200, carryOut(keys, parseJson(body)));
}

const OPERATIONS: ReadonlyMap<string, (keys: Keys, request: unknown) => object> = new Map([
  ["GenerateMac", generateMac],
  ["Sign", signWithLogKey],
  ["GetPublicKey", getPublicKey],
]);

function generateMac({ mac: key }: Keys, request: unknown): object {
  const { Message, MacAlgorithm } = parseMacRequest(key, request);
  const Mac = createHmac("sha256", key.secret).update(Message).digest("base64");
  return { KeyId: ARN_PREFIX + key.id, MacAlgorithm, Mac };
}

function parseMacRequest(key: StoredKey, request: unknown): z.infer<typeof macSchema> {
  const parsed = parse(macSchema, request);
  requireKey(key, request);
  // An HMAC_256 key has this one algorithm.
  if (parsed.MacAlgorithm !== "HMAC_SHA_256")
    throw new KmsError("InvalidKeyUsageException", "the key is an HMAC_256 key");
  return parsed;
}

function signWithLogKey({ log: key }: Keys, request: unknown): object {
  const { Message } = parse(signatureSchema, request);
  requireKey(key, request);
  return { KeyId: ARN_PREFIX + key.id, ...signMessage(key, Message) };
}

function getPublicKey({ log: key }: Keys, request: unknown): object {
  requireKey(key, request);
  return { KeyId: ARN_PREFIX + key.id, ...describePublicKey(key) };
}

function parse<T>(schema: z.ZodType<T>, request: unknown): T {
  const result = schema.safeParse(request);
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

function requireKey({ id }: { readonly id: string }, request: unknown): void {
  const { KeyId } = parse(keySchema, request);
  if (KeyId !== id && KeyId !== ARN_PREFIX + id) throw new KmsError("NotFoundException", "no such key");
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
