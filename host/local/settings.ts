// The settings of the local stack, read from the environment. A wrong one stops the start with one line.
import * as z from "zod";
import {
  AUTHORITIES,
  authorityVariables,
  planVariables,
  rateVariables,
} from "../../contract/environment-variables.ts";
import { MAX_PORT } from "../../contract/limits.ts";
import { DEFAULT_PLANS } from "../../contract/plans.ts";
import { DAY_SECONDS } from "../../contract/time.ts";
import { readEnvironment } from "../../service/environment.ts";

const MAX_SEAL_INTERVAL_SECONDS = DAY_SECONDS;
const LOG_LEVELS = ["DEBUG", "INFO", "WARN", "ERROR", "SILENT"] as const;

function whole(min: number, max: number) {
  const expected = `must be a whole number from ${min} to ${max}`;
  const digits = z.string().regex(/^\d{1,6}$/, { error: expected, abort: true });
  return digits.transform(Number).pipe(z.int().min(min, expected).max(max, expected));
}

const text = (expected: string) => z.string().min(1, expected);

const settingsSchema = z
  .object({
    PORT: whole(0, MAX_PORT).default(8787),
    DATA_DIR: text("must name a folder").default(".data"),
    SEAL_INTERVAL_SECONDS: whole(1, MAX_SEAL_INTERVAL_SECONDS).default(10),
    TSA_URLS: z
      .string()
      .refine((urls) => authorityVariables.safeParse({ TSA_URLS: urls }).success, AUTHORITIES)
      .optional(),
    TSA_CA_FILE: text("must name a PEM file").optional(),
    POLICY_FILES: text("must name files of wording policy layers, with commas between them")
      .transform((names) => names.split(",").map((name) => name.trim()))
      .default([]),
    WITNESS_POLICY_FILE: text("must name a tlog-policy file").optional(),
    BRIDGE_FILE: text("must name a JSON file with the bridge's settings").optional(),
    BRIDGE_SECRETS_FILE: text("must name a JSON file with the platforms' secrets").optional(),
    // The stack's own tenant is on none of them, so it has no limits.
    PLANS: planVariables.shape.PLANS.unwrap().default(DEFAULT_PLANS),
    ...rateVariables.shape,
    DYNAMODB_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be a URL with http or https" }).optional(),
    CONSOLE: z
      .enum(["true", "false"], "must be true or false")
      .default("true")
      .transform((text) => text === "true"),
    CONSOLE_PORT: whole(0, MAX_PORT).optional(),
    CALL_LINES: z
      .enum(["true", "false"], "must be true or false")
      .default("true")
      .transform((text) => text === "true"),
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
  .refine(
    ({ BRIDGE_FILE, BRIDGE_SECRETS_FILE }) =>
      (BRIDGE_FILE === undefined) === (BRIDGE_SECRETS_FILE === undefined),
    { path: ["BRIDGE_SECRETS_FILE"], message: "goes together with BRIDGE_FILE" },
  )
  // Tokens of the development authority lead to its own certificate, so none of them would verify.
  .refine(({ TSA_URLS, TSA_CA_FILE }) => TSA_CA_FILE === undefined || TSA_URLS !== undefined, {
    path: ["TSA_URLS"],
    message: "must name the authorities that TSA_CA_FILE is for",
  });

export type Settings = z.infer<typeof settingsSchema>;

/** Throws `misconfigured` and names the setting that is wrong. */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings =>
  readEnvironment(settingsSchema, environment);
