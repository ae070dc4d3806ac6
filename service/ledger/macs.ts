// Authentication codes (docs/receipt-format.md): HMAC-SHA256 under the key of a day, which KMS derives (day-keys.ts).
import { createHmac, timingSafeEqual } from "node:crypto";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import {
  formatKeyId,
  receiptMacInput,
  responseMacInput,
  utcDayOf,
} from "../../evidence/core/formats/mac-input.ts";
import {
  type AnswerAuthentication,
  AUTH_MECHANISM,
  type Authentication,
} from "../../evidence/core/formats/receipt.ts";
import type { ChainLeaf } from "./chain-leaf.ts";
import type { DayKeys } from "./day-keys.ts";

const NO_CODE: AnswerAuthentication = { auth_mechanism: null, key_id: null, signature: null };

export interface MacServices {
  readonly dayKeys: DayKeys;
  /** The key in KMS that the keys of new codes are derived from. */
  readonly keyId: string;
  /** Those that the keys of older receipts' codes were derived from. */
  readonly retiredKeyIds: readonly string[];
  readonly clock: () => Date;
}

export class Macs {
  readonly #services: MacServices;
  readonly #ownKeyIds: readonly string[];

  constructor(services: MacServices) {
    this.#services = services;
    this.#ownKeyIds = [services.keyId, ...services.retiredKeyIds];
  }

  /** Authenticates a receipt by its leaf hash, under the key of the day of its `issued_at`. Throws `mac_unavailable`. */
  authenticateReceipt({ leaf, core }: Pick<ChainLeaf, "leaf" | "core">): Promise<Authentication> {
    return this.#mac(receiptMacInput(leaf.leafHash), this.#services.keyId, utcDayOf(core.issued_at));
  }

  /**
   * The response with its authentication, under today's key, after its last member. Throws `mac_unavailable`, and
   * `clock_off` where nobody knows which day it is.
   */
  async authenticateResponse<T extends object>(response: T): Promise<T & Authentication> {
    const { keyId, clock } = this.#services;
    const today = utcDayOf(clock().toISOString());
    return { ...response, ...(await this.#mac(responseMacInput(response), keyId, today)) };
  }

  /** The same for what is proven without a code: it says that it has none where none can be made. */
  async authenticateReport<T extends object>(report: T): Promise<T & AnswerAuthentication> {
    return this.authenticateResponse(report).catch((error: unknown) => {
      if (!isDisclosureError(error, "mac_unavailable") && !isDisclosureError(error, "clock_off")) throw error;
      return { ...report, ...NO_CODE };
    });
  }

  /** Throws `ledger_corrupt` where a stored code is not the receipt's, as `requireOwnKey`, and `mac_unavailable`. */
  async verifyReceipt(receipt: ChainLeaf): Promise<void> {
    const { leaf, core, authentication } = receipt;
    const keyId = this.requireOwnKey(receipt);
    const { signature } = await this.#mac(receiptMacInput(leaf.leafHash), keyId, utcDayOf(core.issued_at));
    if (!isSameText(signature, authentication.signature)) {
      throw new DisclosureError("ledger_corrupt", "a stored authentication code is not the receipt's");
    }
  }

  /**
   * The key in KMS that the key of a receipt's code was derived from. Throws `ledger_corrupt` where the code names one
   * that was never ours, or another day than the receipt's: whoever writes the table could name any. Asks nobody.
   */
  requireOwnKey({ core, authentication }: Pick<ChainLeaf, "core" | "authentication">): string {
    const day = utcDayOf(core.issued_at);
    const own = this.#ownKeyIds.find((keyId) => formatKeyId(keyId, day) === authentication.key_id);
    if (own !== undefined) return own;
    throw new DisclosureError("ledger_corrupt", "a stored authentication code is not of our key of its day");
  }

  async #mac(message: Uint8Array, keyId: string, day: string): Promise<Authentication> {
    const key = await this.#services.dayKeys.of(keyId, day);
    const signature = createHmac("sha256", key).update(message).digest("base64");
    return { auth_mechanism: AUTH_MECHANISM, key_id: formatKeyId(keyId, day), signature };
  }
}

/** Takes as long wherever the two differ. */
function isSameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
