// The entries of chains without a seal over them, as a run leaves them that dies in between.
import { KnownHeads } from "../../service/sealing/known-heads.ts";
import { appendHeads } from "../../service/sealing/seal-heads.ts";
import type { TestProcess } from "./test-process.ts";

export async function appendAll(
  { table, macs }: Pick<TestProcess, "table" | "macs">,
  chainIds: readonly string[],
): Promise<void> {
  for await (const { damages } of appendHeads({ table, macs, heads: new KnownHeads() }, chainIds, null)) {
    for (const { error } of damages) throw error;
  }
}
