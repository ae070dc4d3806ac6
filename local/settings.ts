// The settings of the local stack, read from the environment. A wrong one stops the start with one line.
import * as z from "zod";
import { readEnvironment } from "../service/environment.ts";

const MAX_PORT = 65_535;
const LOG_LEVELS = ["DEBUG", "INFO", "WARN", "ERROR", "SILENT"] as const;

const whole = (text: z.ZodString) => text.regex(/^\d{1,6}$/, "must be a whole number").transform(Number);

const settingsSchema = z
  .object({
    PORT: whole(z.string()).pipe(z.int().max(MAX_PORT)).default(8787),
    DATA_DIR: z.string().min(1).default(".data"),
    SEAL_INTERVAL_SECONDS: whole(z.string()).pipe(z.int().min(1)).default(10),
    TSA_URLS: z.string().min(1).optional(),
    TSA_CA_FILE: z.string().min(1).optional(),
    DYNAMODB_ENDPOINT: z.url().optional(),
    LOG_LEVEL: z
      .string()
      .toUpperCase()
      .pipe(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`))
      .default("WARN"),
  })
  .refine(({ TSA_URLS, TSA_CA_FILE }) => TSA_URLS === undefined || TSA_CA_FILE !== undefined, {
    path: ["TSA_CA_FILE"],
    message: "must name a PEM file with the trust anchors of TSA_URLS",
  })
  // Tokens of the development authority lead to its own certificate, so none of them would ever be believed.
  .refine(({ TSA_URLS, TSA_CA_FILE }) => TSA_CA_FILE === undefined || TSA_URLS !== undefined, {
    path: ["TSA_URLS"],
    message: "must name the authorities that TSA_CA_FILE is for",
  });

export type Settings = z.infer<typeof settingsSchema>;

/** Throws `misconfigured` and names the setting that is wrong. */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings =>
  readEnvironment(settingsSchema, environment);
