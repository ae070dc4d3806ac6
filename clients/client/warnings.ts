// The service's remarks about requests that it accepted.
import { settle } from "./settle.ts";

let hasWarned = false;

/** To the console, once for a process: a program that sends such requests sends many. */
export function warnOnce(warning: string): void {
  if (hasWarned) return;
  hasWarned = true;
  globalThis.console?.warn(`disclosure-receipts: ${warning}`);
}

/** The disclosure is recorded: a function that fails, by its own fault, must neither hide its receipt nor do more harm. */
export function passOn(onWarning: (warning: string) => unknown, warning: string): void {
  void settle(
    () => onWarning(warning),
    () => {},
  );
}
