// The only network that this page knows: published roots and wording policies and the authority's certificate, from the
// page's own origin. Of what a receipt says, nothing becomes an address but numbers of roots and the digest of its policy.
import { HEAD_PATH, logFilePath, rootPath, timestampPath } from "../../contract/metachain-paths.ts";
import { layerPath } from "../../contract/policy-paths.ts";
import { TRUST_ANCHORS_PATH } from "../../contract/public-paths.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { MAX_PEM_LENGTH } from "../../evidence/reader/limits.ts";
import type { LogSource, MetachainSource } from "../../evidence/reader/metachain.ts";
import type { LayerSource } from "../../evidence/reader/policy-layers.ts";

/** From the request to the last byte of the answer. */
const TIMEOUT_MS = 10_000;
/** The largest honest root has a few tokens of some 10 KB each. */
const MAX_ROOT_BYTES = 1024 * 1024;
const NOT_FOUND = 404;

/** The origin of an address; null for a saved file, which has none. */
export const originOf = ({ protocol, origin }: Pick<URL, "protocol" | "origin">): string | null =>
  protocol === "https:" || protocol === "http:" ? origin : null;

/** `onAnswer` is called with each answer: whoever waits for a slow network sees that it goes on. */
export function openOrigin(
  origin: string,
  onAnswer: () => void = () => {},
): MetachainSource & LogSource & LayerSource {
  const read = async (path: string): Promise<Uint8Array | null> => {
    const body = await fetchBytes(origin, path, MAX_ROOT_BYTES);
    onAnswer();
    return body;
  };
  return {
    name: origin,
    isServices: true,
    head: async () => (await read(HEAD_PATH)) ?? unavailable(`${origin} publishes no metachain`),
    root: (index) => read(rootPath(index)),
    timestamp: (index, n) => read(timestampPath(index, n)),
    layer: (digest) => read(layerPath(digest)),
    logFile: (path) => read(logFilePath(path)),
  };
}

/** DER of the certificates that the origin names for its timestamp authority; none where it names none. */
export async function fetchAnchors(origin: string): Promise<readonly Uint8Array[]> {
  try {
    const pem = await fetchBytes(origin, TRUST_ANCHORS_PATH, MAX_PEM_LENGTH);
    return pem === null ? [] : parseCertificatesPem(new TextDecoder().decode(pem));
  } catch {
    // Without it timestamps stay open, and the page says so.
    return [];
  }
}

/** The body, of `limit` bytes at most; null for a 404. Throws `publication_unavailable`. */
export async function fetchBytes(origin: string, path: string, limit: number): Promise<Uint8Array | null> {
  try {
    const answer = await fetch(new URL(path, origin), {
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.status === NOT_FOUND) return null;
    return answer.ok ? await readBody(answer, limit) : unavailable(`${origin} answered ${answer.status}`);
  } catch (error) {
    return unavailable(`${origin} could not be read`, error);
  }
}

async function readBody({ body }: Response, limit: number): Promise<Uint8Array> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    chunks.push(part.value);
    length += part.value.length;
    if (length <= limit) continue;
    await reader?.cancel();
    throw new Error("the answer is too large");
  }
  return concatenate(chunks, length);
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function unavailable(message: string, cause?: unknown): never {
  if (cause instanceof DisclosureError) throw cause;
  throw new DisclosureError("publication_unavailable", message, {}, cause);
}
