// The wording policy layers that ship with the service, one JSON file a jurisdiction. A file that is no layer
// stops the process at start, before it can attest anything. See docs/policy-layer.md.
import { type PolicyLayer, parsePolicyLayer } from "../core/policy/policy-layer.ts";
import at from "./at.json" with { type: "json" };
import be from "./be.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };

/** In alphabetical order of jurisdiction; find one with `lookupLayer`. */
export const policyLayers: readonly PolicyLayer[] = [at, be, de, nl].map(parsePolicyLayer);
