// Errors of the AWS SDK are known by their names: not every error has a class of its own.

/** Empty for a value that is not an Error. */
export const errorNameOf = (error: unknown): string => (error instanceof Error ? error.name : "");
