// The entries of chains without a seal over them, as a run leaves them that dies in between.
import { KnownHeads } from "../../service/sealing/known-heads.ts";
import { appendHeads } from "../../service/sealing/seal-heads.ts";
import type { TestProcess } from "./test-process.ts";

export async function appendAll(
  { table, macs, publishedEntries }: Pick<TestProcess, "table" | "macs" | "publishedEntries">,
  chainIds: readonly string[],
): Promise<void> {
  const services = { table, macs, publishedEntries, heads: new KnownHeads() };
  for await (const { damages } of appendHeads(services, chainIds, null)) {
    for (const { error } of damages) throw error;
  }
}
