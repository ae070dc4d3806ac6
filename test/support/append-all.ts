// The entries of chains without a seal over them, as a run leaves them that dies in between.
import { KnownSpans } from "../../service/sealing/known-spans.ts";
import { appendHeads } from "../../service/sealing/seal-heads.ts";
import type { Table } from "../../service/table/table.ts";

export async function appendAll(table: Table, chainIds: readonly string[]): Promise<void> {
  for await (const { damages } of appendHeads({ table, spans: new KnownSpans() }, chainIds, null)) {
    for (const { error } of damages) throw error;
  }
}
