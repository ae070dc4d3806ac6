// The verifier in Python run as a program, and the files that it is given.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { PROGRAM, PYTHON_ENVIRONMENT } from "./python.ts";
import { evidenceFile, serviceLayers } from "./rows.ts";

const PATIENCE_MS = 120_000;
export const MEBIBYTE = 1024 * 1024;
export const REPORT = evidenceFile("receipts/hand-off.json");
export const DAMAGED = evidenceFile("damaged/receipt-core-verdict.json");
export const OTHER_CHAIN = "5".repeat(32);
export const WITH_ALL = [
  ...["--seal", evidenceFile("seals/2.json")],
  ...["--tsa-ca", evidenceFile("authorities/service.pem")],
  ...["--request", evidenceFile("requests/hand-off.json")],
  ...serviceLayers.flatMap((layer) => ["--layer", layer]),
];

export const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Killed, and so without a status, if it does not come to an end. */
export function verify(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const options = {
    encoding: "utf8",
    timeout: PATIENCE_MS,
    input: "",
    env: PYTHON_ENVIRONMENT,
  } as const;
  const { status, stdout, stderr } = spawnSync("python3", [...PROGRAM, ...args], options);
  return { status, stdout, stderr };
}

let files = 0;
export function fileWith(content: string, name = `${files++}.json`): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

export function made(command: string, name: string, ...args: string[]): string {
  const file = join(folder, name);
  execFileSync(command, [...args, file]);
  return file;
}

/** Another root under number 0. */
export function renumberedSeal(): string {
  const seal = JSON.parse(readFileSync(evidenceFile("seals/1.json"), "utf8"));
  return fileWith(JSON.stringify({ ...seal, index: 0 }));
}

export const report = JSON.parse(readFileSync(REPORT, "utf8"));
export const changedReport = (change: object): string => fileWith(JSON.stringify({ ...report, ...change }));

export function symlinkTo(target: string, name = `link-to-${target}`): string {
  const link = join(folder, name);
  symlinkSync(target, link);
  return link;
}

export function sized(bytes: number): string {
  const file = fileWith("{");
  truncateSync(file, bytes);
  return file;
}
