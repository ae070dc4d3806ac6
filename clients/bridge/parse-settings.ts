// Reads the bridge's files: one with its settings, and one with its secrets.
import type * as z from "zod";
import { DisclosureError } from "../../evidence/core/errors.ts";

/** Throws `misconfigured` with what is wrong in it, and never with what it holds. */
export function parseJsonAs<T>(schema: z.ZodType<T>, text: string, what: string): T {
  const { data, error } = schema.safeParse(parseLoosely(text));
  if (error === undefined) return data as T;
  const issues = error.issues.map(({ path, message }) => `${path.join(".") || "JSON"}: ${message}`);
  throw new DisclosureError("misconfigured", `${what}: ${issues.join("; ")}`);
}

function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
