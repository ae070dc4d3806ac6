// Reads a report of StrykerJS into what this project keeps: the counts, and each mutant that no test noticed.

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

export interface MutantCounts {
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
  /** False where no test runs the place at all. */
  readonly isCovered: boolean;
}

/** results.json. */
export interface MutationResults {
  readonly folders: Readonly<Record<string, FolderRun>>;
}

/** The counts of a folder, and every mutant that no test noticed. */
export interface FolderRun extends MutantCounts {
  /** The newest file of the folder was tried on this day, at this commit, on this machine. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly files: Readonly<Record<string, MutantCounts>>;
  /** Files of the folder whose mutants were not tried yet. */
  readonly untried: readonly string[];
  readonly survivors: readonly Survivor[];
}

type RunOrigin = Pick<FolderRun, "date" | "commit" | "machine">;

const PERCENT = 100;

const mutantsOf = ({ files }: StrykerReport) =>
  Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, source, mutant })),
  );

export function summarize(report: StrykerReport): MutantCounts {
  const statuses = mutantsOf(report).map(({ mutant }) => mutant.status);
  const count = (status: string): number => statuses.filter((one) => one === status).length;
  return withScore({
    killed: count("Killed") + count("RuntimeError"),
    survived: count("Survived"),
    timeout: count("Timeout"),
    noCoverage: count("NoCoverage"),
  });
}

function withScore({
  killed,
  survived,
  timeout,
  noCoverage,
}: Omit<MutantCounts, "mutants" | "score">): MutantCounts {
  const mutants = killed + survived + timeout + noCoverage;
  const score = mutants === 0 ? PERCENT : Math.round(((killed + timeout) / mutants) * PERCENT * 10) / 10;
  return { mutants, killed, survived, timeout, noCoverage, score };
}

/** The folder with what was found in one of its files. `sources` are all files that it has. */
export function withFile(
  before: FolderRun | undefined,
  sources: readonly string[],
  file: string,
  report: StrykerReport,
  run: RunOrigin,
): FolderRun {
  const found = { ...before?.files, [file]: summarize(report) };
  const files = Object.fromEntries(sources.flatMap((name) => (found[name] ? [[name, found[name]]] : [])));
  const sum = (part: keyof MutantCounts): number =>
    Object.values(files).reduce((total, counts) => total + counts[part], 0);
  const counts = { killed: sum("killed"), survived: sum("survived") };
  const others = before?.survivors.filter((one) => one.file !== file && one.file in files) ?? [];
  return {
    ...run,
    ...withScore({ ...counts, timeout: sum("timeout"), noCoverage: sum("noCoverage") }),
    files,
    untried: sources.filter((name) => !(name in files)),
    survivors: [...others, ...survivorsOf(report)].sort(inOrder),
  };
}

const inOrder = (a: Survivor, b: Survivor): number => a.file.localeCompare(b.file) || a.line - b.line;

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
    .sort(inOrder);

function textAt(source: string, { start, end }: StrykerMutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, i) => line.slice(i === 0 ? start.column - 1 : 0, i === last ? end.column - 1 : undefined))
    .join("\n");
}
