// The messages of a world's processes to the driver.
import type { Upstreams } from "../proxy/messages.ts";

/** The message of the line by which a process of the service says that it serves. */
export const LISTENING = "listening";

/** The stand-ins, once they run. */
export interface OpenStandIns {
  readonly kind: "open";
  readonly upstreams: Upstreams;
  /** The service's environment, with the stand-ins' own addresses in it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly witnessKey: string;
}

export type FromStandIns = OpenStandIns | { readonly kind: "finding"; readonly finding: string };

/** To a process of the service: its clock is so far off from now on. */
export interface ToClock {
  readonly kind: "clock";
  readonly offsetMs: number;
}
