// A caller: has one conversation after another, each of some turns, and sends some calls twice.
import { setTimeout as sleep } from "node:timers/promises";
import { indexIn, type Random } from "../../throughput/random.ts";
import type { LoadTenant } from "../world/tenants.ts";
import { type AttestCall, type Attesting, attestOnce, REFUSED } from "./attest.ts";
import type { HadConversations } from "./conversations.ts";
import { disclosureOf } from "./disclosures.ts";

const MAX_TURNS = 12;
/** Calls that are made twice on purpose: half of them at the same time, half of them later. */
const TWICE_SHARE = 0.05;
const MIN_LATER_MS = 500;
const MAX_LATER_MS = 8_000;
/** Where nothing fails, so that no call has to be sent again. */
const WITHOUT_KEY_SHARE = 0.1;

export interface CallerOptions {
  readonly number: number;
  readonly tenant: LoadTenant;
  readonly attesting: Attesting;
  readonly conversations: HadConversations;
  readonly random: Random;
  /** Names the run, so that no id of an earlier one is met. */
  readonly run: string;
  readonly hasFaults: boolean;
  /** Fires when no new call may begin. */
  readonly ending: AbortSignal;
}

export class LoadCaller {
  readonly #options: CallerOptions;
  /** Calls that are sent again in the background. */
  readonly #later = new Set<Promise<unknown>>();
  #calls = 0;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** Resolves when every call has come to its end. */
  async run(): Promise<void> {
    const { number, run, ending, random } = this.#options;
    for (let conversation = 0; !ending.aborted; conversation++)
      await this.#talk(`hammer/${run}/${number}/${conversation}`, 1 + indexIn(random, MAX_TURNS));
    await Promise.all(this.#later);
  }

  async #talk(interactionId: string, turns: number): Promise<void> {
    const { tenant, ending, conversations } = this.#options;
    const eventIds: string[] = [];
    const repeats: Promise<unknown>[] = [];
    let isOver = true;
    for (let turn = 1; turn <= turns && !ending.aborted; turn++) {
      const { receipt, status } = await this.#say(interactionId, repeats);
      if (receipt !== null) eventIds.push(receipt.eventId);
      isOver &&= status !== null;
    }
    if (eventIds.length === 0) return;
    // A repeat still under way keeps the conversation from being erased, and nobody from reading it.
    if (repeats.length === 0) conversations.add({ tenant, interactionId, eventIds, isOver });
    else void Promise.all(repeats).then(() => conversations.add({ tenant, interactionId, eventIds, isOver }));
  }

  async #say(interactionId: string, repeats: Promise<unknown>[]) {
    const { tenant, attesting, random, run, number, hasFaults } = this.#options;
    const { body, isRefused } = disclosureOf(interactionId, random);
    const isKeyed = hasFaults || random() >= WITHOUT_KEY_SHARE;
    const call: AttestCall = {
      tenant,
      apiKey: tenant.apiKey,
      interactionId,
      idempotencyKey: isKeyed ? `${run}-${number}-${this.#calls++}` : null,
      body,
      expected: isRefused ? REFUSED : [],
    };
    const isTwice = isKeyed && random() < TWICE_SHARE;
    if (isTwice && random() < 1 / 2) {
      const [outcome] = await Promise.all([
        attestOnce(call, attesting, random),
        attestOnce(call, attesting, random),
      ]);
      return outcome;
    }
    const outcome = await attestOnce(call, attesting, random);
    if (isTwice) repeats.push(this.#sendLater(call));
    return outcome;
  }

  #sendLater(call: AttestCall): Promise<unknown> {
    const { attesting, random } = this.#options;
    const repeat = sleep(MIN_LATER_MS + random() * (MAX_LATER_MS - MIN_LATER_MS)).then(() =>
      attestOnce(call, attesting, random),
    );
    this.#later.add(repeat);
    void repeat.finally(() => this.#later.delete(repeat));
    return repeat;
  }
}
