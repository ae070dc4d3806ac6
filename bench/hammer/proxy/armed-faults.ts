// The faults that wait for a request that they can meet.
import type { ArmedFault, ClientRole } from "./messages.ts";
import { type AskedOperation, canMeet, type RequestHead } from "./operations.ts";

export class ArmedFaults {
  #waiting: { readonly fault: ArmedFault; left: number }[] = [];

  arm(fault: ArmedFault): void {
    this.#waiting.push({ fault, left: fault.skip });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault that meets this request; null where none does. A request meets one at most, and the oldest first. */
  take(role: ClientRole, operation: AskedOperation, head: RequestHead): ArmedFault | null {
    for (const [at, waiting] of this.#waiting.entries()) {
      const { fault } = waiting;
      if (fault.role !== role || !canMeet(fault.name, operation, head)) continue;
      if (waiting.left-- > 0) continue;
      this.#waiting.splice(at, 1);
      return fault;
    }
    return null;
  }
}
