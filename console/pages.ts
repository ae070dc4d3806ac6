// The pages that the console serves: its own, and the verifier, as `npm run web` built them.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CONSOLE_PAGE_PATH } from "../contract/console.ts";
import { FILE_BY_PATH, ICON_FILE, PAGE_FILE, TRUST_ANCHORS_PATH } from "../contract/public-paths.ts";
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
