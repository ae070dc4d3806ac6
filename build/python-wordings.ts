// `npm run python:wordings`: writes the wordings that the Python package ships. A test fails while that file is not what
// the layers in evidence/policy/ say.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const POLICY = new URL("../evidence/policy/", import.meta.url);
export const WORDINGS_FILE = new URL(
  "../clients/python/src/disclosure_receipts/wordings.json",
  import.meta.url,
);

/** The layers whole, in alphabetical order of jurisdiction: a program reads them as it reads those that are published. */
export function pythonWordings(): string {
  const files = readdirSync(POLICY)
    .filter((file) => file.endsWith(".json"))
    .sort();
  const layers: unknown[] = files.map((file) => JSON.parse(readFileSync(new URL(file, POLICY), "utf8")));
  return `${JSON.stringify(layers, null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(WORDINGS_FILE, pythonWordings());
  console.log("clients/python/src/disclosure_receipts/wordings.json is current");
}
