// The wording policy layers of a deployment: those that ship with the service, and the operator's own in their place or
// beside them, checked at synthesis by the parser that the functions run, and by the lint for those who write layers.
import { readFileSync } from "node:fs";
import { Annotations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";
import type * as z from "zod";
import type { policyVariables } from "../../contract/environment-variables.ts";
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { deployedLayers, type LayerFile } from "../../evidence/core/policy/deployed-layers.ts";
import { type LintFinding, lintLayer } from "../../evidence/core/policy/lint.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import type { Config } from "../settings/config.ts";
import { Misconfigured } from "../settings/misconfigured.ts";

/** The file of the layers, next to a function's bundle, which is its working folder. */
const LAYERS_FILE = "policy.json";
const DATE_LENGTH = "YYYY-MM-DD".length;

export class DeployedPolicy {
  /** JSON: all layers, in a list; null where those are used that ship. */
  readonly #text: string | null;
  readonly #warnings: readonly string[];

  /** Throws `misconfigured`, in one line with the file's name, for a file that is no layer or has a fault. */
  constructor({ policyFiles = [] }: Config) {
    const files = policyFiles.map(readLayerFile);
    this.#text = files.length === 0 ? null : JSON.stringify(layersOf(files));
    this.#warnings = files.flatMap(lintFile);
  }

  /** The file that lies next to the bundles of functions that know the layers. */
  get files(): Readonly<Record<string, string>> {
    return this.#text === null ? {} : { [LAYERS_FILE]: this.#text };
  }

  get environment() {
    if (this.#text === null) return {};
    return { POLICY_FILE: LAYERS_FILE } as const satisfies z.input<typeof policyVariables>;
  }

  /** Has each synthesis show what the operator must decide about the files. */
  warn(construct: IConstruct): void {
    for (const [i, warning] of this.#warnings.entries())
      Annotations.of(construct).addWarningV2(`disclosure-receipts:policy-files-${i}`, warning);
  }
}

function readLayerFile(name: string): LayerFile {
  try {
    return { name, data: parseJson(readFileSync(name)) };
  } catch (error) {
    throw new Misconfigured(`policyFiles: ${name} can't be read as a JSON file`, error);
  }
}

function layersOf(files: readonly LayerFile[]) {
  try {
    return deployedLayers(policyLayers, files);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "this is no wording policy layer";
    throw new Misconfigured(`policyFiles: ${reason}`, error);
  }
}

/** The warnings about a layer. Throws `misconfigured` with its first fault, which may be one of its words. */
function lintFile({ name, data }: LayerFile): string[] {
  const findings = lintLayer(data, new Date().toISOString().slice(0, DATE_LENGTH));
  const sentence = ({ subject, message }: LintFinding) => `policyFiles: ${name}: ${subject}: ${message}`;
  const fault = findings.find(({ level }) => level === "fault");
  if (fault !== undefined) throw new Misconfigured(sentence(fault));
  return findings.filter(({ level }) => level === "warning").map(sentence);
}
