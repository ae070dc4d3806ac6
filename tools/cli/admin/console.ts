// `admin console`: opens the operator's page on this machine, over the operator's own credentials, until Ctrl-C.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { MAX_PORT } from "../../../contract/limits.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { knownTrustAnchors } from "../../../evidence/reader/anchors.ts";
import { startConsole } from "../../../host/console/console-server.ts";
import type { Operator } from "../../../service/operator.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { certificatesOf, readTrustAnchors, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import type { Terminal } from "../output/terminal.ts";
import { refuseMore } from "./arguments.ts";
import { onTarget, readAdminArguments, readLocal } from "./target.ts";

const OPTIONS = { ...TSA_CA_OPTION, port: { type: "string" }, "no-open": { type: "boolean" } } as const;
const PORT = /^\d{1,5}$/;

/** The program that opens an address in the person's browser, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
};

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  refuseMore(positionals);
  const port = readPort(values.port);
  const files =
    values["tsa-ca"] ?? (values.local === undefined ? [] : [readLocal(values.local).trustAnchorsFile]);
  const certificates = files.length === 0 ? [] : certificatesOf(await readTrustAnchors(files));
  return onTarget(values, async (operator) => {
    const { url, close } = await startConsole(operator, {
      port,
      portAdvice: "give another one with --port",
      trustAnchors: [...certificates, ...knownAnchors(operator)],
      trustAnchorsPem: files.length === 0 ? null : files.map((file) => readFileSync(file, "utf8")).join("\n"),
      onFault: (error) => terminal.note(`the console could not answer: ${reasonOf(error)}`),
    });
    terminal.print(`console  ${url}/`);
    terminal.note(
      "It only reads, and only this machine reaches it: everybody who is logged in here does. Stop it with Ctrl-C.",
    );
    if (values["no-open"] !== true) openInBrowser(`${url}/`);
    await asked();
    await close();
    return Exit.holds;
  });
}

/** 0, any free port, where none is named. */
function readPort(text = "0"): number {
  if (PORT.test(text) && Number(text) <= MAX_PORT) return Number(text);
  throw new UsageError(`--port is a whole number from 0 to ${MAX_PORT}`);
}

const knownAnchors = ({ deployment }: Operator): readonly Uint8Array[] =>
  deployment.knownAuthorities ? knownTrustAnchors : [];

/** With AWS's own name of the error, where it is one of AWS's. */
function reasonOf(error: unknown): string {
  if (!isDisclosureError(error)) return error instanceof Error ? error.name : "a fault";
  const { message, evidence } = error;
  return typeof evidence.error === "string" ? `${message} (${evidence.error})` : message;
}

/** Where there is no browser, the printed address is enough. */
function openInBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? [];
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: "ignore" });
  child.on("error", () => {});
  child.unref();
}

/** Resolves once this process is asked to stop. */
const asked = (): Promise<unknown> =>
  Promise.race(["SIGINT", "SIGTERM"].map((signal) => once(process, signal)));
