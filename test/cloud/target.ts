// The deployed service that a run of `npm run test:cloud` looks at, and the operator's program for it.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import * as z from "zod";
import { disclosure } from "../support/api-client.ts";

const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "receipts.ts");
const run = promisify(execFile);
const PATIENCE_MS = 3 * 60_000;
const POLL_MS = 2_000;

const targetSchema = z.object({ url: z.url(), key: z.string().nullable(), name: z.string().nullable() });

/** As `run.ts` passed it. */
export const target = targetSchema.parse(JSON.parse(process.env.CLOUD_TARGET ?? "null"));

/** An emulator of AWS, which the SDKs find by this variable. It shows less. */
export const isEmulator = process.env.AWS_ENDPOINT_URL !== undefined;

/** Whether the address is CloudFront's: its answers name it, and an emulator's don't. */
export const hasCloudFront = async (): Promise<boolean> =>
  (await fetch(`${target.url}/v1/metachain`)).headers.has("x-amz-cf-id");

/** What the command line says, and whether it ended with 0. */
export async function receipts(...words: string[]): Promise<{ readonly said: string; readonly ok: boolean }> {
  try {
    const { stdout } = await run(process.execPath, [PROGRAM, ...words]);
    return { said: stdout, ok: true };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { said: stdout + stderr, ok: false };
  }
}

let key: Promise<string> | undefined;

/** The key of the command line, or one of a tenant made for this file. */
export function apiKey(): Promise<string> {
  key ??= target.key === null ? newKey(target.name ?? "") : Promise.resolve(target.key);
  return key;
}

/** The key of a new tenant, once the gateway lets it through: API Gateway learns a tenant's key within a minute or two. */
export async function newKey(name: string): Promise<string> {
  const tenant = `cloud-${randomUUID().slice(0, 8)}`;
  await admin(name, "tenant", "create", tenant);
  const made = (await admin(name, "key", "create", tenant)).trim();
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
    if ((await call("GET", "/v1/chains", { key: made })).status !== 403) return made;
    if (Date.now() > deadline) throw new Error("the gateway does not let the new key through");
  }
}

async function admin(name: string, ...words: string[]): Promise<string> {
  const { said, ok } = await receipts("admin", ...words, "--name", name);
  if (!ok) throw new Error(`admin ${words.join(" ")} failed: ${said}`);
  return said;
}

export interface CallOptions {
  /** Null for a call without a key; the run's key where it is left out. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export async function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const bearer = options.key === undefined ? await apiKey() : options.key;
  return fetch(target.url + path, {
    method,
    redirect: "manual",
    headers: { ...(bearer !== null && { authorization: `Bearer ${bearer}` }), ...options.headers },
    ...(options.body !== undefined && { body: options.body }),
  });
}

/** Attests one disclosure of the conversation, under this Idempotency-Key. */
export const attest = (interactionId: string, idempotencyKey: string = randomUUID()): Promise<Response> =>
  call("POST", "/v1/attestation", {
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify(disclosure({ interaction_id: interactionId })),
  });
