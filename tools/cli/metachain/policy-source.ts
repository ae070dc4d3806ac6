// The published wording policy as a port: its layers, and the index and lists of them.
import type { LayerSource } from "../../../evidence/reader/policy-layers.ts";

export interface PolicySource extends LayerSource {
  /** The bytes of the index or of a list, by its path; null where there is none. Throws `publication_unavailable`. */
  readonly policyList: (path: string) => Promise<Uint8Array | null>;
}
