// The licences of the code of others that the package holds, gathered from where npm installed it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

const root = join(import.meta.dirname, "..");
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(?:licen[cs]e|notice|copying)/i;
const MIT = readFileSync(join(import.meta.dirname, "mit-license.txt"), "utf8").trim();
const RULE = `\n\n${"-".repeat(80)}\n\n`;

/** One section for each package of which a line went into a bundle. */
export function gatherLicenses(metafiles: readonly Metafile[]): string {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) => Object.entries(output.inputs)),
  );
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(used.flatMap(([path]) => PACKAGE.exec(path)?.[0] ?? []));
  return `${[...folders].sort().map(sectionOf).join(RULE)}\n`;
}

function sectionOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  const files = readdirSync(join(root, folder)).filter((file) => LICENSE_FILE.test(file));
  const texts = files.map((file) => readFileSync(join(root, folder, file), "utf8").trim());
  const text = texts.join("\n\n") || textOf(license, author?.name);
  if (text === undefined) throw new Error(`${name} holds no licence text`);
  return `${name} ${version}: ${license}\n\n${text}`;
}

/** The text of a licence that a package names but does not hold. */
function textOf(license: string, holder: string): string | undefined {
  if (license === "MIT") return `Copyright (c) ${holder}\n\n${MIT}`;
  // It asks for no notice. The copyright is stated all the same.
  if (license === "MIT-0") return `Copyright (c) ${holder}`;
  if (license === "Apache-2.0")
    return `Copyright ${holder}\n\nThe text stands in LICENSE, at the root of this package.`;
  return undefined;
}
