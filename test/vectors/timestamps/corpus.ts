// The corpus on disk, in the folder where the program runs: the files of a vector, and its entry of index.json with the
// verdict of openssl.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { ca } from "./authorities.ts";
import { certificatePem } from "./certificate-pem.ts";
import { ROOT } from "./forge.ts";
import type { Asked, Expected, Vector } from "./vector.ts";

/** One row of index.json. */
export interface Entry extends Asked {
  readonly file: string;
  readonly ca: string;
  readonly root: string;
  readonly expected: Expected;
  readonly openssl: string;
  readonly what: string;
}

const root = ROOT.toString("hex");

/** The entry of a file that is there. */
export function entryOf(
  file: string,
  anchorFile: string,
  expected: Expected,
  what: string,
  asked: Asked = {},
): Entry {
  return { file, ca: anchorFile, root, ...asked, expected, openssl: opensslVerdict(file, anchorFile), what };
}

/** Writes the files of a vector. */
export function writeVector(vector: Vector): Entry {
  const { name, expected, what, bytes, anchors = [ca], isResponse = false, ...asked } = vector;
  const anchorFile = anchors[0] === ca && anchors.length === 1 ? "forged-ca.pem" : `forged-${name}-ca.pem`;
  const file = `forged-${name}.${isResponse ? "tsr" : "der"}`;
  writeFileSync(anchorFile, anchors.map(({ certificate }) => certificatePem(certificate)).join(""));
  writeFileSync(file, bytes);
  return entryOf(file, anchorFile, expected, what, asked);
}

export function writeIndex(entries: readonly Entry[]): void {
  writeFileSync("index.json", `${JSON.stringify(entries, null, 2)}\n`);
}

function opensslVerdict(file: string, anchorFile: string): string {
  const input = file.endsWith(".tsr") ? ["-in", file] : ["-in", file, "-token_in"];
  try {
    execFileSync("openssl", ["ts", "-verify", "-digest", root, ...input, "-CAfile", anchorFile], {
      stdio: "pipe",
    });
    return "accepted";
  } catch (error) {
    return refusalIn(error instanceof Error && "stderr" in error ? String(error.stderr) : "");
  }
}

/** The reason in what openssl printed, and the detail where there is one. */
function refusalIn(output: string): string {
  const [, reason = "", detail = ""] =
    /error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):[^:]*:\d+:(.*)/.exec(output) ?? [];
  return ["refused", reason, detail.replace("Verify error:", "")].filter(Boolean).join(": ");
}
