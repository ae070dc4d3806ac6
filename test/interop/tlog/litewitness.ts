// A real witness: litewitness of filippo.io/torchwood, with a new key behind an ssh-agent's socket.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../tools.ts";
import { PROGRAMS, verdictOf } from "./programs.ts";

export interface Witness {
  readonly url: string;
  readonly vkey: string;
  /** Makes a log known to it, by the name and the key that the log tells. */
  readonly addLog: (origin: string, vkey: string) => void;
  /** Freezes it: it takes connections and never answers. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly close: () => void;
}

export async function startWitness(folder: string, name: string): Promise<Witness> {
  const socket = join(folder, "agent");
  const database = join(folder, "witness.db");
  const agent = spawn(PROGRAMS.judge, ["agent", socket]);
  const fingerprint = await firstLine(agent, /^(SHA256:\S+)$/);
  const port = await freePort();
  const listen = `127.0.0.1:${port}`;
  const args = ["-db", database, "-name", name, "-key", fingerprint, "-ssh-agent", socket, "-listen", listen];
  const witness = spawn(PROGRAMS.litewitness, args);
  const vkey = await firstLine(witness, /vkey="?([^\s"]+)/);
  const url = `http://${listen}`;
  await answering(url);
  return {
    url,
    vkey,
    addLog: (origin, logVkey) => {
      const verdict = verdictOf(PROGRAMS.judge, ["db", database, origin, logVkey]);
      if (verdict !== "") throw new Error(verdict);
    },
    freeze: () => witness.kill("SIGSTOP"),
    thaw: () => witness.kill("SIGCONT"),
    close: () => {
      for (const child of [witness, agent]) child.kill("SIGKILL");
    },
  };
}

/** The first group of the first line that fits, of either output. Throws where the program ends before. */
async function firstLine(child: ChildProcess, pattern: RegExp): Promise<string> {
  const found = Promise.withResolvers<string>();
  for (const output of [child.stdout, child.stderr]) {
    if (output === null) continue;
    createInterface(output).on("line", (line) => {
      const [, group] = pattern.exec(line) ?? [];
      if (group !== undefined) found.resolve(group);
    });
  }
  void once(child, "exit").then(() => found.reject(new Error(`${child.spawnfile} did not start`)));
  return found.promise;
}

async function answering(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => null);
    if (response !== null) return;
  }
}
