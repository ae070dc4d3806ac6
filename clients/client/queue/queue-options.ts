// The queue's options and callbacks.
import type { AttestationRequest } from "../../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { ClientError } from "../errors.ts";
import { invalidOption, readLimit, requireFunction, requireOptions } from "../options.ts";
import { settle } from "../settle.ts";

/** A disclosure on its way. With its key it can be attested again, within a day, and is not recorded twice. */
export interface QueuedDisclosure {
  readonly request: AttestationRequest;
  readonly idempotencyKey: string;
  /** RFC 3339, UTC. */
  readonly addedAt: string;
}

export interface QueueOptions {
  /** A folder of the queue's own on a local disk; one process at a time, unless it is `shared`. */
  readonly folder: string;
  /** True where processes share this folder (default false): each takes a free part of it, with what a dead one left. */
  readonly shared?: boolean;
  /** Takes what the queue could not send: it leaves the queue with this call, and is yours. */
  readonly onHandover: (disclosure: QueuedDisclosure, error: ClientError) => void | Promise<void>;
  /** The disclosure leaves the queue after this. A crash in between calls it again, with the same receipt. */
  readonly onReceipt?: (receipt: ComplianceReceipt, disclosure: QueuedDisclosure) => void | Promise<void>;
  /** For your log: the service, the disk or a callback fails, and the queue continues as well as it can. */
  readonly onProblem?: (error: ClientError) => void | Promise<void>;
  /** The most disclosures that may wait (default 10,000), and their most bytes (default 8 MiB). */
  readonly maxEntries?: number;
  readonly maxBytes?: number;
  /** The most conversations that are sent at the same time (default 8). */
  readonly concurrency?: number;
}

export interface QueueLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly concurrency: number;
}

const DEFAULTS: QueueLimits = { maxEntries: 10_000, maxBytes: 8 * 1024 * 1024, concurrency: 8 };

const OPTIONS: Readonly<Record<keyof QueueOptions, true>> = {
  folder: true,
  shared: true,
  onHandover: true,
  onReceipt: true,
  onProblem: true,
  maxEntries: true,
  maxBytes: true,
  concurrency: true,
};

/** Throws `invalid_options`. */
export function readQueueLimits(options: QueueOptions): QueueLimits {
  requireOptions(options, OPTIONS);
  const { folder, onHandover, onReceipt, onProblem } = options;
  if (typeof folder !== "string" || folder === "") throw invalidOption("folder", "is missing");
  if (!["undefined", "boolean"].includes(typeof options.shared))
    throw invalidOption("shared", "must be true or false");
  if (typeof onHandover !== "function") throw invalidOption("onHandover", "is missing");
  requireFunction("onReceipt", onReceipt);
  requireFunction("onProblem", onProblem);
  return {
    maxEntries: readLimit("maxEntries", options.maxEntries ?? DEFAULTS.maxEntries),
    maxBytes: readLimit("maxBytes", options.maxBytes ?? DEFAULTS.maxBytes),
    concurrency: readLimit("concurrency", options.concurrency ?? DEFAULTS.concurrency),
  };
}

/** The owner's functions, whose failures must break neither the queue nor the conversation. */
export class QueueCallbacks {
  readonly #options: QueueOptions;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  async receipt(
    receipt: ComplianceReceipt,
    disclosure: QueuedDisclosure,
    own?: (receipt: ComplianceReceipt) => void | Promise<void>,
  ): Promise<void> {
    await this.#guard("onReceipt", () => own?.(receipt));
    await this.#guard("onReceipt", () => this.#options.onReceipt?.(receipt, disclosure));
  }

  /** False where the callback failed: the disclosure is still the queue's then. */
  handover(disclosure: QueuedDisclosure, error: ClientError): Promise<boolean> {
    return this.#guard("onHandover", () => this.#options.onHandover(disclosure, error));
  }

  readonly problem = (error: ClientError): void => {
    // Where this callback fails, there is no other to report it to.
    void settle(
      () => this.#options.onProblem?.(error),
      () => {},
    );
  };

  async #guard(name: string, call: () => void | Promise<void>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (cause) {
      this.problem(new ClientError("queue_callback_failed", `${name} failed`, { cause }));
      return false;
    }
  }
}
