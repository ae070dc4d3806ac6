// A deployment that is called by its URL: its keys, and whether they can call it at all. What is wrong there is said before
// anything is called, for a run would take every refusal for a fault of the service.

import { ATTESTATION_PATH } from "../../contract/public-paths.ts";
import { readSecret } from "../../tools/cli/files/secret.ts";
import { ChainClient } from "../../tools/cli/history/chain-client.ts";
import { openMetachain } from "../../tools/cli/metachain/open.ts";
import type { HammerOptions } from "./options.ts";

/** A body that no service records: the answer tells whether the key may record at all. */
const EMPTY_BODY = "{}";
const REFUSED_KEY = [401, 403];

/** The run can't start. The message is for the person who started it, and holds no key. */
export class CannotStart extends Error {}

/** The keys themselves; none for a service on this machine. Throws `CannotStart`. */
export async function readKeys({ url, key: given }: HammerOptions): Promise<string[]> {
  if (url === undefined) return [];
  try {
    const keys = await Promise.all(given.map((key) => readSecret(key, "--key")));
    // It refuses to send a key in clear text to another machine.
    const clients = keys.map((key) => new ChainClient(url, key));
    await openMetachain(url).head();
    for (const [at, client] of clients.entries()) await requireReports(client, `key ${at + 1}`);
    for (const [at, key] of keys.entries()) await requireRecording(url, key, `key ${at + 1}`);
    return keys;
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    throw new CannotStart(`${url} can't be called: ${error instanceof Error ? error.message : error}`);
  }
}

async function requireReports(client: ChainClient, name: string): Promise<void> {
  await client.chains().catch((error: unknown) => {
    throw new CannotStart(`${name} can't read reports: ${error instanceof Error ? error.message : error}`);
  });
}

async function requireRecording(url: string, apiKey: string, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const { status } = await fetch(new URL(ATTESTATION_PATH, url), {
    method: "POST",
    headers,
    body: EMPTY_BODY,
  });
  if (REFUSED_KEY.includes(status))
    throw new CannotStart(`${name} can't record disclosures: the answer is ${status}`);
}
