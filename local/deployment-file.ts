// Where the operator's command line finds the parts of a running local stack: a file that lives as long as it does.
import { rmSync, writeFileSync } from "node:fs";
import type { LocalDeployment } from "../service/deployment.ts";

const OWNER_ONLY = 0o600;

/** Returns what takes it away. After a kill it stays, and names a process that is no more. */
export function publishDeployment(file: string, deployment: LocalDeployment): () => void {
  writeFileSync(file, JSON.stringify(deployment, null, 2), { mode: OWNER_ONLY });
  return () => rmSync(file, { force: true });
}
