// A ledger whose metachain grows as a test wants, sealed and signed at certain sizes.
import { GetObjectCommand } from "@aws-sdk/client-s3";
import type { Interceptor, Step } from "./faults.ts";
import type { Item } from "./items.ts";
import { type Ledger, MINUTE } from "./ledger-stack.ts";
import { entryBytesAt, growMetachain } from "./metachain-entries.ts";
import { leafHash, treeOf } from "./rfc9162.ts";
import { readItem } from "./tamper.ts";
import type { TestProcess } from "./test-process.ts";
import { checkCheckpoints } from "./whole-checkpoints.ts";

export const mth = treeOf((index) => leafHash(entryBytesAt(index)));

/** The calls that publish a checkpoint, apart from reads. */
export const SIGNING: ReadonlySet<string> = new Set(["Sign", "PutObject"]);

/** KMS signs nothing. */
export const signingRefused: Interceptor = (call, send) =>
  call.name === "Sign" ? Promise.reject(new Error("AccessDenied")) : send();

/** The steps of a run before it turns to the checkpoints, of which checkpoint-crashes.faults.ts has the table. */
export function untilSigning(steps: readonly Step[]): readonly Step[] {
  const first = steps.findIndex(({ name }) => name === "GetPublicKey" || name === "Sign");
  return first === -1 ? steps : steps.slice(0, first);
}

/** Seals at each of these sizes, each seal in a run of its own. */
export async function sealAt(ledger: Ledger, sizes: readonly number[], process: TestProcess): Promise<void> {
  for (const size of sizes) {
    await growMetachain(ledger.newProcess(), size);
    await process.seal();
    ledger.now += MINUTE;
  }
}

/** An object as it is published, or null. */
export async function readObject({ clients, name }: Ledger, path: string): Promise<Buffer | null> {
  try {
    const input = { Bucket: name, Key: `v1/metachain/${path}` };
    const { Body } = await clients.s3.send(new GetObjectCommand(input));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  } catch (error) {
    if (error instanceof Error && error.name === "NoSuchKey") return null;
    throw error;
  }
}

/** The oracle's verdict on the checkpoints of seals at these sizes: those that are signed. */
export async function signedSizesOf(ledger: Ledger, sizes: readonly number[]): Promise<number[]> {
  const item = (sk: string): Promise<Item> => readItem(ledger, ["sealer", sk]).catch(() => ({}));
  const [identity, progress] = [await item("log"), await item("checkpoints")];
  const readBytes = (path: string) => readObject(ledger, path.replace("v1/metachain/", ""));
  return checkCheckpoints({ mth, sizes, identity, progress, readBytes });
}
