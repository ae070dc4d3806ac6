// The wording policy of the local stack: the layers that ship, with those of the files that POLICY_FILES names.
import { writeFileSync } from "node:fs";
import { deployedLayers } from "../../evidence/core/policy/deployed-layers.ts";
import type { PolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import { readJsonFile } from "../../service/opening/layers.ts";
import { openRoots } from "../../service/opening/roots.ts";
import { PolicyPublication } from "../../service/policy/policy-publication.ts";
import type { Table } from "../../service/table/table.ts";
import type { Settings } from "./settings.ts";

/** Throws `misconfigured` and names the file that is wrong. */
export const localLayers = ({ POLICY_FILES }: Settings): PolicyLayer[] =>
  deployedLayers(
    policyLayers,
    POLICY_FILES.map((name) => ({ name, data: readJsonFile(name) })),
  );

/** Writes them where the handlers read those of a deployment. */
export const writeLayers = (file: string, layers: readonly PolicyLayer[]): void =>
  writeFileSync(file, JSON.stringify(layers));

/** Publishes them, so that the stack's first answer finds them. The sealer tries again where that fails. */
export const publishLayers = (table: Table, layers: readonly PolicyLayer[]): Promise<void> =>
  new PolicyPublication({
    table,
    files: openRoots().files,
    layers,
    clock: table.clock,
    meter: () => {},
    // The service's logger takes its level from the environment when it is loaded, which is not set yet when this file is.
    onFailure: (part, error) =>
      console.error(`a part of the wording policy was not published: ${part}`, error),
  }).publishDeployed();
