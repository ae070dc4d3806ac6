// Errors of the AWS SDK are told apart by their names: not every error has a class of its own.

/** Empty for what is no error. */
export const errorNameOf = (error: unknown): string => (error instanceof Error ? error.name : "");
