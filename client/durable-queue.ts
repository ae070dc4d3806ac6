// The non-blocking mode: disclosures go to a bounded queue on disk and from there to the service, in order. Putting
// one in never waits for the network, and what is in survives a crash.

import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { type AttestationRequest, attestationRequestSchema } from "../core/attestation-request.ts";
import type { ComplianceReceipt } from "../core/compliance-receipt.ts";
import type { DisclosureClient } from "./disclosure-client.ts";
import { ClientError } from "./errors.ts";

const DEFAULT_CAPACITY = 10_000;
/** How long the sender rests after a disclosure that could not be delivered. */
const DEFAULT_RETRY_MS = 5_000;
const OWNER_ONLY = 0o700;

const entrySchema = z.object({ idempotencyKey: z.string(), request: attestationRequestSchema });
type Entry = z.infer<typeof entrySchema>;

export interface QueueOptions {
  /** A folder of the queue's own; one process at a time. */
  readonly directory: string;
  readonly capacity?: number;
  readonly retryMs?: number;
  readonly onReceipt?: (receipt: ComplianceReceipt, request: AttestationRequest) => void;
  /** What the service will not take, or what it answered falsely. The disclosure leaves the queue with this call. */
  readonly onFailure?: (error: ClientError, request: AttestationRequest) => void;
}

export class DurableQueue {
  readonly #client: DisclosureClient;
  readonly #options: QueueOptions;
  readonly #names: string[];
  #isSending = false;
  #isClosed = false;
  #next: number;

  /** Goes on with what an earlier process left in the folder. */
  constructor(client: DisclosureClient, options: QueueOptions) {
    mkdirSync(options.directory, { recursive: true, mode: OWNER_ONLY });
    this.#client = client;
    this.#options = options;
    this.#names = readdirSync(options.directory)
      .filter((name) => name.endsWith(".json"))
      .sort();
    this.#next = Number.parseInt(this.#names.at(-1) ?? "0", 10) + 1;
    void this.#send();
  }

  /** How many disclosures wait. */
  get size(): number {
    return this.#names.length;
  }

  /** Puts a disclosure in; returns once it is on disk. Throws `queue_full`, for the caller to keep it elsewhere. */
  put(request: AttestationRequest): void {
    const { directory, capacity = DEFAULT_CAPACITY } = this.#options;
    const entry: Entry = { idempotencyKey: randomUUID(), request: attestationRequestSchema.parse(request) };
    if (this.#names.length >= capacity)
      throw new ClientError("queue_full", `${capacity} disclosures wait already`);
    const name = `${String(this.#next++).padStart(16, "0")}.json`;
    const draft = join(directory, `${name}.draft`);
    writeFileSync(draft, JSON.stringify(entry), { flush: true });
    renameSync(draft, join(directory, name));
    this.#names.push(name);
    void this.#send();
  }

  /** Stops sending and hands over what could not be sent; it stays on disk for the next process too. */
  close(): AttestationRequest[] {
    this.#isClosed = true;
    return this.#names.map((name) => this.#read(name).request);
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let name = this.#names[0]; name !== undefined && !this.#isClosed; name = this.#names[0]) {
      if (!(await this.#sendOne(name)))
        await sleep(this.#options.retryMs ?? DEFAULT_RETRY_MS, undefined, { ref: false });
    }
    this.#isSending = false;
  }

  /** False where the disclosure must wait. A crash after the answer sends it again, and its key finds the receipt. */
  async #sendOne(name: string): Promise<boolean> {
    const { idempotencyKey, request } = this.#read(name);
    try {
      const receipt = await this.#client.attest(request, { idempotencyKey });
      this.#options.onReceipt?.(receipt, request);
    } catch (error) {
      const isFinal = error instanceof ClientError && error.code !== "undeliverable";
      if (!isFinal) return false;
      this.#options.onFailure?.(error, request);
    }
    rmSync(join(this.#options.directory, name), { force: true });
    this.#names.shift();
    return true;
  }

  #read(name: string): Entry {
    return entrySchema.parse(JSON.parse(readFileSync(join(this.#options.directory, name), "utf8")));
  }
}
