// Opens the log's key. Separate from connections.ts: the sealer alone signs.
import { KMSClient } from "@aws-sdk/client-kms";
import { logVariables } from "../../contract/environment-variables.ts";
import { readEnvironment } from "../environment.ts";
import type { LogSettings } from "../log/log-identity.ts";
import { KmsSigner } from "../log/log-signer.ts";
import { TIMEOUTS } from "./connections.ts";

/** The next run signs what this one could not. */
const SIGN_ATTEMPTS = 2;

/** The log as its settings have it: its name, and the key that signs its checkpoints. */
export function openLog(): LogSettings {
  const { LOG_KEY_ID, LOG_ORIGIN: origin } = readEnvironment(logVariables);
  const client = new KMSClient({ requestHandler: TIMEOUTS, maxAttempts: SIGN_ATTEMPTS });
  return { origin, signer: new KmsSigner(client, LOG_KEY_ID) };
}
