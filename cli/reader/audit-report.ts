// The final table of an audit.
import type { Metachain } from "../../core/metachain.ts";
import type { AuditState } from "../evidence/audit-state.ts";
import type { Fault, Tally } from "../evidence/audit-tally.ts";
import type { Verdict } from "../evidence/verdict.ts";
import { printTable } from "../output/table.ts";
import { bold, green, red, type Terminal, type Text, yellow } from "../output/terminal.ts";

export function auditVerdict({ fault_count, unchecked }: Tally): Verdict {
  if (fault_count > 0) return "does_not_hold";
  return unchecked > 0 ? "holds_so_far" : "holds";
}

export function printAudit(
  { metachain, last, tally }: AuditState,
  head: Metachain,
  terminal: Terminal,
): void {
  terminal.print(bold(metachain));
  printTable(terminal, [
    ["roots", `${tally.roots} of ${head.size}`],
    ["tree size", `${last?.tree_size ?? 0} entries under the last root`],
    ["consistency", `${tally.paths} paths hold`],
    ["timestamps", timestampsOf(tally)],
    ["authorities", authoritiesOf(tally)],
    ["gaps", tally.gaps === 0 ? "none" : red(`${tally.gaps} roots are missing`)],
    ["head", hasFault(tally, "head") ? red("is not the last root") : "is the last root"],
    ["receipts", `${tally.receipts}, as the service states`],
    ["sealed", periodOf(tally)],
    ["longest pause", pauseOf(tally)],
  ]);
  if (tally.fault_count > 0) printFaults(tally, terminal);
  terminal.print("verdict: ", VERDICTS[auditVerdict(tally)] ?? "");
}

const VERDICTS: Readonly<Partial<Record<Verdict, Text>>> = {
  holds: green("the metachain holds"),
  holds_so_far: yellow("the metachain holds as far as could be checked"),
  does_not_hold: red("the metachain does not hold"),
};

function printFaults({ faults, fault_count }: Tally, terminal: Terminal): void {
  terminal.print(red(fault_count === 1 ? "1 fault" : `${fault_count} faults`));
  printTable(terminal, faults.map(describe));
  if (fault_count > faults.length) terminal.print(`  and ${fault_count - faults.length} more`);
}

const describe = ({ index, check, detail }: Fault): Text[] => [
  index === null ? "head" : `root ${index}`,
  check,
  detail,
];

const hasFault = ({ faults }: Tally, check: string): boolean => faults.some((fault) => fault.check === check);

function timestampsOf({ tokens, unchecked }: Tally): Text {
  if (unchecked === 0) return `${tokens} tokens hold`;
  return yellow(`${tokens} tokens hold, those of ${unchecked} roots were not checked`);
}

/** The most first: "2 over 40 roots, none over 1". */
const authoritiesOf = ({ authorities }: Tally): string =>
  Object.entries(authorities)
    .sort(([a], [b]) => Number(b) - Number(a))
    .map(
      ([count, roots]) => `${count === "0" ? "none" : count} over ${roots} ${roots === 1 ? "root" : "roots"}`,
    )
    .join(", ") || "none";

const periodOf = ({ first_sealed_at, last_sealed_at }: Tally): string =>
  first_sealed_at === null ? "never" : `${first_sealed_at} to ${last_sealed_at}`;

const pauseOf = ({ longest_pause_seconds, longest_pause_after }: Tally): string =>
  longest_pause_after === null
    ? "none"
    : `${longest_pause_seconds} seconds, after root ${longest_pause_after}`;
