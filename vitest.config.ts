// Every test, in projects that the scripts of package.json name: `npx vitest run --project programs`, or one file by its
// path. Two configurations stand apart: test/deploy and test/cloud run some of these files again, on other ground.
import { defineConfig } from "vitest/config";

const MINUTE_MS = 60_000;

/** The files of these folders below `test`, and of the folders in them, that end in `.KIND.ts`. */
const filesOf = (kind: string, ...folders: readonly string[]): string[] =>
  folders.map((folder) => `test/${folder}/**/*.${kind}.ts`);

/**
 * A process for each file would load the same sources anew, which takes a third of all time. Only files that start no
 * program belong here: what ends one is a hook that its module sets up once for each process.
 */
const ONE_PROCESS = { isolate: false, setupFiles: ["test/support/as-found.ts"] };

/** Each of these tests starts programs of its own, which fill the cores; and the first run installs or builds them. */
const OTHER_PROGRAMS = { maxWorkers: 2, sequence: { groupOrder: 1 }, hookTimeout: 30 * MINUTE_MS };

/** The rules that every source obeys. */
const HOUSE = ["test/architecture.test.ts", "test/portability.test.ts"];

const project = (name: string, include: readonly string[], settings: object = {}) => ({
  extends: true as const,
  test: { name, include: [...include], ...settings },
});

export default defineConfig({
  test: {
    // Once for a run, whichever projects are in it.
    globalSetup: ["test/support/derived-vectors.ts"],
    // Whoever does not watch reads only what failed.
    reporters: process.stdout.isTTY ? ["default"] : ["minimal"],
    // Many files wait more than they work (for stacks, deadlines and seals): more workers than two cores.
    maxWorkers: 4,
    // As long as a call that hangs may hang: how fast a busy machine is, is not what is tested.
    testTimeout: 10 * MINUTE_MS,
    hookTimeout: 10 * MINUTE_MS,
    expect: { poll: { timeout: 2 * MINUTE_MS } },
    projects: [
      // What needs no stack.
      project("fast", [...HOUSE, ...filesOf("test", "evidence")], ONE_PROCESS),
      project("shared", filesOf("test", "service", "host/server"), ONE_PROCESS),
      project("own", ["test/*.test.ts", ...filesOf("test", "lambdas", "e2e", "bench", "fuzz")], {
        exclude: HOUSE,
      }),
      // What is built around the service: the stack, the command line, the client, the page's logic, and what stands in
      // for AWS on one machine.
      project("programs", [
        ...filesOf(
          "test",
          "lib",
          "tools/cli",
          "clients/client",
          "clients/adapters-core",
          "clients/bridge",
          "host/console",
          "tools/web",
        ),
        ...filesOf("test", "agreement", "examples", "host/local"),
      ]),
      // Every step of the service with everything that can become of it: crashes, lost answers, lost races, kills, stops,
      // false authorities and damaged items. These tables alone take several minutes.
      project("faults", filesOf("faults", "service", "e2e", "bench")),
      // The published package: packed, installed in a CDK app outside the repository, and used.
      project("package", filesOf("test", "package"), OTHER_PROGRAMS),
      // The Python package, by itself and against the service, and the hammer's oracle, which is in Python too.
      project("python", filesOf("python", "clients/python", "bench"), OTHER_PROGRAMS),
      // The built page in a real Chromium.
      project("web", filesOf("browser", "tools/web"), {
        ...OTHER_PROGRAMS,
        globalSetup: ["test/tools/web/browser/setup.ts"],
      }),
      // Implementations that none of us wrote.
      project("interop", filesOf("interop", "interop"), {
        ...OTHER_PROGRAMS,
        globalSetup: ["test/interop/setup.ts"],
      }),
      // The adapters with the real packages of the stacks, offline, which test/clients/adapters/run.ts installs.
      project("adapters", filesOf("adapters", "clients/adapters"), {
        ...OTHER_PROGRAMS,
        // Conversations take the time that they are heard, so that several go on beside each other.
        maxConcurrency: 2,
        // The packages of the stacks load native parts, which vite must not look into.
        server: { deps: { external: [/node_modules/] } },
      }),
    ],
  },
});
