// The package's entry `disclosure-receipts/policy`: the wordings as data, for programs that attest them. It runs wherever
// JavaScript does.
export { fillOperator } from "../core/policy/gaps.ts";
export type { Modality, PolicyLayer, Wording } from "../core/policy/policy-layer.ts";
export { policyLayers } from "./index.ts";
export {
  disclosureOf,
  type FoundWording,
  findWording,
  hashWordingText,
  type WordingDisclosure,
  wordingsOf,
} from "./wordings.ts";
