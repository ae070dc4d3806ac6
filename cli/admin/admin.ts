// `admin`: what operators do to a deployment. Its parts load the AWS SDK, so they are loaded only when they are called.
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";
import { type Command, type ExitCode, UsageError } from "../command.ts";
import type { Terminal } from "../output/terminal.ts";

type Run = Command["run"];

const PARTS: Readonly<Record<string, () => Promise<{ readonly run: Run }>>> = {
  tenant: () => import("./tenant.ts"),
  key: () => import("./key.ts"),
  status: () => import("./status.ts"),
  verify: () => import("./verify.ts"),
};

const HELP = `Usage: disclosure-receipts admin COMMAND … [options]

Operates a deployment: tenants and their API keys, the state of sealing, and the
whole ledger verified.

  tenant create [NAME] [--plan PLAN] [--chains N]
  tenant list
  tenant suspend ID, tenant resume ID
  tenant plan ID PLAN
  tenant stamping ID on|off|RATE
  key create TENANT [--scopes LIST] [--expires DATE]
  key list TENANT
  key revoke KEYID
  key rotate KEYID [--grace TIME] [--expires DATE]
  status [--tsa-ca FILE]…
  verify [--tenant ID | --chain ID] [--macs]

  --local[=DIR]     the local stack that runs on this data folder; without DIR
                    that of DATA_DIR, or .data
  --name NAME       the deployment in AWS (disclosure-receipts)
  --region REGION   its region, if the settings of this shell name no other
  --profile NAME    the profile of these settings to take
  --json            one JSON document on standard output

  --plan PLAN       the usage plan, with its throttle and quota (the first)
  --chains N        how many chains the tenant's conversations are spread over,
                    for good (the deployment's number)
  RATE              how many attestations a minute get a timestamp in the call;
                    on: as many as the deployment stamps
  --scopes LIST     what the key may do: attest, report, or both with a comma
  --expires DATE    when it ends: 2027-01-31 or 2027-01-31T12:00:00Z (never)
  --grace TIME      how long the old key still works: 30m, 24h, 7d (24h)
  --tsa-ca FILE     PEM certificates of the timestamp authorities that you
                    trust (may be repeated)
  --tenant ID       walk this tenant's chains only, beside the metachain
  --chain ID        walk this chain only, beside the metachain
  --macs            have KMS verify the authentication code of each receipt

A key is shown once, when it is created. Every command may be repeated, also
after a crash in the middle of it.

Exit status: 0 done, or all holds; 1 something does not hold or needs somebody;
2 it could not be done, or the command line is wrong.`;

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name = "", ...rest] = args;
  const load = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (load === undefined)
    throw new UsageError(`admin takes one of ${Object.keys(PARTS).join(", ")}, and then options`);
  try {
    const { run } = await load();
    return await run(rest, terminal);
  } catch (error) {
    throw isDisclosureError(error) ? withReason(error) : error;
  }
}

/** With what AWS called it: about an AccessDeniedException an operator can do something. */
function withReason(error: DisclosureError): DisclosureError {
  const { code, message, evidence } = error;
  if (!code.endsWith("_unavailable") || typeof evidence.error !== "string") return error;
  return new DisclosureError(code, `${message} (${evidence.error})`, evidence, error);
}

export const command: Command = { help: HELP, run };
