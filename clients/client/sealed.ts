// Waits until a published root covers a receipt: it asks for the report as rarely as the service wants.
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { ClientError, isClientError } from "./errors.ts";
import { readLimit, requireOptions } from "./options.ts";
import { wait } from "./retry.ts";

export interface SealedOptions {
  /** How long to wait, in milliseconds; ten minutes by default. The last call may take its own time beyond it. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A verified report, and how long the service asks to be left alone where it is pending. */
export interface ReportAnswer {
  readonly report: ComplianceReceipt;
  readonly retryAfterMs: number;
}

const OPTIONS: Readonly<Record<keyof SealedOptions, true>> = { timeoutMs: true, signal: true };
/** Seals are made every minute unless the operator chose otherwise. */
const DEFAULT_TIMEOUT_MS = 600_000;
/** The pause where the service names none. */
const MIN_PAUSE_MS = 1_000;

/** Throws `not_sealed` once the time is over, what `ask` throws but for `undeliverable`, and the signal's reason. */
export async function waitUntilSealed(
  ask: () => Promise<ReportAnswer>,
  options: SealedOptions,
): Promise<ComplianceReceipt> {
  requireOptions(options, OPTIONS);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  const deadline = performance.now() + readLimit("timeoutMs", timeoutMs);
  for (;;) {
    signal?.throwIfAborted();
    const isLast = performance.now() >= deadline;
    const { report, retryAfterMs, error } = await askOnce(ask);
    if (report?.merkle_proof.status === "included") return report;
    if (isLast) throw notSealed(report, retryAfterMs, error);
    const pauseMs = Math.max(MIN_PAUSE_MS, retryAfterMs);
    // At the end of its time it asks once more, even if that is sooner than the service said.
    await wait(Math.max(0, Math.min(pauseMs, deadline - performance.now())), signal);
  }
}

interface Asked {
  /** Null where the service could not answer. */
  readonly report: ComplianceReceipt | null;
  readonly retryAfterMs: number;
  readonly error?: ClientError;
}

/** A service that can't answer for a while may still seal in time. */
async function askOnce(ask: () => Promise<ReportAnswer>): Promise<Asked> {
  try {
    return await ask();
  } catch (error) {
    if (!isClientError(error, "undeliverable")) throw error;
    return { report: null, retryAfterMs: error.retryAfterMs, error };
  }
}

function notSealed(report: ComplianceReceipt | null, retryAfterMs: number, cause: unknown): ClientError {
  const message = "no published root covers the receipt yet; it is recorded, so ask again later";
  return new ClientError("not_sealed", message, { evidence: report, retryAfterMs, cause });
}
