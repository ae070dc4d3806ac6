// Faults of the service's processes: killed, frozen, or with a clock that jumps.
import { setTimeout as sleep } from "node:timers/promises";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../contract/time.ts";
import { indexIn, type Random } from "../../throughput/random.ts";
import type { Member } from "../world/member.ts";

const MAX_DEAD_MS = 2_000;
const MIN_FROZEN_MS = 1_000;
const MAX_FROZEN_MS = 6_000;
const MIN_OFF_MS = 1_000;
const MAX_OFF_MS = 8_000;
/** A jump is up to one of these, ahead or back. */
const JUMPS_MS = [5 * SECOND_MS, 90 * SECOND_MS, 10 * MINUTE_MS, 5 * HOUR_MS];

export type ProcessFault = "kill" | "freeze" | "clock";

/** The process serves again, by the right time, when this resolves. */
export async function disturbProcess(fault: ProcessFault, member: Member, random: Random): Promise<void> {
  member.isDisturbed = true;
  try {
    await DISTURB[fault](member, random);
  } finally {
    member.isDisturbed = false;
  }
}

const between = (random: Random, from: number, to: number): number => from + random() * (to - from);

const DISTURB: Readonly<Record<ProcessFault, (member: Member, random: Random) => Promise<void>>> = {
  kill: async (member, random) => {
    await member.kill();
    await sleep(between(random, 0, MAX_DEAD_MS));
    await member.start();
  },
  freeze: async (member, random) => {
    member.freeze();
    await sleep(between(random, MIN_FROZEN_MS, MAX_FROZEN_MS));
    member.thaw();
  },
  clock: async (member, random) => {
    const most = JUMPS_MS[indexIn(random, JUMPS_MS.length)] ?? SECOND_MS;
    member.moveClock(Math.round(between(random, -most, most)));
    await sleep(between(random, MIN_OFF_MS, MAX_OFF_MS));
    member.moveClock(0);
  },
};
