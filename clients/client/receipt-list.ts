// The list of a tenant's receipts, page by page.
import { RECEIPTS_PATH } from "../../contract/public-paths.ts";
import {
  type ListedReceipt,
  type ReceiptList,
  receiptListSchema,
} from "../../evidence/core/formats/receipt-list.ts";
import { readPages } from "../../evidence/core/pages.ts";
import { requireOptions } from "./options.ts";
import { refuse } from "./verified.ts";

/** An end of the range: a Date, an RFC 3339 instant, or a date, which stands for its first moment in UTC. */
type RangeEnd = Date | string;

export interface ListOptions {
  readonly from?: RangeEnd | undefined;
  readonly to?: RangeEnd | undefined;
  readonly verdict?: ListedReceipt["verdict"] | undefined;
  /** The id of a wording, or a `subject_hash`. */
  readonly wording?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: Readonly<Record<keyof ListOptions, true>> = {
  from: true,
  to: true,
  verdict: true,
  wording: true,
  signal: true,
};

/** `read` answers with the JSON of a path. Throws what it throws, and `receipt_invalid` for what is no list. */
export async function* listAll(
  read: (path: string) => Promise<unknown>,
  options: ListOptions,
): AsyncGenerator<ListedReceipt, void, void> {
  requireOptions(options, OPTIONS);
  const { from, to, verdict, wording } = options;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ from, to, verdict, wording }))
    if (value !== undefined) query.set(name, value instanceof Date ? value.toISOString() : value);
  const pages = readPages({
    first: "",
    read: async (cursor): Promise<ReceiptList> => {
      if (cursor !== "") query.set("cursor", cursor);
      const answer = await read(`${RECEIPTS_PATH}?${query}`);
      const list = receiptListSchema.safeParse(answer);
      return list.success ? list.data : refuse("is not a list of receipts", answer, list.error.issues);
    },
    nextOf: ({ next }: ReceiptList) => next,
    refuse: (page) => refuse("leads back to an earlier page", page, { next: page.next }),
  });
  for await (const { receipts } of pages) yield* receipts;
}
