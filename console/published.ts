// The published files that the verifier page asks its own origin for, out of the deployment's bucket: roots, tokens,
// checkpoints, tiles and layers. Whoever may ask for them anywhere may ask for them here.
import { HEAD_ROUTE } from "../contract/metachain-paths.ts";
import { POLICY_ROUTE } from "../contract/policy-paths.ts";
import type { Reply } from "../server/http-server.ts";
import type { PublishedRoots } from "../service/seals/published-roots.ts";

/** No dots but those of `.p`: a path can't leave the folders. */
const REST = "(?:/(?:[a-zA-Z0-9_-]+|[0-9]{3}\\.p))*";
const PUBLISHED = new RegExp(`^(?:${HEAD_ROUTE}|${POLICY_ROUTE})${REST}$`);
const HEADERS = {
  "content-type": "application/octet-stream",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** Null for a path under which nothing is published. */
export async function readPublishedFile(
  { files }: Pick<PublishedRoots, "files">,
  path: string,
): Promise<Reply | null> {
  if (!PUBLISHED.test(path)) return null;
  const body = await files.bytes(path.slice(1));
  return body === null ? null : { status: 200, headers: HEADERS, body };
}
