// The service's remarks about requests that it accepted.

let hasWarned = false;

/** To the console, once for a process: a program that sends such requests sends many. */
export function warnOnce(warning: string): void {
  if (hasWarned) return;
  hasWarned = true;
  globalThis.console?.warn(`disclosure-receipts: ${warning}`);
}

/** The disclosure is recorded: a function that fails must not hide its receipt. */
export function passOn(onWarning: (warning: string) => void, warning: string): void {
  try {
    onWarning(warning);
  } catch {
    // The function's own fault, which has nothing to do with the disclosure.
  }
}
