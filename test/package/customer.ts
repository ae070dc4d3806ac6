// A customer's CDK app outside the repository, with the package as `npm pack` makes it. The CDK, TypeScript and Node's
// types are links to ours, which saves a download; the package itself is installed by npm, and asks for nothing else.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");
const LINKED = ["aws-cdk-lib", "constructs", "typescript", "@types/node", "undici-types"];

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Customer {
  readonly folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-customer-"));
  /** The files of the package, as npm listed them. */
  readonly packed: readonly string[];

  constructor() {
    const [{ filename, files }] = JSON.parse(
      this.#npm(ROOT, "pack", "--json", "--pack-destination", this.folder),
    );
    this.packed = files.map(({ path }: { path: string }) => path);
    this.write("package.json", JSON.stringify({ name: "customer", private: true }));
    this.#npm(this.folder, "install", "--offline", "--no-audit", "--no-fund", join(this.folder, filename));
    mkdirSync(join(this.folder, "node_modules", "@types"), { recursive: true });
    for (const name of LINKED)
      symlinkSync(join(ROOT, "node_modules", name), join(this.folder, "node_modules", name));
  }

  #npm(cwd: string, ...args: string[]): string {
    return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Node in the customer's folder, with no credentials and no home. */
  node(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Ended {
    const env = { PATH: "/nowhere", HOME: "/nowhere", AWS_EC2_METADATA_DISABLED: "true", ...environment };
    return spawnSync(process.execPath, args, { cwd: this.folder, env, encoding: "utf8" });
  }
}

/** The text of a file and of all that it imports by a relative path. */
export function reached(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const paths = [...text.matchAll(/from\s*"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  return [text, ...paths.flatMap((path) => reached(join(dirname(file), path)))];
}
