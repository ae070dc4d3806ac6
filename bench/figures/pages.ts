// The places in pages that results fill: `<!-- bench NAME -->` holds a whole result, `<!-- figure NAME KEY -->` one number
// within a sentence. Both end with the same words after a slash.
import { formatValue, renderResult } from "./render.ts";
import type { BenchResult } from "./result.ts";

const BLOCK = /<!-- bench ([a-z-]+) -->[\s\S]*?<!-- \/bench \1 -->/g;
const FIGURE = /<!-- figure ([a-z-]+) ([a-z0-9-]+) -->[^<]*<!-- \/figure -->/g;

/** The page with each place filled anew. Throws for a place that no result fills. */
export function fillFromResults(page: string, results: readonly BenchResult[]): string {
  const of = (name: string): BenchResult => {
    const found = results.find((result) => result.name === name);
    if (found === undefined)
      throw new Error(`a page shows ${name}, and there is no bench/results/${name}.json`);
    return found;
  };
  return page
    .replaceAll(
      BLOCK,
      (_, name: string) => `<!-- bench ${name} -->\n\n${renderResult(of(name))}\n\n<!-- /bench ${name} -->`,
    )
    .replaceAll(FIGURE, (_, name: string, key: string) => {
      const figure = of(name).figures.find((one) => one.key === key);
      if (figure === undefined)
        throw new Error(`a page shows the figure ${key}, which ${name} does not have`);
      return `<!-- figure ${name} ${key} -->${formatValue(figure.value, figure.unit)}<!-- /figure -->`;
    });
}

/** The names of the benches whose results a page shows. */
export const resultsShownBy = (page: string): string[] =>
  [...page.matchAll(BLOCK), ...page.matchAll(FIGURE)].map(([, name = ""]) => name);
