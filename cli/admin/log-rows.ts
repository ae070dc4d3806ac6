// `admin status`: the lines about the signed log.
import { count } from "../../core/verify/count.ts";
import type { LedgerStatus } from "../../service/audit/ledger-status.ts";
import type { CheckpointStatus, WitnessStatus } from "../../service/audit/log-status.ts";
import { green, red, type StyledText, yellow } from "../output/terminal.ts";

/** `ageOf` says how long ago an instant was. */
export function rowsOfLog({ log }: LedgerStatus, ageOf: (instant: string) => string): StyledText[][] {
  if (log === null) return [["log", yellow("has no key yet")]];
  const { origin, vkey, checkpoint, fault, witnesses } = log;
  return [
    ["log", origin],
    ["log's key", vkey],
    ["checkpoint", fault === null ? describe(checkpoint, ageOf) : red(`does not hold: ${fault}`)],
    ...witnesses.map((witness): StyledText[] => ["witness", ...describeWitness(witness, checkpoint, ageOf)]),
  ];
}

function describe(checkpoint: CheckpointStatus | null, ageOf: (instant: string) => string): StyledText {
  if (checkpoint === null) return yellow("none yet");
  const { size, sealedAt, hasQuorum } = checkpoint;
  const age = sealedAt === null ? "" : `, ${ageOf(sealedAt)} ago`;
  const text = `${count(size, "entry", "entries")}${age}`;
  if (hasQuorum === null) return `${text}, no witness is asked`;
  return hasQuorum ? green(`${text}, with its quorum`) : yellow(`${text}, without its quorum`);
}

function describeWitness(
  { witness, size, time }: WitnessStatus,
  newest: CheckpointStatus | null,
  ageOf: (instant: string) => string,
): StyledText[] {
  if (size === null || time === null) return [red(`${witness}: no cosignature in the last checkpoints`)];
  const text = `${witness}: ${count(size, "entry", "entries")}, ${ageOf(time)} ago`;
  return [size === newest?.size ? green(text) : yellow(text)];
}
