// The log lines of the service's processes: metrics (CloudWatch's embedded format) and errors.
import { METRIC_NAMES, type MetricName } from "../../../contract/metric-names.ts";

const METRICS = '"_aws"';
/** No fault of a run damages what is stored, so whoever says this has found a fault of the service. */
const DAMAGE = "ledger_corrupt";
const CONFLICT = "publication_conflict";
/** A witness that names a larger tree is no bucket with other bytes. */
const BY_WITNESS = '"witness":';
const MAX_QUOTED = 600;

export class ServiceLines {
  readonly #totals = new Map<string, number>();
  readonly findings: string[] = [];
  /** Lines in which a sealer says that other bytes are public. */
  conflicts = 0;

  hear(process: string, line: string): void {
    if (line.includes(METRICS)) this.#count(line);
    else if (line.includes(DAMAGE)) this.findings.push(`${process} says: ${line.slice(0, MAX_QUOTED)}`);
    else if (line.includes(CONFLICT) && !line.includes(BY_WITNESS)) this.conflicts++;
  }

  /** The sum of all values of a metric. */
  total(metric: MetricName): number {
    return this.#totals.get(METRIC_NAMES[metric]) ?? 0;
  }

  #count(line: string): void {
    const values = parseLine(line);
    for (const name of Object.values(METRIC_NAMES)) {
      const value = values[name];
      if (value === undefined) continue;
      const sum = [value].flat().reduce((total: number, each) => total + Number(each), 0);
      this.#totals.set(name, (this.#totals.get(name) ?? 0) + sum);
    }
  }
}

/** A line that was cut off by a kill says nothing. */
function parseLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
