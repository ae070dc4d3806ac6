// Final bills as objects of a private bucket, each written once, and the mark of a month whose bills are all there.
import type { S3Client } from "@aws-sdk/client-s3";
import * as z from "zod";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { type Bill, billSchema } from "../../evidence/core/formats/bill.ts";
import type { Month } from "../../evidence/core/formats/month.ts";
import { sizeSchema } from "../../evidence/core/formats/shapes.ts";
import { JSON_TYPE, PublicFiles, type Retention, underWay } from "../seals/public-files.ts";
import type { BillTotals } from "./build-bill.ts";

const FOLDER = "bills";

/** A tenant's name has no slash (`admin tenant create`), and no bill has the name of a month's mark. */
const billPath = (month: Month, tenantId: string): string => `${FOLDER}/${month.name}/${tenantId}.json`;
const markPath = (month: Month): string => `${FOLDER}/${month.name}.json`;

/** Bills that are remembered, for the next of their pages. One of thousands of chains has tens of megabytes. */
const MAX_REMEMBERED = 2;

const markSchema = z.object({ tenants: sizeSchema });

export class StoredBills {
  readonly #files: PublicFiles;
  /** By path. What is stored never changes. */
  readonly #remembered = new BoundedMap<string, Bill>(MAX_REMEMBERED);

  /** `retention` is null for a program that only reads bills. */
  constructor(client: S3Client, bucket: string, retention: Retention | null) {
    this.#files = new PublicFiles(client, bucket, retention);
  }

  /** Null where none is stored yet. Throws `ledger_corrupt` for one that is damaged, or another one than its name says. */
  async get(month: Month, tenantId: string): Promise<Bill | null> {
    const path = billPath(month, tenantId);
    const known = this.#remembered.get(path);
    if (known !== undefined) return known;
    const stored = await this.#files.text(path);
    if (stored === null) return null;
    const bill = readBill(stored.text, month, tenantId);
    this.#remembered.set(path, bill);
    return bill;
  }

  /** Says whether one is stored, whatever it says. */
  async has(month: Month, tenantId: string): Promise<boolean> {
    return (await this.#files.text(billPath(month, tenantId))) !== null;
  }

  /**
   * Stores a final bill, which can't be undone, and returns the one that is stored then. Safe to repeat: another run may
   * have been faster. Throws `publication_conflict` where the one that is stored counts other receipts.
   */
  async put(month: Month, bill: Bill, now: Date): Promise<Bill> {
    const { id } = bill.tenant;
    const file = { path: billPath(month, id), body: JSON.stringify(bill), type: JSON_TYPE };
    if (await this.#files.putOnce(file, now)) return bill;
    const stored = await this.get(month, id);
    if (stored === null) throw underWay("bill");
    if (sameCounts(stored, bill)) return stored;
    const evidence = { tenant: id, month: bill.month, stored: stored.count, counted: bill.count };
    throw new DisclosureError("publication_conflict", "another count is stored as the final bill", evidence);
  }

  /** The number of tenants whose bills a run found to be all stored; null where none did, or the mark is damaged. */
  async markedTenants(month: Month): Promise<number | null> {
    const stored = await this.#files.text(markPath(month));
    if (stored === null) return null;
    try {
      return markSchema.parse(parseJson(stored.text)).tenants;
    } catch {
      // It is no evidence: what it says of is looked for then.
      return null;
    }
  }

  /** Safe to repeat: whoever marks the month has seen all of its bills. */
  async markComplete(month: Month, tenants: number, now: Date): Promise<void> {
    const mark = { month: month.name, tenants, completed_at: now.toISOString() };
    await this.#files.putOnce({ path: markPath(month), body: JSON.stringify(mark), type: JSON_TYPE }, now);
  }
}

/** A bill without its proofs. */
export function totalsOfBill({ lines: _lines, next_shard: _nextShard, ...totals }: Bill): BillTotals {
  return totals;
}

function readBill(text: string, month: Month, tenantId: string): Bill {
  const bill = parseBill(text);
  if (bill.tenant.id === tenantId && bill.month === month.name && bill.status === "final") return bill;
  throw new DisclosureError("ledger_corrupt", "a stored bill is another one than its name says");
}

function parseBill(text: string): Bill {
  try {
    return billSchema.parse(parseJson(text));
  } catch (cause) {
    throw new DisclosureError("ledger_corrupt", "a stored bill is damaged", {}, cause);
  }
}

/** Heads may be newer, and the plan another one: what may not differ is what each chain is billed for. */
const sameCounts = (a: Bill, b: Bill): boolean => spansOf(a) === spansOf(b);

const spansOf = ({ lines }: Bill): string =>
  JSON.stringify(
    lines.map(({ chain_id, from, to }) => [chain_id, from, to]).filter(([, from, to]) => from !== to),
  );
