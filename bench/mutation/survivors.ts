// The mutants of a report of StrykerJS that no test noticed and nobody judged. A judgement says why a mutant changes
// nothing that anybody could see; it is found by the code and not by its line, so it stays as long as the code does.

/** As much of the mutation testing report schema as is read. */
export interface StrykerReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export interface Judgement {
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

interface Survivor extends Omit<Judgement, "why"> {
  readonly line: number;
}

const ALIVE: ReadonlySet<string> = new Set(["Survived", "NoCoverage"]);

export function survivorsOf({ files }: StrykerReport, judgements: readonly Judgement[]) {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, replacement = "", location }) => ({
      file,
      line: location.start.line,
      original: textAt(source, location),
      replacement,
      status,
    })),
  );
  const isJudged = (one: Survivor): boolean =>
    judgements.some(
      ({ file, original, replacement }) =>
        file === one.file && original === one.original && replacement === one.replacement,
    );
  const survivors: Survivor[] = all.filter((one) => ALIVE.has(one.status) && !isJudged(one));
  return { mutants: all.filter(({ status }) => status !== "Ignored").length, survivors };
}

function textAt(source: string, { start, end }: Mutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, i) => line.slice(i === 0 ? start.column - 1 : 0, i === last ? end.column - 1 : undefined))
    .join("\n");
}
