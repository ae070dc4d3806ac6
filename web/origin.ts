// The only network this page knows: published roots and the authority's certificate, from the page's own origin.
// What stands in a receipt never becomes an address.

import {
  metachainSchema,
  type Seal,
  sealSchema,
  type TsaTimestamp,
  tsaTimestampSchema,
} from "../core/formats/metachain.ts";
import { parseCertificatesPem } from "../core/timestamps/x509/pem.ts";
import type { SealReader } from "../core/verify/find-renewal.ts";

const METACHAIN = "/v1/metachain";
const CERTIFICATE = "/tsa/certificate.pem";
const TIMEOUT_MS = 10_000;
const CONCURRENCY = 6;
const NOT_FOUND = 404;
/** More authorities than any service asks. */
const MAX_LATER_TIMESTAMPS = 16;

export const rootPath = (index: number): string => `${METACHAIN}/roots/${index}`;

/** The origin that served this page; null for a saved file. */
export const ownOrigin = (): string | null =>
  location.protocol === "https:" || location.protocol === "http:" ? location.origin : null;

/** The published roots that could be fetched; null where none is published, absent where nobody answered. */
export async function fetchSeals(indices: readonly number[]): Promise<Map<number, Seal | null>> {
  const seals = new Map<number, Seal | null>();
  if (ownOrigin() === null) return seals;
  const waiting = [...new Set(indices)];
  const work = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const seal = await fetchSeal(index);
      if (seal !== undefined) seals.set(index, seal);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return seals;
}

async function fetchSeal(index: number): Promise<Seal | null | undefined> {
  const answer = await get(rootPath(index));
  if (answer?.status === NOT_FOUND) return (await publishesRoots()) ? null : undefined;
  const result = sealSchema.safeParse(await bodyOf(answer));
  return result.success ? result.data : undefined;
}

/** The published roots to look among for a newer timestamp; null where this page has no origin, or it has no roots. */
export async function openSeals(): Promise<SealReader | null> {
  if (ownOrigin() === null) return null;
  const { data: head } = metachainSchema.safeParse(await bodyOf(await get(METACHAIN)));
  const seal = async (index: number): Promise<Seal | null> => (await fetchSeal(index)) ?? null;
  return head ? { size: head.size, seal, laterTimestamps: fetchLaterTimestamps } : null;
}

/** Those that were published after the root itself. */
async function fetchLaterTimestamps(index: number): Promise<TsaTimestamp[]> {
  const found: TsaTimestamp[] = [];
  while (found.length < MAX_LATER_TIMESTAMPS) {
    const body = await bodyOf(await get(`${METACHAIN}/timestamps/${index}/${found.length}`));
    const { data } = tsaTimestampSchema.safeParse(body);
    if (data === undefined) break;
    found.push(data);
  }
  return found;
}

/** A copy of this page may lie on a host that has no roots at all: its 404 says nothing about a receipt. */
async function publishesRoots(): Promise<boolean> {
  return metachainSchema.safeParse(await bodyOf(await get(METACHAIN))).success;
}

/** DER of the certificates that the origin names for its timestamp authority; none where it names none. */
export async function fetchAnchors(): Promise<Uint8Array[]> {
  if (ownOrigin() === null) return [];
  const answer = await get(CERTIFICATE);
  try {
    return answer?.ok ? parseCertificatesPem(await answer.text()) : [];
  } catch {
    return [];
  }
}

const get = (path: string): Promise<Response | null> =>
  fetch(path, { credentials: "omit", redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => null,
  );

async function bodyOf(answer: Response | null): Promise<unknown> {
  if (answer?.ok !== true) return undefined;
  return answer.json().catch(() => undefined);
}
