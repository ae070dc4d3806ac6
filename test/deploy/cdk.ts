// The CDK's command line, as an operator runs it in this repository.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AttestationServiceProps } from "../../lib/attestation-service.ts";
import { ACCOUNT, apiUrl, type Deployment, findParts, type Parts, REGION } from "../support/deployment.ts";
import { cdkEnvironment } from "./emulator.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const CDK = join(ROOT, "node_modules", "aws-cdk", "bin", "cdk");
/** Without the bundling that comes before it in cdk.json: the tests bundle once, into a folder of their own. */
const APP = "node bin/app.ts";
const CONFIG = "config.json";
const run = promisify(execFile);

type Account = Pick<Deployment, "endpoint" | "folder">;

/** Deploys another stack into the account of `stack`, like it but for `changes`. */
export async function deployBeside(
  stack: Deployment,
  changes: AttestationServiceProps & { readonly name: string },
): Promise<Deployment> {
  const cdk = new Cdk(stack, changes.name);
  cdk.configure({ ...new Cdk(stack, stack.name).settings, ...changes });
  return { ...stack, ...(await cdk.deploy()) };
}

export class Cdk {
  readonly #endpoint: string;
  readonly #name: string;
  /** Where the stack's settings and the command's output are. */
  readonly #folder: string;

  /** For the stack `name`. */
  constructor({ endpoint, folder }: Account, name: string) {
    this.#endpoint = endpoint;
    this.#name = name;
    this.#folder = join(folder, "cdk", name);
    mkdirSync(this.#folder, { recursive: true });
  }

  get settings(): AttestationServiceProps {
    return JSON.parse(readFileSync(join(this.#folder, CONFIG), "utf8"));
  }

  configure(settings: AttestationServiceProps): void {
    writeFileSync(join(this.#folder, CONFIG), JSON.stringify(settings));
  }

  bootstrap(): Promise<string> {
    return this.#run("bootstrap", `aws://${ACCOUNT}/${REGION}`);
  }

  /** By a change set the emulator would fail where nothing has changed. */
  async deploy(): Promise<Parts & { url: string }> {
    await this.#run("deploy", "--method", "direct", "--require-approval", "never");
    const parts = await findParts(this.#endpoint, this.#name);
    if (parts === null) throw new Error("the stack was deployed, but says nothing of its parts");
    return { ...parts, url: apiUrl(this.#endpoint, parts) };
  }

  destroy(): Promise<string> {
    return this.#run("destroy", "--force");
  }

  /** What the command said. Throws, with that, where it fails. */
  async #run(...words: string[]): Promise<string> {
    const where = ["-c", `config=${join(this.#folder, CONFIG)}`, "--output", join(this.#folder, "cdk.out")];
    const command = [CDK, ...words, "--app", APP, ...where, "--ci", "--no-notices"];
    const env = cdkEnvironment(this.#endpoint, this.#folder);
    const { stdout, stderr } = await run(process.execPath, command, { cwd: ROOT, env });
    return stdout + stderr;
  }
}
