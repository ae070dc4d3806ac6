// Counts what a call, a report and a run of the sealer ask of AWS: runs the deployed handlers on the local parts.
// bench/cost/tables.ts computes the costs from it.
import { COUNTED, type Counts } from "../../cost/counters.ts";
import { countScenarios, SCENARIOS, type Scenario } from "../../cost/scenarios.ts";
import { columnsOf, type Measure } from "../result.ts";

export const measure: Measure = async ({ isQuick, progress }) => {
  progress("counts for one to two minutes");
  const counted = await countScenarios(isQuick);
  const scenarios = Object.keys(SCENARIOS) as Scenario[];
  const eachOf = (scenario: Scenario, name: keyof Counts): number =>
    name === "calls" ? counted[scenario].calls : counted[scenario][name] / counted[scenario].calls;
  return {
    columns: columnsOf(
      "for each: text",
      ...scenarios.map((scenario) => `${SCENARIOS[scenario]}: count` as const),
    ),
    rows: (Object.keys(COUNTED) as (keyof Counts)[]).map((name) => [
      COUNTED[name],
      ...scenarios.map((scenario) => eachOf(scenario, name)),
    ]),
    figures: [],
  };
};
