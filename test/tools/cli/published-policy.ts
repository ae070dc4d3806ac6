// A wording policy as a deployment publishes it: every file by its path, from layers in the order of their publication.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { digestOf, jcs } from "../../support/plain-json.ts";
import type { Trick } from "./metachain-server.ts";

export type PolicyFiles = Map<string, string>;

/** The layers of one country, the current one last. Only what readers of the lists look at is in them. */
export const LAYERS = ["2026-07-31.1", "2026-11-22.1"].map((version) => ({ jurisdiction: "DE", version }));

const nameOf = (digest: string): string => `v1/policy/layers/${digest.slice("sha256:".length)}`;

/** The path of the layer with this version. */
export const layerOf = (version: string): string => nameOf(digestOf({ jurisdiction: "DE", version }));

/** What is published of these layers. */
export function policyFiles(
  layers: readonly { jurisdiction: string; version: string }[] = LAYERS,
): PolicyFiles {
  const files: PolicyFiles = new Map();
  const listed = layers.map((layer) => {
    const digest = digestOf(layer);
    files.set(nameOf(digest), jcs(layer));
    return { digest, version: layer.version, published_at: `${layer.version.slice(0, 10)}T10:00:00.000Z` };
  });
  const { digest, version } = listed.at(-1) ?? { digest: "", version: "" };
  const status = "active";
  const country = { jurisdiction: "DE", status, current: digest, layers: listed };
  const entry = { jurisdiction: "DE", name: "Germany", status, version, digest };
  const index = {
    checked_on: "2026-11-22",
    jurisdictions: [entry],
    capabilities: [],
    layers: "/v1/policy/layers/{digest}",
  };
  return files.set("v1/policy/DE", JSON.stringify(country)).set("v1/policy", JSON.stringify(index));
}

/** Serves them beside the metachain. */
export const withPolicy =
  (files: PolicyFiles): Trick =>
  (path, response) => {
    const body = files.get(path.slice(1));
    if (body === undefined) return false;
    response.writeHead(200, { "content-type": "application/json" }).end(body);
    return true;
  };

/** Writes them into a folder as a mirror has them. */
export function writePolicy(folder: string, files: PolicyFiles): string {
  for (const [path, body] of files) {
    const file = join(folder, path === "v1/policy" ? "v1/policy/index.json" : path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
  }
  return folder;
}
