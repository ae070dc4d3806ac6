// A metachain of some length, whose roots no authority has stamped yet, behind a host that can be slowed.

import { SealedTree } from "../support/renewals.ts";
import { leafHash, treeOf } from "../support/rfc9162.ts";
import { type MetachainServer, serveMetachain, type Trick } from "./metachain-server.ts";

const ROOT = /^\/v1\/metachain\/roots\/(\d+)$/;

export interface LongMetachain {
  /** What is published, by path under `v1/metachain` as a mirror has it. */
  readonly files: Readonly<Record<string, string>>;
  readonly server: MetachainServer;
  /** Does what a host would do beside answering: it may wait. */
  before: (path: string) => Promise<void> | void;
}

export async function serveLongMetachain(size: number): Promise<LongMetachain> {
  const seals = sealsOf(size);
  const head = JSON.stringify({ size, latest: seals.at(-1), roots: "/v1/metachain/roots/{index}" });
  const texts = seals.map((seal) => JSON.stringify(seal));
  const bodyOf = (path: string): string | undefined =>
    path === "/v1/metachain" ? head : texts[Number(ROOT.exec(path)?.[1])];
  const trick: Trick = async (path, response) => {
    await metachain.before(path);
    const body = bodyOf(path);
    response.writeHead(body === undefined ? 404 : 200).end(body);
    return true;
  };
  const roots = texts.map((text, index) => [`roots/${index}`, text] as const);
  const files = { "index.json": head, ...Object.fromEntries(roots) };
  const metachain: LongMetachain = { files, server: await serveMetachain(trick), before: () => {} };
  return metachain;
}

/** One leaf more with each seal. */
function sealsOf(size: number): { readonly index: number }[] {
  const leaves = Array.from({ length: size }, (_, i) => leafHash(Uint8Array.of(i >> 8, i)));
  const tree = new SealedTree(treeOf((index) => leaves[index] ?? new Uint8Array(32)));
  return leaves.map((_, i) => tree.seal(i + 1, "2026-11-21", () => []));
}
