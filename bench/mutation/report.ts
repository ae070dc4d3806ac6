// What StrykerJS found in one folder, as this project keeps it: the counts, and each mutant that no test noticed.

/** As much of the mutation testing report schema as is read. */
export interface StrykerReport {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly StrykerMutant[] }>
  >;
}

interface StrykerMutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export interface FolderResult {
  readonly mutants: number;
  readonly killed: number;
  readonly survived: number;
  readonly timeout: number;
  readonly noCoverage: number;
  /** Percent of the mutants that a test noticed, or that never ended. */
  readonly score: number;
}

/** A mutant that no test noticed. */
export interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** Whether a test runs the place at all. */
  readonly isCovered: boolean;
}

/** results.json. */
export interface Results {
  readonly folders: Readonly<Record<string, FolderRun>>;
}

/** What the run of a folder found, and where. */
export interface FolderRun extends FolderResult {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly survivors: readonly Survivor[];
}

const PERCENT = 100;

const mutantsOf = ({ files }: StrykerReport) =>
  Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, source, mutant })),
  );

export function summarize(report: StrykerReport): FolderResult {
  const statuses = mutantsOf(report).map(({ mutant }) => mutant.status);
  const count = (status: string): number => statuses.filter((one) => one === status).length;
  const [killed, survived] = [count("Killed") + count("RuntimeError"), count("Survived")];
  const [timeout, noCoverage] = [count("Timeout"), count("NoCoverage")];
  const mutants = killed + survived + timeout + noCoverage;
  const score = mutants === 0 ? PERCENT : Math.round(((killed + timeout) / mutants) * PERCENT * 10) / 10;
  return { mutants, killed, survived, timeout, noCoverage, score };
}

export const survivorsOf = (report: StrykerReport): Survivor[] =>
  mutantsOf(report)
    .filter(({ mutant: { status } }) => status === "Survived" || status === "NoCoverage")
    .map(({ file, source, mutant: { location, mutatorName, replacement = "", status } }) => ({
      file,
      line: location.start.line,
      mutator: mutatorName,
      original: textAt(source, location),
      replacement,
      isCovered: status === "Survived",
    }))
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);

function textAt(source: string, { start, end }: StrykerMutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, i) => line.slice(i === 0 ? start.column - 1 : 0, i === last ? end.column - 1 : undefined))
    .join("\n");
}
