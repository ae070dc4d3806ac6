// Serves the built page as the stack does, with the published roots and the certificate of the vectors. It remembers
// what it was asked.
import { existsSync, readFileSync } from "node:fs";
import { listen, type Reply } from "../../../../host/server/http-server.ts";
import type { Picked } from "./chromium.ts";

const VECTORS = new URL("../../../vectors/evidence/", import.meta.url);
const PAGE = new URL("../../../../dist/web/", import.meta.url);

export const pageFile = new URL("index.html", PAGE);

export const vectorFile = (name: string): URL => new URL(name, VECTORS);

export const vector = (name: string): string => readFileSync(vectorFile(name), "utf8");

/** A vector as a reader's own file. */
export const picked = (name: string): Picked => ({ name: name.replace(/^.*\//, ""), content: vector(name) });

export interface PageServer {
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

/** A plain host that has a copy of the page and knows no roots. */
export const NOTHING_PUBLISHED = (): Reply => ({ status: 404 });

/** `publish` answers for every path but the page's own; by default with what belongs to the vectors. */
export async function servePage(publish: (path: string) => Reply = publicReply): Promise<PageServer> {
  const asked: string[] = [];
  const { url, close } = await listen((request) => {
    const path = request.url ?? "";
    asked.push(path);
    return path.startsWith("/verify") ? pageReply() : publish(path);
  });
  return { url, asked, close };
}

const pageReply = (): Reply => ({
  status: 200,
  headers: JSON.parse(readFileSync(new URL("headers.json", PAGE), "utf8")) as Record<string, string>,
  body: readFileSync(pageFile),
});

function publicReply(path: string): Reply {
  if (path === "/tsa/certificate.pem") return { status: 200, body: vector("authorities/service.pem") };
  if (path === "/v1/metachain") {
    return json({
      size: 4,
      latest: JSON.parse(vector("seals/3.json")),
      roots: "/v1/metachain/roots/{index}",
      log: null,
    });
  }
  const file = vectorFile(`seals/${path.replace("/v1/metachain/roots/", "")}.json`);
  return path.startsWith("/v1/metachain/roots/") && existsSync(file)
    ? json(readFileSync(file))
    : { status: 404 };
}

export const json = (body: unknown): Reply => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: body instanceof Uint8Array ? body : JSON.stringify(body),
});
