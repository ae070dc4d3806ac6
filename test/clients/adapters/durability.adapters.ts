// What becomes of the disclosures where the service is down, the process is killed, or the job ends at once.
import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Disclosure } from "../../../clients/adapters/core.ts";
import { DisclosureClient, DurableQueue } from "../../../clients/client/node.ts";
import { ApiClient } from "../../support/api-client.ts";
import { COMPILED } from "../../support/compiled.ts";
import { newFolder, startLocalStack } from "../../support/local-stack.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { ENVIRONMENT, HERE, PYTHON, whyWithoutStacks } from "./python.ts";
import { TALKS } from "./talks.ts";
import { CHAT, OPERATOR, SECRETS, VOICE } from "./wordings.ts";
import { filesBelow, World } from "./world.ts";

/** A port that no service has: only a privileged program could. */
const NOBODY = "http://127.0.0.1:2";
const SAFE = "safe\n";

/** A program with one conversation in a stack: job.ts, or python/job.py. */
interface Job {
  readonly stack: string;
  readonly method: "spoken" | "label";
  readonly program: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const inNode = (stack: string): Job => ({
  stack,
  method: stack === "ai-sdk" ? "label" : "spoken",
  program: [process.execPath, join(HERE, "job.ts")],
  environment: { PATH: process.env.PATH, ...COMPILED },
});
const inPython = (stack: string): Job => ({
  stack,
  method: stack === "langchain" ? "label" : "spoken",
  program: [PYTHON, "-m", "python.job"],
  environment: ENVIRONMENT,
});
const withoutPython = await whyWithoutStacks();
const PYTHON_STACKS = withoutPython === null ? ["pipecat", "livekit", "openai_agents", "langchain"] : [];
const JOBS: [string, Job][] = [
  ...Object.keys(TALKS).map((stack): [string, Job] => [stack, inNode(stack)]),
  ...PYTHON_STACKS.map((stack): [string, Job] => [`${stack}-python`, inPython(stack)]),
];

let world: World;
beforeAll(async () => {
  world = await World.start();
});

/** Runs the job to its end, or until it says that all is safe on disk, and kills it then. Returns what it printed. */
async function runJob(job: Job, url: string, folder: string, id: string, ending: string): Promise<string> {
  const [executable, ...words] = job.program;
  const args = [...words, job.stack, url, world.stack.apiKey, folder, id, ending];
  const stdio: StdioOptions = ["ignore", "pipe", "inherit"];
  const child = spawn(executable, args, { cwd: HERE, env: { ...job.environment }, stdio });
  let printed = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (ending === "killed" && printed.endsWith(SAFE)) child.kill("SIGKILL");
  });
  await once(child, "close");
  return printed;
}

describe.concurrent.each(JOBS)("%s", (name, job) => {
  const sender: Job = { ...job, stack: "-" };
  const inOrder = async (id: string): Promise<unknown[]> =>
    (await world.receipts(id)).map(({ turn, method }) => [turn, method]);
  const [first, second] =
    job.method === "label"
      ? (["visual_label", "visual_label"] as const)
      : (["spoken_introduction", "spoken_reminder"] as const);
  const both = [
    [1, first],
    [2, second],
  ];

  test("a job that is killed while the service is down has all on disk, and the next sends it in order", async () => {
    const [folder, id] = [newFolder(), `killed-${name}`];
    expect(await runJob(job, NOBODY, folder, id, "killed")).toBe(SAFE);
    const journal = Buffer.concat(filesBelow(folder).map((file) => readFileSync(file)));
    // Nor has it a name, the words that were said, the registered ones among them, or their sound.
    const said = [...SECRETS, "Geheim", "Mensch", "geheimer Ton"];
    expect([id, ...said].filter((text) => journal.includes(text))).toEqual([id]);
    expect(await inOrder(id)).toEqual([]);
    await runJob(sender, world.stack.url, folder, "none", "send");
    expect(await inOrder(id)).toEqual(both);
  });

  test("a job that ends at once loses nothing", async () => {
    const [folder, id] = [newFolder(), `ended-${name}`];
    expect(await runJob(job, world.stack.url, folder, id, "at-once")).toBe("");
    await runJob(sender, world.stack.url, folder, "none", "send");
    expect(await inOrder(id)).toEqual(both);
  });
});

test("conversations while the service is down go on, and are recorded in order when it is back", async () => {
  const own = await startLocalStack();
  const { port } = new URL(own.url);
  const client = new DisclosureClient({ baseUrl: own.url, apiKey: own.apiKey, attempts: 1 });
  const queue = new DurableQueue(client, { folder: newFolder(), onHandover: () => {}, onProblem: () => {} });
  await own.kill();
  for (const [stack, talk] of Object.entries(TALKS)) {
    const disclosure = new Disclosure({
      queue,
      interactionId: `down-${stack}`,
      agentIdentity: "agents/reception",
      operator: OPERATOR,
      wordings: stack === "ai-sdk" ? CHAT : VOICE,
    });
    await talk(disclosure);
    expect(await disclosure.close(0)).toBe(false);
  }
  const again = await startLocalStack({ dataDir: own.dataDir, environment: { PORT: port } });
  expect(await queue.flush(PATIENCE_MS)).toBe(true);
  await queue.close();
  for (const stack of Object.keys(TALKS)) {
    const { receipts, requests } = await new ApiClient(again).interaction(`down-${stack}`);
    expect([stack, receipts.map(({ turn }) => turn)]).toEqual([stack, [1, 2]]);
    const [first = "", second = ""] = requests.map((request) => request?.disclosed_at ?? "");
    expect(first <= second).toBe(true);
    expect(receipts.every(({ issued_at }) => issued_at > second)).toBe(true);
  }
});
