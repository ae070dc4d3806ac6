// One source file with everything that the measurements and the lists are made of.
import { lineCount, readSource } from "./sources.ts";
import { readSyntax, type Syntax } from "./syntax.ts";

export interface MeasuredFile {
  readonly file: string;
  readonly source: string;
  readonly lines: number;
  readonly syntax: Syntax;
}

export function measureFile(file: string, source: string = readSource(file)): MeasuredFile {
  return { file, source, lines: lineCount(source), syntax: readSyntax(file, source) };
}
