// The pages that the console serves, its own and the verifier, as `npm run web` built them; and the published files that
// the verifier asks its own origin for, out of the deployment's bucket.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CONSOLE_PAGE_PATH } from "../../contract/console.ts";
import { HEAD_ROUTE } from "../../contract/metachain-paths.ts";
import { POLICY_ROUTE } from "../../contract/policy-paths.ts";
import { FILE_BY_PATH, ICON_FILE, PAGE_FILE, TRUST_ANCHORS_PATH } from "../../contract/public-paths.ts";
import type { PublishedRoots } from "../../service/seals/published-roots.ts";
import type { Reply } from "../server/http-server.ts";

/** By the name of the package, which finds itself whether it is installed or a checkout. */
const ROOT = dirname(createRequire(import.meta.url).resolve("disclosure-receipts/package.json"));
const WEB = join(ROOT, "dist", "web");

const ICON = "favicon.svg";
const ICON_HEADERS = { "content-type": "image/svg+xml", "x-content-type-options": "nosniff" };
const PEM_HEADERS = { "content-type": "application/x-pem-file", "cache-control": "no-store" };

/** In a checkout where `npm run web` never ran. */
const NOT_BUILT: Reply = {
  status: 503,
  headers: { "content-type": "text/plain", "x-content-type-options": "nosniff", "cache-control": "no-store" },
  body: "This page is not built. Build it with: npm run web\n",
};

/** The pages and their icon by every path of theirs, and the trust anchors. */
export function readPages(trustAnchorsPem: string | null): ReadonlyMap<string, Reply> {
  const pages = new Map<string, Reply>([
    [CONSOLE_PAGE_PATH, pageReply("console.html", "console.headers.json")],
  ]);
  const files: Readonly<Record<string, Reply>> = {
    [PAGE_FILE]: pageReply("index.html", "headers.json"),
    [ICON_FILE]: isBuilt(ICON) ? { status: 200, headers: ICON_HEADERS, body: readBuilt(ICON) } : NOT_BUILT,
  };
  for (const [path, file] of Object.entries(FILE_BY_PATH)) {
    const reply = files[file];
    if (reply !== undefined) pages.set(path, reply);
  }
  if (trustAnchorsPem !== null)
    pages.set(TRUST_ANCHORS_PATH, { status: 200, headers: PEM_HEADERS, body: trustAnchorsPem });
  return pages;
}

const pageReply = (page: string, headers: string): Reply =>
  isBuilt(page)
    ? {
        status: 200,
        headers: JSON.parse(readBuilt(headers)) as Record<string, string>,
        body: readBuilt(page),
      }
    : NOT_BUILT;

const isBuilt = (name: string): boolean => existsSync(join(WEB, name));

const readBuilt = (name: string): string => readFileSync(join(WEB, name), "utf8");

/** No dots but those of `.p`: a path can't leave the folders. */
const REST = "(?:/(?:[a-zA-Z0-9_-]+|[0-9]{3}\\.p))*";
const PUBLISHED = new RegExp(`^(?:${HEAD_ROUTE}|${POLICY_ROUTE})${REST}$`);
const PUBLISHED_HEADERS = {
  "content-type": "application/octet-stream",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Roots, tokens, checkpoints, tiles and layers: whoever may ask for them anywhere may ask for them here. Null for a path
 * under which nothing is published.
 */
export async function readPublishedFile(
  { files }: Pick<PublishedRoots, "files">,
  path: string,
): Promise<Reply | null> {
  if (!PUBLISHED.test(path)) return null;
  const body = await files.bytes(path.slice(1));
  return body === null ? null : { status: 200, headers: PUBLISHED_HEADERS, body };
}
