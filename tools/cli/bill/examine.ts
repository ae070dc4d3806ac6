// Reads a bill and examines it with what the command line gives: the public log, the history, the tenant's fingerprint.
import { digestSchema } from "../../../evidence/core/formats/shapes.ts";
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { type BillExamination, examineBill, parseBill, type WalkLog } from "../../../evidence/reader/bill.ts";
import { walkIn } from "../../../evidence/reader/bill-walk.ts";
import { readHistory } from "../../../evidence/reader/history-files.ts";
import { MAX_BILL_BYTES } from "../../../evidence/reader/limits.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { PublishedSeals } from "../../../evidence/reader/published-seals.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { readBytes } from "../files/read-file.ts";
import { filesIn } from "../history/history-folder.ts";
import { openMetachain } from "../metachain/open.ts";
import type { Progress } from "../output/progress.ts";
import type { Terminal } from "../output/terminal.ts";

/** The reader of a bill may give these next to it. */
export const BILL_OPTIONS = {
  metachain: { type: "string" },
  history: { type: "string" },
  tenant: { type: "string" },
} as const;

export interface GivenWithBill {
  readonly metachain?: string | undefined;
  readonly history?: string | undefined;
  readonly tenant?: string | undefined;
}

export interface ExaminedFile {
  readonly examination: BillExamination;
  readonly file: { readonly name: string; readonly size: number; readonly digest: string };
  /** Where published roots were read; null where they were not. */
  readonly source: string | null;
}

/** The one file that a part of `bill` takes. */
export function onlyFile(part: string, [file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0) throw new UsageError(`bill ${part} takes one file`);
  return file;
}

/** Throws `malformed` and the like for a bill or a history that can't be read, `proof_invalid` for a false history. */
export async function examineFile(
  name: string,
  { metachain, history, tenant }: GivenWithBill,
  terminal: Terminal,
): Promise<ExaminedFile> {
  if (tenant !== undefined && !digestSchema.safeParse(tenant).success)
    throw new UsageError("a fingerprint is sha256: and 64 lower-case hex digits");
  const log = metachain === undefined ? null : openMetachain(metachain);
  const bytes = await naming(name, () => readBytes(name, MAX_BILL_BYTES));
  const bill = await naming(name, async () => parseBill(bytes));
  const examination = await examineBill(bill, {
    now: new Date().toISOString(),
    published: new PublishedSeals(log),
    walkLog: log === null ? null : walkWith(log, terminal),
    ...(history !== undefined && { history: await readHistory(filesIn(history)) }),
    ...(tenant !== undefined && { fingerprint: tenant }),
  });
  const file = { name, size: bytes.length, digest: formatDigest(hashBytes(bytes)) };
  return { examination, file, source: examination.unavailable === null ? (log?.name ?? null) : null };
}

function walkWith(log: MetachainSource & LogSource, terminal: Terminal): WalkLog {
  let progress: Progress | null = null;
  let shown = 0;
  return walkIn(log, (walked, total) => {
    progress ??= terminal.progress(total, "entries of the public log");
    progress.step(walked - shown);
    shown = walked;
  });
}

export function exitOf({ outcome }: BillExamination, isStrict: boolean): ExitCode {
  if (outcome === "does_not_hold") return Exit.doesNotHold;
  if (outcome === "unreadable") return Exit.unreadable;
  return isStrict && outcome === "holds_so_far" ? Exit.withReservations : Exit.holds;
}
