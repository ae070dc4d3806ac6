// The layers that attestations are judged by: those of the deployment, each with a tenant's own wordings where it has some.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { composeLayer } from "../../evidence/core/policy/effective-layer.ts";
import { lookupLayer, rulesOf } from "../../evidence/core/policy/policy.ts";
import { digestOfLayer, type PolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import type { PolicyRules } from "../../evidence/core/policy/policy-rules.ts";
import type { Table } from "../table/table.ts";
import { LayerRecords } from "./layer-records.ts";
import { readOwnWordings } from "./own-wordings.ts";

/** Effective layers that a process remembers: those that were used last. */
const MAX_REMEMBERED = 1_000;

/** A caller as far as its layers go. */
export interface PolicyCaller {
  readonly ownWordings: string | null;
  readonly isPreview: boolean;
}

export class EffectiveLayers {
  readonly #table: Table;
  readonly #layers: readonly PolicyLayer[];
  readonly #records: LayerRecords;
  readonly #remembered = new BoundedMap<string, Promise<PolicyRules>>(MAX_REMEMBERED);

  /** `layers` are those of the deployment. */
  constructor(table: Table, layers: readonly PolicyLayer[]) {
    this.#table = table;
    this.#layers = layers;
    this.#records = new LayerRecords(table);
  }

  /**
   * The rules that a caller's attestations are judged by; the layer that they are from is in the table then. A process
   * reads and writes once for each layer, and nothing afterwards. Throws what `lookupLayer`, `readOwnWordings` and
   * `LayerRecords.record` throw: a verdict by other wordings than the tenant's could never be taken back.
   */
  async rulesFor({ ownWordings, isPreview }: PolicyCaller, jurisdiction: string): Promise<PolicyRules> {
    const layer = lookupLayer(this.#layers, jurisdiction, isPreview);
    const name = `${digestOfLayer(layer)} ${ownWordings}`;
    const rules = this.#remembered.get(name) ?? this.#make(layer, ownWordings);
    // A layer that is used goes to the end of those that are dropped.
    this.#remembered.set(name, rules);
    try {
      return await rules;
    } catch (error) {
      // The next call tries again.
      this.#remembered.delete(name);
      throw error;
    }
  }

  async #make(layer: PolicyLayer, ownWordings: string | null): Promise<PolicyRules> {
    const effective =
      ownWordings === null ? layer : composeLayer(layer, await readOwnWordings(this.#table, ownWordings));
    await this.#records.record(effective);
    return rulesOf(effective);
  }
}
