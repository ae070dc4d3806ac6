// The files that CloudFront reads from buckets, in place of both: the pages, the trust anchors, the log's files.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { HEAD_ROUTE, SIGNED_ROOTS_FOLDER, TILES_FOLDER } from "../../contract/metachain-paths.ts";
import {
  FILE_BY_PATH,
  ICON_FILE,
  PAGE_FILE,
  STATUS_PAGE_FILE,
  TRUST_ANCHORS_PATH,
} from "../../contract/public-paths.ts";
import { IMMUTABLE_CACHE } from "../../service/seals/public-files.ts";
import { TILE_TYPE } from "../../service/seals/published-roots.ts";
import type { HttpHandler, Reply } from "../server/http-server.ts";

/** By the name of the package, which finds itself from the sources and from dist/ alike. */
const ROOT = pathToFileURL(createRequire(import.meta.url).resolve("disclosure-receipts/package.json"));
/** The pages as `npm run web` built them; npm runs that before `npm start`. */
const WEB = new URL("dist/web/", ROOT);
/** The built files, by their paths in the cloud: a page with the file of its headers, and the icon, which has its type alone. */
const BUILT_FILES: ReadonlyMap<string, readonly [name: string, headers: string | null]> = new Map([
  [STATUS_PAGE_FILE, ["status.html", "status.headers.json"]],
  [PAGE_FILE, ["index.html", "headers.json"]],
  [ICON_FILE, ["favicon.svg", null]],
]);
const ICON_HEADERS = { "content-type": "image/svg+xml", "x-content-type-options": "nosniff" };

/** The static files, by every path of theirs: the PEM file of the trust anchors and, once they were built, the pages. */
export function staticFiles(trustAnchorsFile: string): Map<string, Reply> {
  const files = new Map([[TRUST_ANCHORS_PATH, pemReply(trustAnchorsFile)]]);
  for (const [path, [name, headers]] of BUILT_FILES) {
    const reply = existsSync(new URL(name, WEB)) ? builtReply(name, headers) : null;
    const others = Object.keys(FILE_BY_PATH).filter((other) => FILE_BY_PATH[other] === path);
    if (reply !== null) for (const each of [path, ...others]) files.set(each, reply);
  }
  return files;
}

function builtReply(name: string, headersFile: string | null): Reply {
  const headers = headersFile === null ? ICON_HEADERS : JSON.parse(readWeb(headersFile));
  return { status: 200, headers, body: readWeb(name) };
}

const readWeb = (name: string): string => readFileSync(new URL(name, WEB), "utf8");

const pemReply = (file: string): Reply => ({
  status: 200,
  headers: { "content-type": "application/x-pem-file", "access-control-allow-origin": "*" },
  body: readFileSync(file, "utf8"),
});

/** Reads a file of the log by its path below the log's prefix; null where there is none. */
export type ReadLogFile = (path: string) => Promise<Uint8Array | null>;

/** `files` are served by path, and the log's out of the object store; `api` answers all other requests. */
export const withPublicFiles =
  (api: HttpHandler, files: ReadonlyMap<string, Reply>, readLogFile: ReadLogFile): HttpHandler =>
  async (incoming) => {
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    const [path = "/"] = (incoming.url ?? "/").split("?", 1);
    const file = isRead ? (files.get(path) ?? (await logFileReply(path, readLogFile))) : null;
    return file ?? api(incoming);
  };

/** The folders of the log's files that hold bytes; those of text have handlers. */
const LOG_FOLDERS: readonly string[] = [`/${TILES_FOLDER}/`, `/${SIGNED_ROOTS_FOLDER}/`];

/** More than the path of any file of the log has, and less than the object store takes. */
const MAX_LOG_PATH_LENGTH = 256;

/** Tiles, entries and signed roots have no handler: in the cloud, too, they are files and nothing else. */
async function logFileReply(path: string, readLogFile: ReadLogFile): Promise<Reply | null> {
  const isLogFile =
    path.length <= MAX_LOG_PATH_LENGTH && LOG_FOLDERS.some((folder) => path.startsWith(folder));
  if (!isLogFile) return null;
  const body = await readLogFile(path.slice(HEAD_ROUTE.length + 1));
  if (body === null) return null;
  const headers = {
    "content-type": TILE_TYPE,
    "cache-control": IMMUTABLE_CACHE,
    "access-control-allow-origin": "*",
  };
  return { status: 200, headers, body };
}
