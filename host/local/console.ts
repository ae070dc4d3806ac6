// The console of the local stack, on a second port of this machine.
import { readFileSync } from "node:fs";
import type { LocalDeployment } from "../../contract/deployment.ts";
import { MAX_PORT } from "../../contract/limits.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { describeError, logger } from "../../service/logger.ts";
import { connectLocal } from "../../service/operator.ts";
import { startConsole } from "../console/console-server.ts";
import type { Settings } from "./settings.ts";

/** A running console. */
export interface LocalConsole {
  readonly url: string;
  readonly close: () => Promise<void>;
}

type ConsoleSettings = Pick<Settings, "CONSOLE" | "CONSOLE_PORT" | "PORT">;

/** Null where the settings want none. Throws `misconfigured` where the port that they name is taken. */
export async function startLocalConsole(
  settings: ConsoleSettings,
  deployment: LocalDeployment,
): Promise<LocalConsole | null> {
  if (!settings.CONSOLE) return null;
  const trustAnchorsPem = readFileSync(deployment.trustAnchorsFile, "utf8");
  const operator = connectLocal(deployment);
  const { url, close } = await startAt(settings, (port) =>
    startConsole(operator, {
      port,
      portAdvice: "set CONSOLE_PORT to another, or CONSOLE to false",
      trustAnchors: parseCertificatesPem(trustAnchorsPem),
      trustAnchorsPem,
      onFault: (error) => logger.error("the console could not answer", { failure: describeError(error) }),
    }),
  );
  const end = async (): Promise<void> => {
    await close();
    operator.close();
  };
  return { url: `${url}/`, close: end };
}

/** A port that nobody chose may be somebody else's: then any other one does, for the console's address is printed. */
async function startAt<T>(
  { CONSOLE_PORT, PORT }: ConsoleSettings,
  start: (port: number) => Promise<T>,
): Promise<T> {
  if (CONSOLE_PORT !== undefined) return start(CONSOLE_PORT);
  const next = PORT === 0 || PORT === MAX_PORT ? 0 : PORT + 1;
  return start(next).catch((error: unknown) => {
    if (isDisclosureError(error, "misconfigured")) return start(0);
    throw error;
  });
}
