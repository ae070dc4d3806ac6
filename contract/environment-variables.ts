// The environment variables of the functions: the constructs in lib/ set them, service/environment.ts reads them.
import * as z from "zod";
import { INLINE_STAMP_BUDGET_MS } from "./limits.ts";
import { plansSchema } from "./plans.ts";
import { DEFAULT_WEB_CONCURRENCY, MIN_ORIGIN_SECRET_LENGTH } from "./web-runtime.ts";

const flag = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");
const whole = z
  .string("must be a whole number")
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);
/** The rule for a list of timestamp authorities. */
export const AUTHORITIES = "must be URLs with http or https, with commas between them";
const text = z.string("is missing").min(1, "must not be empty");

/** For functions that reach the ledger. */
export const ledgerVariables = z.object({ TABLE_NAME: text });
/** For functions that authenticate receipts and answers. Retired keys, with commas between them, made older codes. */
export const macVariables = z.object({
  MAC_KEY_ID: text,
  RETIRED_MAC_KEY_IDS: z
    .string()
    .transform((ids) => ids.split(",").filter((id) => id !== ""))
    .default([]),
});
/** The bucket of the published roots, and how long Object Lock keeps each one (0 days: the bucket's own default). */
export const rootsVariables = z.object({
  ROOTS_BUCKET: text,
  ROOTS_RETENTION_MODE: z
    .enum(["GOVERNANCE", "COMPLIANCE"], "must be GOVERNANCE or COMPLIANCE")
    .default("GOVERNANCE"),
  ROOTS_RETENTION_DAYS: whole.default(0),
});
/** The private bucket of the bills, and how long Object Lock keeps each one (0 days: it is not locked). */
export const billsVariables = z.object({
  BILLS_BUCKET: text,
  BILLS_RETENTION_MODE: rootsVariables.shape.ROOTS_RETENTION_MODE,
  BILLS_RETENTION_DAYS: whole.default(0),
});
/** The JSON file with the deployment's wording policy layers, all of them in a list; without it, those that ship. */
export const policyVariables = z.object({ POLICY_FILE: text.optional() });
/** The timestamp authorities to ask, in this order. */
export const authorityVariables = z.object({
  TSA_URLS: text
    .transform((urls) => urls.split(",").map((url) => url.trim()))
    .pipe(z.array(z.url({ protocol: /^https?$/, error: AUTHORITIES })).min(1)),
});
/** The number of tokens that a seal needs, each under a different trust anchor. */
export const sealVariables = z.object({
  SEAL_TIMESTAMPS: whole.pipe(z.int().min(1, "must be a whole number from 1")).default(1),
});
/** The PEM file of the trust anchors that tokens must lead to. */
export const trustAnchorVariables = z.object({ TSA_CA_FILE: text });
/** These say whether the chain's root is stamped in the attestation call, and how many milliseconds that may take. */
export const inlineStampVariables = z.object({
  TSA_INLINE: flag.default(true),
  TSA_INLINE_BUDGET_MS: whole.default(INLINE_STAMP_BUDGET_MS),
});
/** The flag of a process with many requests at a time. Few such processes meet in a race, and they wait less. */
export const processVariables = z.object({ SHARED_PROCESS: flag.default(false) });
/** The KMS key that signs the log's checkpoints, and the log's name (C2SP tlog-checkpoint), which never changes. */
export const logVariables = z.object({ LOG_KEY_ID: text, LOG_ORIGIN: text });
/** The tlog-policy with the witnesses to ask, if any; plain HTTP is for witnesses on the same machine and for trials. */
export const witnessVariables = z.object({
  WITNESS_POLICY_FILE: text.optional(),
  WITNESS_PLAIN_HTTP: flag.default(false),
});
const plans = text
  .transform((json, context) => {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be a JSON object of plans" });
      return z.NEVER;
    }
  })
  .pipe(plansSchema);
/** The limits of each plan, as JSON. A tenant whose plan is not among them has none. */
export const planVariables = z.object({ PLANS: plans.default({}) });
/** The flag of a process that holds callers to their plans' rates itself, because nothing in front of it does. */
export const rateVariables = z.object({ RATE_LIMIT: flag.default(false) });

/** The EventBridge bus, by name or ARN, and the deployment's name, which every event carries. Without a bus there are no events. */
export const eventVariables = z.object({
  EVENT_BUS: text.optional(),
  POWERTOOLS_SERVICE_NAME: text.default("disclosure-receipts"),
});
/** A flag that lets webhooks lead to this very machine, over plain HTTP too: for a developer's machine alone. */
export const webhookVariables = z.object({ WEBHOOK_LOOPBACK: flag.default(false) });

const secret = z
  .string("is missing")
  .min(MIN_ORIGIN_SECRET_LENGTH, `must have at least ${MIN_ORIGIN_SECRET_LENGTH} characters`);
/**
 * For a server of the web runtime: the secret that every request must carry, the one before it, for as long as the
 * public host may still send that, and how many requests the process takes at once.
 */
export const webVariables = z.object({
  ORIGIN_SECRET: secret,
  PREVIOUS_ORIGIN_SECRET: secret.optional(),
  MAX_REQUESTS: whole.pipe(z.int().min(1, "must be a whole number from 1")).default(DEFAULT_WEB_CONCURRENCY),
});
