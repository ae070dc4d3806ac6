// Opens the witnesses that the environment names, and their policy. Separate from connections.ts: few functions need them.
import { readFileSync } from "node:fs";
import { witnessVariables } from "../../contract/environment-variables.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import type { TlogPolicy } from "../../evidence/core/log/tlog-policy.ts";
import { parseWitnessPolicy, type WitnessPolicyOptions } from "../../evidence/core/log/witness-policy.ts";
import { deployedPath, readEnvironment } from "../environment.ts";
import { Witnesses, type WitnessesOptions } from "../log/witnesses.ts";

/** Null where no policy is configured: then no witness is asked. Throws `misconfigured` for a wrong policy. */
export function openWitnesses(options: Omit<WitnessesOptions, "policy">): Witnesses | null {
  const policy = openWitnessPolicy();
  return policy && new Witnesses({ ...options, policy });
}

/** The same, for those who do not ask them. */
export function openWitnessPolicy(): TlogPolicy | null {
  const { WITNESS_POLICY_FILE: file, WITNESS_PLAIN_HTTP: plainHttp } = readEnvironment(witnessVariables);
  return file === undefined ? null : readWitnessPolicy(deployedPath(file), { plainHttp });
}

/** Throws `misconfigured`, in one line. */
export function readWitnessPolicy(file: string, options: WitnessPolicyOptions): TlogPolicy {
  try {
    return parseWitnessPolicy(readFileSync(file, "utf8"), options);
  } catch (cause) {
    const reason = isDisclosureError(cause) ? cause.message : "it can't be read";
    throw new DisclosureError("misconfigured", `the witness policy ${file}: ${reason}`, { file }, cause);
  }
}
