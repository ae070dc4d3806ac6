// Bills of the world of bill-world.ts, and everything that their reader may have.
import { type JsonValue, parseJson } from "../../evidence/core/canonical-json.ts";
import type { Bill } from "../../evidence/core/formats/bill.ts";
import type { TenantHistory } from "../../evidence/core/verify/tenant-history.ts";
import { type BillExamination, type BillInputs, billOf, examineBill } from "../../evidence/reader/bill.ts";
import { walkIn } from "../../evidence/reader/bill-walk.ts";
import { readHistory } from "../../evidence/reader/history-files.ts";
import type { LogSource, MetachainSource } from "../../evidence/reader/metachain.ts";
import { PublishedSeals } from "../../evidence/reader/published-seals.ts";
import {
  FINAL_AT,
  historyFiles,
  MONTH,
  newWorld,
  OPEN_AT,
  PLAN,
  publishedFiles,
  TENANT,
  type World,
} from "./bill-world.ts";
import { type BillSource, expectedBill } from "./expected-bill.ts";

export const world = newWorld();

/** The bill of the world as it was at this time. */
export function billAt(
  madeAt: string,
  change: Partial<BillSource> = {},
  { chains, seals, metachain }: World = world,
): Bill {
  const published = seals.filter(({ sealed_at }) => sealed_at <= madeAt);
  return expectedBill({
    tenant: TENANT,
    month: MONTH,
    madeAt,
    chains,
    seals: published,
    metachain,
    plan: PLAN,
    ...change,
  });
}

export const finalBill = billAt(FINAL_AT);
export const openBill = billAt(OPEN_AT);

/** The whole public log of a world in memory. */
export function sourceOf(of: World): MetachainSource & LogSource {
  const published = publishedFiles(of);
  const read = async (path: string): Promise<Uint8Array | null> => published.get(path) ?? null;
  return {
    name: "memory",
    head: async () => published.get("v1/metachain/index.json") ?? new Uint8Array(),
    root: (index) => read(`v1/metachain/roots/${index}`),
    timestamp: async () => null,
    logFile: (path) => read(`v1/metachain/${path}`),
  };
}
export const source = sourceOf(world);

/** The history as it was fetched when this many seals were published. */
export async function historyAt(
  seals = world.seals.length,
  of: Pick<World, "chains" | "metachain" | "seals"> = world,
): Promise<TenantHistory> {
  const files = historyFiles(of, of.seals.slice(0, seals));
  const names = [...files.keys()];
  return readHistory({
    name: "memory",
    read: async (path) => files.get(path) ?? null,
    list: async (folder) =>
      names.filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1)),
  });
}

/** The reader's clock, long after all of it. */
export const NOW = "2027-06-01T00:00:00.000Z";

export const logInputs = (log = source): BillInputs => ({
  now: NOW,
  published: new PublishedSeals(log),
  walkLog: walkIn(log),
});

/** What a reader finds in a bill as it came over the wire; `null` where it can't even be read. */
export async function examine(bill: unknown, inputs: BillInputs = logInputs()): Promise<BillExamination> {
  return examineBill(billOf(parseJson(JSON.stringify(bill)) as JsonValue), inputs);
}

/** The names of the checks with this outcome, with their places. */
export const namesOf = ({ checks }: BillExamination, ok: boolean | null): string[] =>
  checks
    .filter((check) => check.ok === ok)
    .map(({ place, name }) => (place === "" ? name : `${place}/${name}`));
