// The log policy that the reader brings: `--policy` names a file, `--log-key` gives the key of one log.
import { MAX_POLICY_CHARACTERS, type TlogPolicy } from "../../../evidence/core/log/tlog-policy.ts";
import { parseLogPolicy } from "../../../evidence/reader/log-policy.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { UsageError } from "../command.ts";
import { type ReadBytes, readBytes, readText } from "./read-file.ts";

export const LOG_POLICY_OPTIONS = { policy: { type: "string" }, "log-key": { type: "string" } } as const;

export interface LogPolicyValues {
  readonly policy?: string | undefined;
  readonly "log-key"?: string | undefined;
}

/** Null where the reader brings none. Throws `malformed`, naming the option, and `UsageError` for both options. */
export async function readLogPolicy(
  { policy, "log-key": key }: LogPolicyValues,
  read: ReadBytes = readBytes,
): Promise<TlogPolicy | null> {
  if (policy !== undefined && key !== undefined)
    throw new UsageError("--policy names the log's key already; give it or --log-key");
  if (policy !== undefined)
    return naming(`--policy ${policy}`, async () =>
      parseLogPolicy(await readText(policy, MAX_POLICY_CHARACTERS, read)),
    );
  return key === undefined ? null : naming("--log-key", async () => parseLogPolicy(key));
}
