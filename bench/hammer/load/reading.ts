// All readers share this: they ask again while the service can't answer, and tell what does not hold.
import { setTimeout as sleep } from "node:timers/promises";
import { isClientError } from "../../../client/errors.ts";
import { isDisclosureError } from "../../../core/errors.ts";
import type { Random } from "../../throughput/random.ts";
import type { LoadTenant } from "../world/tenants.ts";
import type { HadConversations } from "./conversations.ts";
import type { Findings } from "./findings.ts";
import type { CallKind, Measures } from "./measures.ts";

const PAUSE_MS = 500;

export interface ReaderParts {
  /** The address of the service, or of the public host before it. */
  readonly url: string;
  /** The folder of the run. */
  readonly out: string;
  /** Names the run. */
  readonly run: string;
  readonly tenants: readonly LoadTenant[];
  /** PEM. */
  readonly trustAnchorsPem: string;
  readonly trustAnchors: readonly Uint8Array[];
  readonly conversations: HadConversations;
  readonly measures: Measures;
  readonly findings: Findings;
  readonly random: Random;
  readonly ending: AbortSignal;
}

/** Reads again and again until the run ends. */
export async function readOn(
  reading: ReaderParts,
  kind: CallKind,
  read: () => Promise<boolean>,
): Promise<void> {
  while (!reading.ending.aborted) {
    const wasThere = await once(reading, kind, read);
    if (!wasThere) await sleep(PAUSE_MS);
  }
}

/** Whether there was something to read. */
async function once(
  { measures, findings }: ReaderParts,
  kind: CallKind,
  read: () => Promise<boolean>,
): Promise<boolean> {
  const began = performance.now();
  try {
    const wasThere = await read();
    if (wasThere) measures.took(kind, performance.now() - began);
    return wasThere;
  } catch (error) {
    if (!isOutage(error)) findings.add(kind, describe(error));
    return false;
  }
}

/** The service could not answer, or what it published was not all there yet: that is no lie. */
const isOutage = (error: unknown): boolean =>
  isAbort(error) ||
  isClientError(error, "undeliverable") ||
  isDisclosureError(error, "publication_unavailable");

/** The run has ended while something was read. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? `${error.code}: ` : "";
  return `${code}${error.message}`;
}
