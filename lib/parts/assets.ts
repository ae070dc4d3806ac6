// The files that a deployment uploads, as `npm run bundle` left them in dist/. In the published package this file is in
// dist/lib/, and they are next to that folder.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Misconfigured } from "../settings/misconfigured.ts";

const here = dirname(fileURLToPath(import.meta.url));
const isPublished = basename(dirname(here)) === "dist";
const BUNDLES = isPublished ? dirname(here) : join(here, "..", "..", "dist");

/** The folders of one bundle. Throws `misconfigured` where a file is missing. */
export class Assets {
  readonly #folder: string;

  constructor(folder: string = BUNDLES) {
    this.#folder = folder;
  }

  /** The folder with a handler's index.js. */
  handler(name: string): string {
    return this.#path("lambda", name);
  }

  /** The folder with the index.js of a server of the web runtime. */
  server(name: string): string {
    return this.#path("server", name);
  }

  /** The static files, under the paths of their URLs. */
  get site(): string {
    return this.#path("site");
  }

  /** A trust anchor that comes with the package. */
  trustAnchor(name: string): string {
    return this.#path("trust-anchors", name);
  }

  #path(...names: string[]): string {
    const path = join(this.#folder, ...names);
    if (existsSync(path)) return path;
    const remedy =
      isPublished && this.#folder === BUNDLES
        ? "install disclosure-receipts again"
        : "run `npm run bundle` first";
    throw new Misconfigured(`${path} is missing: ${remedy}`);
  }
}
