// Opens the wording policy layers of the deployment: those of its file, or those that ship with the service.
import { readFileSync } from "node:fs";
import { policyVariables } from "../../contract/environment-variables.ts";
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { deployedLayers } from "../../evidence/core/policy/deployed-layers.ts";
import type { PolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import { deployedPath, readEnvironment } from "../environment.ts";

/** `shipped` are the layers of the bundle. Throws `misconfigured`: a layer that can't be read must give no verdict. */
export function openLayers(shipped: readonly PolicyLayer[]): readonly PolicyLayer[] {
  const { POLICY_FILE: name } = readEnvironment(policyVariables);
  if (name === undefined) return shipped;
  const layers = readJsonFile(deployedPath(name));
  if (!Array.isArray(layers)) throw new DisclosureError("misconfigured", `${name} has no list of layers`);
  return deployedLayers(
    [],
    layers.map((data, i) => ({ name: `${name}[${i}]`, data })),
  );
}

/** Throws `misconfigured` and names the file. */
export function readJsonFile(file: string): unknown {
  try {
    return parseJson(readFileSync(file));
  } catch (error) {
    const fault = isDisclosureError(error) ? error.message : "it can't be read";
    throw new DisclosureError("misconfigured", `${file} is no JSON file: ${fault}`, {}, error);
  }
}
