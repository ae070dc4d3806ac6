// Python with the stacks of requirements.txt, in an environment kept between runs.
import { fileURLToPath } from "node:url";
import { installPackages, programsFolderOf } from "../../interop/python-packages.ts";
import { hasPython, SOURCES } from "../python/python.ts";

export const HERE = import.meta.dirname;
const REQUIREMENTS = fileURLToPath(new URL("requirements.txt", import.meta.url));
const PROGRAMS = programsFolderOf(REQUIREMENTS);
/** The Python that has the stacks, and what types programs as `mypy --strict` does, in a fiftieth of its time. */
export const [PYTHON, TYPES] = [`${PROGRAMS}/python`, `${PROGRAMS}/zmypy`];
/** The stacks tell nobody of their use, and look for nothing newer. */
export const ENVIRONMENT = {
  PATH: process.env.PATH ?? "",
  PYTHONPATH: SOURCES,
  // What the stacks are compiled to is kept with them: to load them is what takes longest.
  PYTHONPYCACHEPREFIX: `${PROGRAMS}/../compiled`,
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  LOGURU_LEVEL: "ERROR",
};

/** Why the adapters in Python can't be tested here; null where they can. Installs the stacks. */
export async function whyWithoutStacks(): Promise<string | null> {
  if (!hasPython) return "there is no Python from 3.10 on";
  try {
    await installPackages(REQUIREMENTS);
    return null;
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string };
    return `Python could not install the stacks: ${stderr.trim().split("\n").at(-1)}`;
  }
}
