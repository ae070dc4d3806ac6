// A tenant's receipts over the API: their list, and the report of each. What comes back is judged when it is verified.
import { ATTESTATION_PATH, RECEIPTS_PATH } from "../../../contract/public-paths.ts";
import {
  type ListedReceipt,
  type ReceiptList,
  receiptListSchema,
} from "../../../evidence/core/formats/receipt-list.ts";
import { readPages } from "../../../evidence/core/pages.ts";
import { parseAs } from "../../../evidence/reader/metachain.ts";
import { type HttpReader, inCircles, unavailable } from "../metachain/http-reader.ts";
import { MAX_THROTTLED, openKeyed } from "../metachain/keyed-reader.ts";

/** Both ends as the service takes them; undefined is no limit. */
export interface TimeRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export class ReportClient {
  readonly #reader: HttpReader;

  /** Throws `UsageError` for an address to which a key must not be sent. */
  constructor(address: string, apiKey: string) {
    this.#reader = openKeyed(address, apiKey, { maxThrottled: MAX_THROTTLED });
  }

  /** The rows of a range, page by page. Throws `publication_unavailable`. */
  async *list({ from, to }: TimeRange): AsyncGenerator<readonly ListedReceipt[]> {
    const read = async (cursor: string): Promise<ReceiptList> => {
      const query = new URLSearchParams({
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(cursor !== "" && { cursor }),
      });
      const bytes = await this.#reader.get(`${RECEIPTS_PATH}?${query}`);
      if (bytes === null) throw unavailable("the service lists no receipts");
      return parseAs(receiptListSchema, bytes, "a list of receipts");
    };
    const nextOf = ({ next }: ReceiptList): string | null => next;
    for await (const { receipts } of readPages({ first: "", read, nextOf, refuse: inCircles("the list") }))
      yield receipts;
  }

  /** The bytes of a report; null where there is none any more. */
  report(eventId: string): Promise<Uint8Array | null> {
    return this.#reader.get(`${ATTESTATION_PATH}/${eventId}`);
  }
}
