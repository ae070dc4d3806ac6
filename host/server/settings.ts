// The settings of a server of the web runtime: where it listens, and what it lets in.
import * as z from "zod";
import { webVariables } from "../../contract/environment-variables.ts";
import { MAX_PORT } from "../../contract/limits.ts";
import { readEnvironment } from "../../service/environment.ts";

const DEFAULT_PORT = 8080;
const EVERY_ADDRESS = "0.0.0.0";
/** Lambda kills a web function's process one second after SIGTERM. */
const LAMBDA_STOP_MS = 900;
/** Docker kills ten seconds after SIGTERM, ECS and Kubernetes thirty, unless they are told otherwise. */
const CONTAINER_STOP_MS = 9_000;

const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a port")
  .transform(Number)
  .pipe(z.int().max(MAX_PORT, "must be a port"));

const addressSchema = z.object({
  /** Lambda sets it for web functions, as host:port, and waits until the server listens there. */
  AWS_LAMBDA_HTTP_ENDPOINT: z
    .string()
    .regex(/^\S+:\d{1,5}$/, "must be host:port")
    .optional(),
  HOST: z.string().min(1, "must be an address").default(EVERY_ADDRESS),
  PORT: port.default(DEFAULT_PORT),
});

const settingsSchema = webVariables.extend(addressSchema.shape);

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** The current secret and, where there is one, the one before it. */
  readonly originSecrets: readonly string[];
  readonly maxRequests: number;
  /** From the request to stop until the process ends, whatever is still open. */
  readonly stopMs: number;
}

/** Throws `misconfigured` and names the variable that is wrong. */
export function readSettings(environment: NodeJS.ProcessEnv): ServerSettings {
  const settings = readEnvironment(settingsSchema, environment);
  const { ORIGIN_SECRET, PREVIOUS_ORIGIN_SECRET, AWS_LAMBDA_HTTP_ENDPOINT: endpoint } = settings;
  const common = {
    originSecrets: [ORIGIN_SECRET, ...(PREVIOUS_ORIGIN_SECRET === undefined ? [] : [PREVIOUS_ORIGIN_SECRET])],
    maxRequests: settings.MAX_REQUESTS,
  };
  if (endpoint === undefined) {
    return { ...common, host: settings.HOST, port: settings.PORT, stopMs: CONTAINER_STOP_MS };
  }
  const colon = endpoint.lastIndexOf(":");
  const host = endpoint.slice(0, colon).replace(/^\[(.*)\]$/, "$1");
  return { ...common, host, port: Number(endpoint.slice(colon + 1)), stopMs: LAMBDA_STOP_MS };
}
