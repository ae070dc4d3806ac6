// Makes the faults of a run at their moments: tells the proxy, disturbs processes, and plays the operator.
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND_MS } from "../../../contract/time.ts";
import { indexIn, type Random, randomOf } from "../../throughput/random.ts";
import type { Attesting } from "../load/attest.ts";
import type { HadConversations } from "../load/conversations.ts";
import type { HammerOptions } from "../options.ts";
import { CLIENT_ROLES, type ClientRole } from "../proxy/messages.ts";
import type { Member } from "../world/member.ts";
import type { LoadTenant } from "../world/tenants.ts";
import type { World } from "../world/world.ts";
import { DEEDS } from "./insider.ts";
import { FAULTS, type FaultName } from "./names.ts";
import { administer, eraseConversation, setAsideUnclaimed } from "./operator-faults.ts";
import { disturbProcess, type ProcessFault } from "./process-faults.ts";
import { type PlannedFault, scheduleOf } from "./schedule.ts";
import { revokeWhileRemembered, suspendWhileRemembered } from "./stale-authorizer.ts";

/** A fault lets fewer requests than this pass before it comes, so that it comes to every step of a sealer's run. */
const MAX_SKIP = 40;
/** Only processes of these roles send requests that the fault can meet. */
const ROLES: Partial<Record<FaultName, readonly ClientRole[]>> = {
  "s3-other-bytes": ["seal"],
  "witness-lies": ["seal"],
  "authority-lies": ["attest", "seal"],
};
/** These meet few requests, and none of them may pass. */
const UNSKIPPED: readonly FaultName[] = ["s3-other-bytes", "witness-lies"];

export interface FaultMakerOptions {
  readonly options: HammerOptions;
  /** Null for a deployment: then there are no faults. */
  readonly world: World | null;
  readonly attesting: Attesting;
  readonly conversations: HadConversations;
  /** Names the run. */
  readonly run: string;
}

export class FaultMaker {
  readonly #parts: FaultMakerOptions;
  /** Faults that the driver made itself, by name. */
  readonly made: Record<string, number> = {};
  /** Process faults that go on; and an operator's work, which outlasts the load. */
  readonly #processes = new Set<Promise<void>>();
  readonly #operators = new Set<Promise<void>>();
  /** One test of the authorizer at a time for each guest, and one deed of an insider of each kind. */
  readonly #busy = new Set<LoadTenant | FaultName>();
  #onCall: NodeJS.Timeout | undefined;
  #guestTurn = 0;
  #proxyFaults = 0;

  private constructor(parts: FaultMakerOptions) {
    this.#parts = parts;
  }

  static of(parts: FaultMakerOptions): FaultMaker {
    return new FaultMaker(parts);
  }

  get isOn(): boolean {
    return this.#parts.world !== null && this.#parts.options.faults.length > 0;
  }

  /** Tenants of its own, whose calls are in the journal as well. */
  get guests(): readonly LoadTenant[] {
    return this.#parts.world?.guests ?? [];
  }

  /** Begins every fault of the schedule at its moment. */
  async run(durationMs: number): Promise<void> {
    const { world, options } = this.#parts;
    if (world === null) return;
    const start = performance.now();
    const counting = setInterval(() => this.#countProxy(world), SECOND_MS);
    this.#onCall = this.#callOperator(world);
    for (const planned of scheduleOf(options.seed, options.faults, durationMs)) {
      const early = start + planned.at - performance.now();
      if (early > 0) await sleep(early);
      this.#begin(world, planned);
    }
    clearInterval(counting);
  }

  /** Counts the proxy's faults in the second in which this process hears of them. */
  #countProxy({ counts }: World): void {
    const sum = Object.values(counts.faults).reduce((total, count) => total + count, 0);
    if (sum > this.#proxyFaults) this.#parts.attesting.measures.faultsMade(sum - this.#proxyFaults);
    this.#proxyFaults = sum;
  }

  /** No fault comes from now on; resolves when all processes serve again. */
  async end(): Promise<void> {
    this.#parts.world?.calm();
    await Promise.all(this.#processes);
  }

  /** Resolves when the work of operators and insiders is done. */
  async finish(): Promise<void> {
    await Promise.all(this.#operators);
  }

  /** The operator hears no alarm any more. */
  async rest(): Promise<void> {
    clearInterval(this.#onCall);
    await Promise.all(this.#operators);
  }

  /** The operator looks at the status at each alarm that stops publication. */
  #callOperator({ lines, operator }: World): NodeJS.Timeout {
    const alarms = (): number => lines.total("unclaimedEntries") + lines.total("publicationConflicts");
    let [heard, isLooking] = [0, false];
    return setInterval(() => {
      if (isLooking || alarms() === heard) return;
      [heard, isLooking] = [alarms(), true];
      const look = setAsideUnclaimed(operator, lines).finally(() => {
        isLooking = false;
      });
      this.#keep(this.#operators, look, "planted-entry");
    }, SECOND_MS);
  }

  #begin(world: World, { name, seed }: PlannedFault): void {
    const random = randomOf(seed);
    const { place } = FAULTS[name];
    if (place === "process") this.#disturb(world, name as ProcessFault, random);
    else if (place === "operator") this.#operate(world, name, random);
    else if (place === "insider") this.#deed(world, name, random);
    else {
      const roles = ROLES[name] ?? CLIENT_ROLES;
      const role = roles[indexIn(random, roles.length)] ?? "attest";
      const skip = UNSKIPPED.includes(name) ? 0 : indexIn(random, MAX_SKIP);
      world.arm({ name, role, skip, seed });
    }
  }

  #disturb(world: World, fault: ProcessFault, random: Random): void {
    const free = world.members.filter(({ isDisturbed }) => !isDisturbed);
    const member: Member | undefined = free[indexIn(random, free.length)];
    if (member === undefined) return;
    this.#count(fault);
    this.#keep(this.#processes, disturbProcess(fault, member, random), fault);
  }

  #operate(world: World, name: FaultName, random: Random): void {
    if (name === "erase") this.#erase(world, random);
    else if (name === "admin") {
      this.#count(name);
      this.#keep(this.#operators, administer(world.operator, world.tenants, random), name);
    } else this.#forbid(world, random);
  }

  #deed(world: World, name: FaultName, random: Random): void {
    const deed = DEEDS[name];
    if (deed === undefined || this.#busy.has(name)) return;
    this.#count(name);
    this.#busy.add(name);
    const done = deed({ world, conversations: this.#parts.conversations, random });
    this.#keep(
      this.#operators,
      done.finally(() => this.#busy.delete(name)),
      name,
    );
  }

  #erase({ operatorTable }: World, random: Random): void {
    const conversation = this.#parts.conversations.takeToErase(random);
    if (conversation === null) return;
    this.#count("erase");
    this.#keep(this.#operators, eraseConversation(operatorTable, conversation), "erase");
  }

  #forbid(world: World, random: Random): void {
    const turn = this.#guestTurn++ % world.guests.length;
    const guest = world.guests[turn];
    if (guest === undefined || this.#busy.has(guest)) return;
    this.#count("stale-authorizer");
    this.#busy.add(guest);
    const { attesting, run } = this.#parts;
    const stale = {
      world,
      operator: world.operator,
      attesting,
      random,
      name: `${run}-guest-${this.#guestTurn}`,
    };
    const test = turn === 0 ? revokeWhileRemembered(stale, guest) : suspendWhileRemembered(stale, guest);
    this.#keep(
      this.#operators,
      test.finally(() => this.#busy.delete(guest)),
      "stale-authorizer",
    );
  }

  #count(name: FaultName): void {
    this.made[name] = (this.made[name] ?? 0) + 1;
    this.#parts.attesting.measures.faultsMade(1);
  }

  /** An error of the work is a finding: neither a process nor an operator may be stuck for good. */
  #keep(where: Set<Promise<void>>, work: Promise<void>, name: FaultName): void {
    const kept = work.catch((error: unknown) =>
      this.#parts.attesting.findings.add(
        name,
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      ),
    );
    where.add(kept);
    void kept.finally(() => where.delete(kept));
  }
}
