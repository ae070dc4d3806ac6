// The log lines of the service's processes: metrics (CloudWatch's embedded format) and errors.
import { METRIC_NAMES, type MetricName } from "../../../contract/metric-names.ts";

const METRICS = '"_aws"';
/** No fault of a run damages what is stored, so whoever says this has found a fault of the service. */
const DAMAGE = "ledger_corrupt";
const CONFLICT = "publication_conflict";
/** A witness that names a larger tree is no bucket with other bytes; nor is a seal that can't be shown to follow. */
const NO_OTHER_BYTES = /"witness":|is claimed by no chain|a seal must not be published/;
const DISBELIEF = "was not believed";
/** A seal whose mark an insider deleted. */
const UNMARKED = /seal is missing from the table/;
/** A run of the sealer that has read a span when the operator sets its entry aside tells so, once. */
const SET_ASIDE = /a leaf is missing from the table/;
const SET_ASIDE_MS = 15_000;
/** The time of an erasure that no command noted: a receipt with such a note can't be read, and whoever tries says so. */
export const FORGED_INSTANT = "2001-01-01T00:00:00.000Z";
const MAX_QUOTED = 600;

export class ServiceLines {
  readonly #totals = new Map<string, number>();
  readonly findings: string[] = [];
  /** Lines in which a sealer says that other bytes are public. */
  conflicts = 0;
  #setAsideUntil = 0;
  /** Lines that tell what an insider did: an item that was not believed, a note of a forged erasure, an unmarked seal. */
  readonly told = { disbelieved: 0, forged: 0, unmarked: 0 };

  hear(process: string, line: string): void {
    if (line.includes(METRICS)) this.#count(line);
    else if (line.includes(FORGED_INSTANT)) this.told.forged++;
    else if (line.includes(DISBELIEF)) this.told.disbelieved++;
    else if (UNMARKED.test(line)) this.told.unmarked++;
    else if (SET_ASIDE.test(line) && performance.now() < this.#setAsideUntil) return;
    else if (line.includes(DAMAGE)) this.findings.push(`${process} says: ${line.slice(0, MAX_QUOTED)}`);
    else if (line.includes(CONFLICT) && !NO_OTHER_BYTES.test(line)) this.conflicts++;
  }

  /** The operator begins to set entries aside, or has just done so. */
  settingAside(): void {
    this.#setAsideUntil = performance.now() + SET_ASIDE_MS;
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
