// The names of the environment variables that the functions read, once for both sides, and their strict reading.
import * as z from "zod";
import { DisclosureError } from "../core/errors.ts";

const flag = z.enum(["true", "false"]).transform((text) => text === "true");
const whole = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);
const text = z.string().min(1, "must not be empty");

/** What reaches the ledger. */
export const ledgerVariables = z.object({ TABLE_NAME: text });
/** What authenticates receipts and answers. */
export const macVariables = z.object({ MAC_KEY_ID: text });
/** Where roots are published, and for how long Object Lock keeps each one (0 days: the bucket's own default). */
export const rootsVariables = z.object({
  ROOTS_BUCKET: text,
  ROOTS_RETENTION_MODE: z.enum(["GOVERNANCE", "COMPLIANCE"]).default("GOVERNANCE"),
  ROOTS_RETENTION_DAYS: whole.default(0),
});
/** Which timestamp authorities are asked, in this order. */
export const authorityVariables = z.object({
  TSA_URLS: text.transform((urls) => urls.split(",").map((url) => url.trim())).pipe(z.array(z.url()).min(1)),
});
/** How many tokens a seal wants, each on the word of another trust anchor. */
export const sealVariables = z.object({ SEAL_TIMESTAMPS: whole.pipe(z.int().min(1)).default(1) });
/** The PEM file of the trust anchors that tokens must lead to. */
export const trustAnchorVariables = z.object({ TSA_CA_FILE: text });
/** Whether the chain's root is stamped in the attestation call, and how long that may take in milliseconds. */
export const inlineStampVariables = z.object({
  TSA_INLINE: flag.default(true),
  TSA_INLINE_BUDGET_MS: whole.default(1_500),
});

/** Reads a part of the environment. Throws `misconfigured` and names the variable that is wrong. */
export function readEnvironment<T>(variables: z.ZodType<T>, environment: NodeJS.ProcessEnv = process.env): T {
  const result = variables.safeParse(environment);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new DisclosureError("misconfigured", `the environment is wrong: ${issues.join("; ")}`);
}
