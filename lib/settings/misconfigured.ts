// A fault that the operator can put right: a wrong setting, or a missing file. Its message is one line.

export class Misconfigured extends Error {
  override readonly name = "Misconfigured";
  readonly code = "misconfigured";

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
