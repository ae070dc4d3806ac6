// The file with a proof that a log signed two histories, which can be handed on.
import { join } from "node:path";
import { type Fork, forkFileName } from "../../../evidence/core/log/fork.ts";
import { replaceFile } from "./write-file.ts";

export interface WrittenFork {
  readonly file: string;
  readonly origin: string;
}

/** Writes the proof to `file`, or under the name of its log into `folder`. */
export async function writeFork(fork: Fork, file: string | null, folder = "."): Promise<WrittenFork> {
  const [origin = ""] = fork.checkpoints[0].split("\n");
  const path = file ?? join(folder, forkFileName(origin));
  await replaceFile(path, `${JSON.stringify(fork, null, 2)}\n`);
  return { file: path, origin };
}
