// The command line, as a child process and inside the test's own, and the evidence that its tests hand to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { LAYERS_FOLDER, layerPath } from "../../../contract/policy-paths.ts";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { main } from "../../../tools/cli/main.ts";
import { Terminal } from "../../../tools/cli/output/terminal.ts";
import { COMPILED } from "../../support/compiled.ts";
import { serviceLayer } from "../../support/vector-files.ts";
import { logFilesOf } from "./log-files.ts";

const PROGRAM = fileURLToPath(new URL("../../../bin/receipts.ts", import.meta.url));
const VECTORS = fileURLToPath(new URL("../../vectors/evidence/", import.meta.url));

export const SEALS = 4;
export const vector = (name: string): string => join(VECTORS, name);
export const ANCHORS = vector("authorities/service.pem");
/** A report whose root is seal 2, and its request. */
export const REPORT = vector("receipts/hand-off.json");
export const REQUEST = vector("requests/hand-off.json");

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly kill: () => void;
  readonly ended: Promise<Ended>;
}

const folders: string[] = [];
const running = new Set<() => void>();

afterAll(() => {
  for (const kill of running) kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed when the file's tests have ended. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
  folders.push(folder);
  return folder;
}

/** The real program, whose output nobody reads to the end, as in `… | head`. */
export async function cutOff(...args: readonly string[]): Promise<number | null> {
  const env = { ...process.env, ...COMPILED };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  child.stderr.destroy();
  const [status]: (number | null)[] = await once(child, "exit");
  return status ?? null;
}

export function start(
  args: readonly string[],
  input = "",
  environment: Record<string, string> = {},
): Started {
  const env = { PATH: process.env.PATH, ...COMPILED, ...environment };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env });
  const kill = () => void child.kill("SIGKILL");
  running.add(kill);
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  // A program that does not read its input must not end the test's.
  child.stdin.on("error", () => {}).end(input);
  const ended = once(child, "close").then(([status]: (number | null)[]) => {
    running.delete(kill);
    return { status: status ?? null, ...output };
  });
  return { pid: Number(child.pid), kill, ended };
}

/** Runs the real program until it ends by itself. */
export const program = (...args: readonly string[]): Promise<Ended> => start(args).ended;

/** The same without a process of its own, which takes most of the time. */
export async function receipts(...args: readonly string[]): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const outputTo = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const terminal = new Terminal({ out: outputTo("stdout"), err: outputTo("stderr"), environment: {} });
  return { status: await main(args, terminal), ...written };
}

/** A file with this content, of its own. */
export function fileWith(content: string | Uint8Array, name = "evidence.json"): string {
  const file = join(newFolder(), name);
  writeFileSync(file, content);
  return file;
}

export const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8")) as T;

/** The report with some members of its own changed. */
export const changedReport = (change: object): string =>
  fileWith(JSON.stringify({ ...readJson<object>(REPORT), ...change }));

/** The first `size` seals of the vectors in a folder, laid out as a mirror. */
export function metachainFolder(size = SEALS): string {
  const folder = newFolder();
  mkdirSync(join(folder, "v1/metachain/roots"), { recursive: true });
  for (let index = 0; index < size; index++) {
    copyFileSync(vector(`seals/${index}.json`), join(folder, `v1/metachain/roots/${index}`));
  }
  writeFileSync(join(folder, "v1/metachain/index.json"), headOf(size));
  mkdirSync(join(folder, LAYERS_FOLDER), { recursive: true });
  copyFileSync(vector("layers/service.json"), join(folder, layerPath(serviceLayer.digest)));
  for (const [path, bytes] of logFiles(size)) {
    const file = join(folder, "v1/metachain", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  return folder;
}

const treeSizeOf = (index: number): number => readJson<Seal>(vector(`seals/${index}.json`)).tree_size;

/** The files of the log's tree under the last of the first `size` seals, by path under `v1/metachain`. */
export const logFilesUnder = (size: number): Map<string, Buffer> =>
  logFilesOf(size === 0 ? [] : [treeSizeOf(size - 1)]);

/** The files of the log that the first `size` seals of the vectors left, by path under `v1/metachain`. */
export const logFiles = (size = SEALS): Map<string, Buffer> =>
  logFilesOf(Array.from({ length: size }, (_, index) => treeSizeOf(index)));

export function headOf(size: number): string {
  const latest = size === 0 ? null : readJson<Seal>(vector(`seals/${size - 1}.json`));
  return JSON.stringify({ size, latest, roots: "/v1/metachain/roots/{index}", log: null });
}
