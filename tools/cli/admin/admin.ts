// `admin`: an operator's commands on a deployment. Its parts load the AWS SDK, so they are loaded only when they are
// called.
import { DisclosureError, isDisclosureError } from "../../../evidence/core/errors.ts";
import { type Command, type ExitCode, UsageError } from "../command.ts";
import type { Terminal } from "../output/terminal.ts";
import { ADMIN_HELP, PART_HELP } from "./help.ts";

type Run = Command["run"];

const PARTS: Readonly<Record<string, () => Promise<{ readonly run: Run }>>> = {
  tenant: () => import("./tenant.ts"),
  key: () => import("./key.ts"),
  show: () => import("./show.ts"),
  wording: () => import("./wording.ts"),
  usage: () => import("./usage.ts"),
  webhook: () => import("./webhook.ts"),
  status: () => import("./status.ts"),
  verify: () => import("./verify.ts"),
  "set-aside": () => import("./set-aside.ts"),
  erase: () => import("./erase.ts"),
  retention: () => import("./retention.ts"),
  console: () => import("./console.ts"),
};

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

/** Adds AWS's own name of the error: an operator can do something about an AccessDeniedException. */
function withReason(error: DisclosureError): DisclosureError {
  const { code, message, evidence } = error;
  if (!code.endsWith("_unavailable") || typeof evidence.error !== "string") return error;
  return new DisclosureError(code, `${message} (${evidence.error})`, evidence, error);
}

export const command: Command = { help: ADMIN_HELP, topics: PART_HELP, run };
