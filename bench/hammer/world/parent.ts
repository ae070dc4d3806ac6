// The processes that this one starts: those that talk with it say first that they are open.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

const running = new Set<ChildProcess>();
/** A process that is frozen does not notice that its parent is gone. */
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Ends the child with this process, however that ends. */
export function endWithUs(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
}

export interface Forked<T> {
  readonly child: ChildProcess;
  readonly opened: T;
}

/** Throws where it ends before it says that it is open. */
export async function forkOpen<T extends { readonly kind: string }>(
  program: URL,
  args: readonly string[],
  first?: object,
): Promise<Forked<Extract<T, { kind: "open" }>>> {
  const child = fork(program, [...args]);
  endWithUs(child);
  if (first !== undefined) child.send(first);
  const opened = await Promise.race([
    once(child, "message").then(([message]) => message as T),
    once(child, "exit").then(() => {
      throw new Error(`${program.pathname} did not start`);
    }),
  ]);
  if (opened.kind !== "open") throw new Error(`${program.pathname} said ${opened.kind} before it was open`);
  return { child, opened: opened as Extract<T, { kind: "open" }> };
}
