// The target of a run: a world of its own on this machine, or a deployment by its URL.
import { writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { TRUST_ANCHORS_PATH } from "../../contract/public-paths.ts";
import type { HammerOptions } from "./options.ts";
import type { LoadTenant } from "./world/tenants.ts";
import { startWorld, type World } from "./world/world.ts";

const KNOWN_ANCHORS = new URL("../../lib/trust-anchors/", import.meta.url);
const OK = 200;

export interface HammerTarget {
  readonly url: string;
  readonly tenants: readonly LoadTenant[];
  readonly attestUrls: () => readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly trustAnchorsFile: string;
  /** Null for a deployment. */
  readonly world: World | null;
  readonly stop: () => Promise<void>;
}

export async function openTarget(options: HammerOptions, out: string): Promise<HammerTarget> {
  return options.url === undefined ? openWorld(options, out) : openDeployment(options.url, options.key, out);
}

async function openWorld(
  { processes, tenants, chains, faults }: HammerOptions,
  out: string,
): Promise<HammerTarget> {
  const world = await startWorld({ out, processes, tenants, chains, hasFaults: faults.length > 0 });
  return {
    url: world.url,
    tenants: world.tenants,
    attestUrls: () => world.of("attest").map(({ url }) => url),
    headers: world.headers,
    trustAnchorsFile: world.trustAnchorsFile,
    world,
    stop: () => world.stop(),
  };
}

async function openDeployment(address: string, keys: readonly string[], out: string): Promise<HammerTarget> {
  const url = address.replace(/\/+$/, "");
  const trustAnchorsFile = join(out, "ca.pem");
  await writeAnchors(url, trustAnchorsFile);
  const tenants = keys.map((apiKey, index) => ({
    index,
    name: `t${index}`,
    apiKey,
    anchor: null,
    fingerprint: null,
  }));
  const attestUrls = () => [url];
  return { url, tenants, attestUrls, headers: {}, trustAnchorsFile, world: null, stop: async () => {} };
}

/** Those that the host names, as a local stack does; else the public ones that come with the project. */
async function writeAnchors(url: string, file: string): Promise<void> {
  const answer = await fetch(url + TRUST_ANCHORS_PATH).catch(() => null);
  if (answer?.status === OK) return writeFileSync(file, await answer.text());
  const names = await readdir(KNOWN_ANCHORS);
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, KNOWN_ANCHORS), "utf8")));
  writeFileSync(file, texts.join(""));
}
