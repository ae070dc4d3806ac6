// The messages between the driver and the fault proxy.
import type { FaultName } from "../faults/names.ts";

/** The processes whose requests come in at one port of the proxy: each kind of process of the service has one of its own. */
export const CLIENT_ROLES = ["attest", "read", "seal", "operate"] as const;
export type ClientRole = (typeof CLIENT_ROLES)[number];

/** Where the proxy sends what it is asked, each a URL. */
export interface Upstreams {
  readonly table: string;
  readonly objects: string;
  readonly keys: string;
  readonly authorities: readonly string[];
  readonly witness: string;
}

/** A fault that waits for its request. */
export interface ArmedFault {
  readonly name: FaultName;
  readonly role: ClientRole;
  /** So many requests that it could meet pass before it. */
  readonly skip: number;
  readonly seed: number;
}

export type ToProxy =
  | { readonly kind: "open"; readonly upstreams: Upstreams }
  | { readonly kind: "arm"; readonly fault: ArmedFault }
  /** From now on there are no faults; requests that are held back are still delivered in their time. */
  | { readonly kind: "calm" };

export type FromProxy =
  | { readonly kind: "open"; readonly urls: Readonly<Record<ClientRole, string>> }
  | { readonly kind: "count"; readonly counts: ProxyCounts };

/** Totals since the start. */
export interface ProxyCounts {
  /** By role and operation, as `attest TransactWriteItems`. */
  readonly requests: Readonly<Record<string, number>>;
  /** Units that the table says it took, by role. */
  readonly units: Readonly<Record<string, number>>;
  /** Faults that met a request, by name and operation, as `late attest TransactWriteItems`. */
  readonly faults: Readonly<Record<string, number>>;
  /** Requests that are held back now. */
  readonly held: number;
  /** Sealers that were shown other bytes than they wrote. */
  readonly shownOtherBytes: number;
}

/** The paths below which the proxy reaches authorities and the witness. */
export const AUTHORITY_PREFIX = "/tsa/";
export const WITNESS_PREFIX = "/witness";
/** The witness lies as this header of a request says; only the proxy sends it. */
export const LIE_HEADER = "x-hammer-lie";
export const WITNESS_LIES = ["other-tree", "garbage", "larger-tree"] as const;
