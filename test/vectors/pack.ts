// `npm run vectors:pack`: all vectors in one archive, for other implementations of the receipt format. The same vectors
// give the same bytes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { digestOf, filesIn, makeDerivedVectors, VECTORS } from "../support/derived-vectors.ts";
import { type ArchivedFile, tarOf } from "./tar.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The generators and their digests stay in the repository, as does what a stopped run left. */
const NOT_PACKED = /\.(?:ts|sh|sha256)$|(?:^|\/)\.made-/;
/** When most of the evidence was made. Seconds since 1970. */
const TIME = Date.parse("2026-11-26T00:00:00Z") / 1000;
/** The byte of a gzip header that names the system; and its value where that is unknown (RFC 1952). */
const SYSTEM = { offset: 9, unknown: 255 };

/** The archive's name without its ending, and its bytes. */
export async function packVectors(): Promise<{ name: string; bytes: Buffer }> {
  await makeDerivedVectors();
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const name = `disclosure-receipts-vectors-${version}`;
  const files = [...vectorFiles(), { path: "LICENSE", content: readFileSync(join(ROOT, "LICENSE")) }];
  const sums = files.map(({ path, content }) => `${digestOf(content)}  ${path}\n`).join("");
  const all = [...files, { path: "SHA256SUMS", content: Buffer.from(sums) }];
  const bytes = gzipSync(tarOf(all, name, TIME), { level: constants.Z_BEST_COMPRESSION });
  bytes[SYSTEM.offset] = SYSTEM.unknown;
  return { name, bytes };
}

const vectorFiles = (): ArchivedFile[] =>
  filesIn(VECTORS)
    .map((file) => ({ path: relative(VECTORS, file).replaceAll("\\", "/"), content: readFileSync(file) }))
    .filter(({ path }) => !NOT_PACKED.test(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

if (import.meta.main) {
  const { name, bytes } = await packVectors();
  const target = join(ROOT, "dist", `${name}.tar.gz`);
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeFileSync(target, bytes);
  console.log(`${relative(process.cwd(), target)}: ${bytes.length} bytes, sha256 ${digestOf(bytes)}`);
}
