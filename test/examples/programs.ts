// Examples as programs of their own, with nothing of the tests' environment but the way to the stack.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { COMPILED } from "../support/compiled.ts";
import { newFolder } from "../support/local-stack.ts";

export const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
const CHAT = /^chat +(\S+)$/m;

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The service that an example is for. */
export interface Service {
  readonly url: string;
  readonly apiKey: string;
  /** How long the chat waits for a receipt. A busy machine may take longer than a person would. */
  readonly patienceMs?: number;
}

const environmentFor = ({ url, apiKey, patienceMs = 60_000 }: Service): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  BASE_URL: url,
  API_KEY: apiKey,
  QUEUE_FOLDER: newFolder(),
  RECEIPT_PATIENCE_MS: String(patienceMs),
  PORT: "0",
  ...COMPILED,
});

export async function run(program: string, args: readonly string[], service: Service): Promise<Ended> {
  const child = spawn(program, args, { env: environmentFor(service) });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  }
  await once(child, "close");
  return { status: child.exitCode, ...output };
}

/** Starts the chat's server, for the time of one test. Returns its address. */
export async function startChat(service: Service): Promise<string> {
  const child = spawn(process.execPath, [`${EXAMPLES}chat-widget/server.ts`], {
    env: environmentFor(service),
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  let said = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    said += text;
    const [, url] = CHAT.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the chat did not start: ${said}`);
}
