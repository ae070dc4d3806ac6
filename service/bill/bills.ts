// The bills of tenants: the final one that is stored, where there is one, and otherwise one that is built now.
import type { Bill } from "../../evidence/core/formats/bill.ts";
import type { Month } from "../../evidence/core/formats/month.ts";
import {
  type BillServices,
  type BillTotals,
  buildBillPage,
  buildWholeBill,
  MAX_PAGE_LINES,
  readTotals,
} from "./build-bill.ts";
import { isClosed } from "./month-extent.ts";
import { type StoredBills, totalsOfBill } from "./stored-bills.ts";

export interface StoredBillServices extends BillServices {
  readonly stored: StoredBills;
}

/** All of them throw `not_found`, `invalid_request`, `ledger_corrupt`, `receipt_removed` and what is unavailable. */
export class Bills {
  readonly #services: StoredBillServices;

  constructor(services: StoredBillServices) {
    this.#services = services;
  }

  /** The lines from `fromShard` on, as many as a page has. */
  async page(tenantId: string, month: Month, fromShard: number): Promise<Bill> {
    const stored = await this.#stored(tenantId, month);
    return stored === null
      ? buildBillPage(this.#services, tenantId, month, fromShard)
      : pageOf(stored, fromShard);
  }

  async whole(tenantId: string, month: Month): Promise<Bill> {
    return (await this.#stored(tenantId, month)) ?? buildWholeBill(this.#services, tenantId, month);
  }

  /** Without the proofs, which are most of the work. */
  async totals(tenantId: string, month: Month): Promise<BillTotals> {
    const stored = await this.#stored(tenantId, month);
    return stored === null ? readTotals(this.#services, tenantId, month) : totalsOfBill(stored);
  }

  /** No bill of a month that may still grow is stored. */
  async #stored(tenantId: string, month: Month): Promise<Bill | null> {
    const { stored, table } = this.#services;
    return isClosed(month, table.clock()) ? stored.get(month, tenantId) : null;
  }
}

function pageOf(bill: Bill, fromShard: number): Bill {
  const lines = bill.lines.filter(({ shard }) => shard >= fromShard);
  return { ...bill, lines: lines.slice(0, MAX_PAGE_LINES), next_shard: lines[MAX_PAGE_LINES]?.shard ?? null };
}
