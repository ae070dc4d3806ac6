// All readers share this: they ask again while the service can't answer, and tell what does not hold.
import { setTimeout as sleep } from "node:timers/promises";
import { isClientError } from "../../../clients/client/errors.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
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
  /** Fires when the load ends. */
  readonly ending: AbortSignal;
  /** Fires when what could not be read by then never will be. */
  readonly over: AbortSignal;
}

/** The outcome of one try; a try that found something is `nothing` too. */
type ReadOutcome = "read" | "nothing" | "outage";

/**
 * Reads again and again until the load ends. What could not be read once by then, the service must show when its faults are
 * over: that it never does is a finding.
 */
export async function readOn(
  reading: ReaderParts,
  kind: CallKind,
  read: () => Promise<boolean>,
): Promise<void> {
  const { ending, over, findings } = reading;
  let [wasRead, outages] = [false, 0];
  const isMissing = (): boolean => !wasRead && outages > 0;
  while (!ending.aborted || (isMissing() && !over.aborted)) {
    const outcome = await once(reading, kind, read);
    if (outcome === "read") wasRead = true;
    else await sleep(PAUSE_MS);
    if (outcome === "outage") outages++;
  }
  if (isMissing()) findings.add(kind, `it could not be read once: all ${outages} tries failed`);
}

async function once(
  { measures, findings }: ReaderParts,
  kind: CallKind,
  read: () => Promise<boolean>,
): Promise<ReadOutcome> {
  const began = performance.now();
  try {
    if (!(await read())) return "nothing";
    measures.took(kind, performance.now() - began);
    return "read";
  } catch (error) {
    if (isOutage(error)) return "outage";
    if (!isAbort(error)) findings.add(kind, describe(error));
    return "nothing";
  }
}

/** The service could not answer, or what it published was not all there yet: that is no lie. */
const isOutage = (error: unknown): boolean =>
  isClientError(error, "undeliverable") || isDisclosureError(error, "publication_unavailable");

/** The run has ended while something was read. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? `${error.code}: ` : "";
  return `${code}${error.message}`;
}
