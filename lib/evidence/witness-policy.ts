// The witnesses that the log asks to cosign its checkpoints: a tlog-policy of the operator's, checked at synthesis by the
// parser that the functions run.
import { readFileSync } from "node:fs";
import type * as z from "zod";
import type { witnessVariables } from "../../contract/environment-variables.ts";
import { parseWitnessPolicy } from "../../evidence/core/log/witness-policy.ts";
import type { Config } from "../settings/config.ts";
import { Misconfigured } from "../settings/misconfigured.ts";

/** The file of the policy, next to a function's bundle, which is its working folder. */
export const WITNESS_POLICY_FILE = "witness-policy.txt";
/** The policy is a part of an SSM parameter too, which holds 8 KB at most. */
const MAX_CHARACTERS = 5_000;

export class WitnessPolicy {
  /** Without comments and empty lines; null where no witness is asked. */
  readonly text: string | null;
  readonly #plainHttp: boolean;

  /** Throws `misconfigured` for a file that is no policy, or asks no witness that it needs. */
  constructor({ witnessPolicyFile, isProduction }: Config) {
    this.#plainHttp = !isProduction;
    this.text = witnessPolicyFile === undefined ? null : readPolicy(witnessPolicyFile, this.#plainHttp);
  }

  /** The file that lies next to the bundles of the sealer and of the status; none where no witness is asked. */
  get files(): Readonly<Record<string, string>> {
    return this.text === null ? {} : { [WITNESS_POLICY_FILE]: this.text };
  }

  get environment() {
    if (this.text === null) return {};
    return {
      WITNESS_POLICY_FILE,
      WITNESS_PLAIN_HTTP: this.#plainHttp ? "true" : "false",
    } as const satisfies z.input<typeof witnessVariables>;
  }
}

function readPolicy(file: string, plainHttp: boolean): string {
  const text = withoutComments(readText(file));
  if (text.length > MAX_CHARACTERS) {
    throw new Misconfigured(`witnessPolicyFile: ${file} has more than ${MAX_CHARACTERS} characters`);
  }
  try {
    parseWitnessPolicy(text, { plainHttp });
    return text;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it is no tlog-policy";
    throw new Misconfigured(`witnessPolicyFile: ${file}: ${reason}`, error);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Misconfigured(`witnessPolicyFile: ${file} can't be read`, error);
  }
}

const withoutComments = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => `${line}\n`)
    .join("");
