// Import circles: groups of files of which each leads to every other. Imports of types count like all others.
import type { ImportGraph } from "./imports.ts";

/** Each circle once, its files in alphabetical order. */
export function circlesOf(graph: ImportGraph): string[][] {
  const reachable = new Map([...graph.keys()].map((file) => [file, reachableFrom(file, graph)]));
  const leadsTo = (from: string, to: string): boolean => reachable.get(from)?.has(to) ?? false;
  const circleOf = (file: string): string[] =>
    [...graph.keys()].filter((other) => leadsTo(file, other) && leadsTo(other, file)).sort();
  return [...graph.keys()]
    .sort()
    .map((file) => ({ file, circle: circleOf(file) }))
    .filter(({ file, circle }) => circle[0] === file)
    .map(({ circle }) => circle);
}

/** Every file that a file leads to; the file itself only where a circle leads back to it. */
function reachableFrom(file: string, graph: ImportGraph): Set<string> {
  const found = new Set<string>();
  const open = [...(graph.get(file) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return found;
}
