// The files that CloudFront reads from buckets, in place of both: the verifier page, the trust anchors, the log's files.
import { existsSync, readFileSync } from "node:fs";
import { HEAD_ROUTE, SIGNED_ROOTS_FOLDER, TILES_FOLDER } from "../contract/metachain-paths.ts";
import { PAGE_PATH, TRUST_ANCHORS_PATH } from "../contract/public-paths.ts";
import type { HttpHandler, Reply } from "../server/http-server.ts";
import { IMMUTABLE_CACHE } from "../service/seals/public-files.ts";
import { TILE_TYPE } from "../service/seals/published-roots.ts";

/** The verifier page as `npm run web` built it; npm runs that before `npm start`. */
const WEB = new URL("../dist/web/", import.meta.url);

/** The static files, by path: the PEM file of the trust anchors and, once it was built, the verifier page. */
export function staticFiles(trustAnchorsFile: string): Map<string, Reply> {
  const files = new Map([[TRUST_ANCHORS_PATH, pemReply(trustAnchorsFile)]]);
  const [page, headers] = [new URL("index.html", WEB), new URL("headers.json", WEB)];
  if (existsSync(page) && existsSync(headers)) {
    const body = readFileSync(page, "utf8");
    files.set(PAGE_PATH, { status: 200, headers: JSON.parse(readFileSync(headers, "utf8")), body });
  }
  return files;
}

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

/** Tiles, entries and signed roots have no handler: in the cloud, too, they are files and nothing else. */
async function logFileReply(path: string, readLogFile: ReadLogFile): Promise<Reply | null> {
  if (!LOG_FOLDERS.some((folder) => path.startsWith(folder))) return null;
  const body = await readLogFile(path.slice(HEAD_ROUTE.length + 1));
  if (body === null) return null;
  const headers = {
    "content-type": TILE_TYPE,
    "cache-control": IMMUTABLE_CACHE,
    "access-control-allow-origin": "*",
  };
  return { status: 200, headers, body };
}
