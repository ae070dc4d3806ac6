// The log as the public status says it: its newest published root, and how old the newest quorum of its witnesses is.
// It is read from the published files alone.
import { CHECKPOINT_PATH } from "../../contract/metachain-paths.ts";
import { MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Metachain } from "../../evidence/core/formats/metachain.ts";
import { isOldQuorum } from "../../evidence/core/log/open-checkpoint.ts";
import type { TlogPolicy } from "../../evidence/core/log/tlog-policy.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import { backFrom, openOrFault, policyFor } from "./log-status.ts";

/**
 * A process answers with one reading for so long, a failed one too: anybody may ask as often as they like, and each
 * reading is up to 18 objects.
 */
export const READING_LIFETIME_MS = MINUTE_MS;
/** Callers wait no longer for the head, and once more as long for the checkpoints. */
const READ_BUDGET_MS = 3 * SECOND_MS;

/** Times are RFC 3339. */
export interface LogReading {
  /** The service's clock at the reading. */
  readonly read_at: string;
  readonly status: "published" | "not_published" | "unknown";
  /** Null before the log has a name, and where it is unknown. */
  readonly origin: string | null;
  /** The newest published root. */
  readonly head: { readonly tree_size: number; readonly sealed_at: string } | null;
  readonly quorum: QuorumReading;
}

export interface QuorumReading {
  readonly status: "recent" | "old" | "none" | "not_asked" | "unknown";
  /** The time of the oldest cosignature that the quorum needs. */
  readonly at: string | null;
  /** The size of the tree that it cosigned. */
  readonly tree_size: number | null;
}

export interface LogReadingServices {
  readonly roots: PublishedRoots;
  /** Null where the deployment asks no witness. */
  readonly witnesses: TlogPolicy | null;
  readonly clock: () => Date;
  /** Is given each failure of a reading. */
  readonly onFailure: (error: unknown) => void;
}

export class LogReadings {
  readonly #services: LogReadingServices;
  #newest: { readonly startedAt: Date; readonly state: Promise<LogReading> } | null = null;

  constructor(services: LogReadingServices) {
    this.#services = services;
  }

  /** Never throws: what can't be read is `unknown`. */
  read(): Promise<LogReading> {
    const now = this.#services.clock();
    const age = now.getTime() - (this.#newest?.startedAt ?? now).getTime();
    // A clock that went back says nothing of a reading's age.
    if (this.#newest === null || age < 0 || age >= READING_LIFETIME_MS)
      this.#newest = { startedAt: now, state: this.#read(now) };
    return this.#newest.state;
  }

  async #read(now: Date): Promise<LogReading> {
    const { roots } = this.#services;
    const head = await this.#attempt(() => roots.head());
    const read_at = now.toISOString();
    if (head === null)
      return { read_at, status: "unknown", origin: null, head: null, quorum: this.#lacking("unknown") };
    const { latest, log } = head;
    const quorum = (await this.#attempt(() => this.#quorum(head, now))) ?? this.#lacking("unknown");
    return {
      read_at,
      status: latest === null ? "not_published" : "published",
      origin: log?.origin ?? null,
      head: latest && { tree_size: latest.tree_size, sealed_at: latest.sealed_at },
      quorum,
    };
  }

  /** Throws `proof_invalid` where the newest checkpoint does not hold. */
  async #quorum({ latest, log }: Metachain, now: Date): Promise<QuorumReading> {
    const { roots, witnesses } = this.#services;
    const reader = { roots, clock: () => now };
    if (!this.#isAsked || latest === null || log === null) return this.#lacking("none");
    const policy = policyFor(log, witnesses);
    const opened = await openOrFault(reader, CHECKPOINT_PATH, policy);
    if (opened === null) return this.#lacking("none");
    if (typeof opened === "string")
      throw new DisclosureError("proof_invalid", `the published checkpoint does not hold: ${opened}`);
    for await (const { quorumAt, checkpoint } of backFrom(reader, policy, { opened, index: latest.index })) {
      if (quorumAt === null) continue;
      const status = isOldQuorum(quorumAt, now) ? "old" : "recent";
      return { status, at: quorumAt.toISOString(), tree_size: checkpoint.size };
    }
    return this.#lacking("none");
  }

  /** Without a policy that asks for a quorum none is missing. */
  #lacking(status: "none" | "unknown"): QuorumReading {
    return { status: this.#isAsked ? status : "not_asked", at: null, tree_size: null };
  }

  get #isAsked(): boolean {
    const { witnesses } = this.#services;
    return witnesses !== null && witnesses.quorum !== null;
  }

  /** Null where `work` fails or takes too long, of which the operator is told. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(tooSlow()), READ_BUDGET_MS);
    try {
      return await Promise.race([work(), late.promise]);
    } catch (error) {
      this.#services.onFailure(error);
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}

const tooSlow = (): DisclosureError =>
  new DisclosureError("publication_unavailable", "the published files take too long to be read");
