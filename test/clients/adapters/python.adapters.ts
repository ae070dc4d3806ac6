// The adapters in Python with the real packages of their stacks, offline; and the types of adapters, examples and tests, as
// the stacks are typed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newFolder } from "../../support/local-stack.ts";
import { notice } from "../../support/notice.ts";
import { run } from "../python/python.ts";
import { ENVIRONMENT, HERE, PYTHON, TYPES, whyWithoutStacks } from "./python.ts";
import { OPERATOR } from "./wordings.ts";
import { filesBelow, World } from "./world.ts";

const MODULES = readdirSync(join(HERE, "python")).filter((name) => /^test_\w+\.py$/.test(name));
const ADAPTERS = join(HERE, "../../../clients/python/src/disclosure_receipts/adapters");
const EXAMPLES = join(HERE, "../../../examples/adapters-python");
/** What is said and heard in the conversations: names, words of theirs and of the registered texts, samples. */
const SAID = ["Frau Geheim", OPERATOR, "Wie kann ich helfen", "Wir haben", "geheimer Ton"];
const REGISTERED = ["nicht mit einem Menschen", "kein Mensch"];

const reason = await whyWithoutStacks();
if (reason !== null) notice(`The adapters in Python are not tested: ${reason}.`);

describe.skipIf(reason !== null)("the adapters in Python", () => {
  const folder = newFolder();
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });

  test.concurrent.each(MODULES)("%s", async (name) => {
    const { url, apiKey } = world.stack;
    const environment = { ...ENVIRONMENT, BASE_URL: url, API_KEY: apiKey, QUEUE_FOLDER: folder };
    const module = `python.${name.replace(".py", "")}`;
    await run(PYTHON, ["-m", "unittest", module], { cwd: HERE, environment });
  });

  test("give nothing that was said to the service, to its output, or to the queue's folder", () => {
    expect(world.leaks(["agents/reception"], folder)).toEqual(["agents/reception"]);
    expect(world.leaks(SAID, folder)).toEqual([]);
    // The registered texts are public, and in the layers that the service publishes. Its output has none of them.
    const queues = filesBelow(folder).map((file) => readFileSync(file));
    const written = Buffer.concat([...queues, Buffer.from(world.stack.output)]);
    expect(REGISTERED.filter((text) => written.includes(text))).toEqual([]);
  });

  test("hold up to the strictest types, as the examples do", async () => {
    const typed = (version: string, ...folders: string[]) => {
      const words = ["--strict", "--python-version", version, "--python-executable", PYTHON, ...folders];
      return run(TYPES, words, { cwd: HERE, environment: ENVIRONMENT });
    };
    expect(await typed("3.10", ADAPTERS, EXAMPLES)).toMatch(/^Success/);
    // Some of the stacks need a younger Python than the package does, and so do their tests.
    expect(await typed("3.11", join(HERE, "python"))).toMatch(/^Success/);
  });
});
