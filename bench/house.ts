// `node bench/house.ts`: the sizes of the sources by folder, and where they break the rules of style.
// The exit status is 1 where a function is too long, a type name has two meanings, or imports run in a circle.
import { listsOf } from "./house/lists.ts";
import { type MeasuredFile, measureFile } from "./house/measured-file.ts";
import { readPython } from "./house/python-comments.ts";
import { filesIn, pythonFilesIn, sourceFolders } from "./house/sources.ts";
import { sizeTable } from "./house/table.ts";

const measure = (folder: string): MeasuredFile[] => filesIn(folder).map((file) => measureFile(file));

const byFolder = new Map(sourceFolders().map((folder) => [folder, measure(folder)]));
const sources = [...byFolder.values()].flat();
console.log(sizeTable(new Map([...byFolder, ["all", sources], ["test/", measure("test/")]])));

const python = [...byFolder.keys(), "python/"].flatMap(pythonFilesIn);
const lists = listsOf(
  sources,
  python.map((file) => readPython(file)),
);
for (const { title, entries } of lists) {
  console.log(`\n${title}: ${entries.length === 0 ? "none" : entries.length}`);
  for (const entry of entries) console.log(`  ${entry}`);
}
if (lists.some(({ mustBeEmpty, entries }) => mustBeEmpty && entries.length > 0)) process.exitCode = 1;
