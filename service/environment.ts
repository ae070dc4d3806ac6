// The strict reading of environment variables; contract/environment-variables.ts has their schemas.
import { resolve } from "node:path";
import type * as z from "zod";
import { DisclosureError } from "../evidence/core/errors.ts";
import { PLAIN_ERRORS } from "../evidence/core/formats/plain-errors.ts";

/** Reads a part of the environment. Throws `misconfigured` and names the variable that is wrong. */
export function readEnvironment<T>(variables: z.ZodType<T>, environment: NodeJS.ProcessEnv = process.env): T {
  const result = variables.safeParse(environment, PLAIN_ERRORS);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new DisclosureError("misconfigured", `the environment is wrong: ${issues.join("; ")}`);
}

/** The path of a file that was deployed with the program: in Lambda, a relative name is below the bundle's own folder. */
export const deployedPath = (name: string): string => resolve(process.env.LAMBDA_TASK_ROOT ?? "", name);
