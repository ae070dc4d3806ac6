// The rule for an object of settings that an operator writes: with these members, and no other.
import * as z from "zod";

export const only = <T extends z.ZodRawShape>(shape: T) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `${issue.keys.map((key) => `"${key}"`).join(", ")} is no setting`
        : `must be an object with ${Object.keys(shape).join(", ")}`,
  });
