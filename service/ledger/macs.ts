// Authentication codes from KMS (docs/receipt-format.md): HMAC-SHA256 under a key that never leaves it.
import { GenerateMacCommand, type KMSClient } from "@aws-sdk/client-kms";
import { formatBase64 } from "../../core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";
import { receiptMacInput, responseMacInput } from "../../core/formats/mac-input.ts";
import {
  type AnswerAuthentication,
  AUTH_MECHANISM,
  type Authentication,
} from "../../core/formats/receipt.ts";
import type { ChainLeaf } from "./chain-leaf.ts";

const NO_CODE: AnswerAuthentication = { auth_mechanism: null, key_id: null, signature: null };

export class Macs {
  readonly #client: KMSClient;
  readonly #keyId: string;
  readonly #retiredKeyIds: ReadonlySet<string>;

  /** `retiredKeyIds` made the codes of older receipts. */
  constructor(client: KMSClient, keyId: string, retiredKeyIds: readonly string[] = []) {
    this.#client = client;
    this.#keyId = keyId;
    this.#retiredKeyIds = new Set(retiredKeyIds);
  }

  /** Authenticates a receipt by its leaf hash. Throws `mac_unavailable`. */
  authenticateReceipt(leafHash: Uint8Array): Promise<Authentication> {
    return this.#mac(receiptMacInput(leafHash), this.#keyId);
  }

  /** The response with its authentication after its last member. Throws `mac_unavailable`. */
  async authenticateResponse<T extends object>(response: T): Promise<T & Authentication> {
    return { ...response, ...(await this.#mac(responseMacInput(response), this.#keyId)) };
  }

  /** The same for what is proven without a code: it says that it has none where the key service makes none. */
  async authenticateReport<T extends object>(report: T): Promise<T & AnswerAuthentication> {
    return this.authenticateResponse(report).catch((error: unknown) => {
      if (!isDisclosureError(error, "mac_unavailable")) throw error;
      return { ...report, ...NO_CODE };
    });
  }

  /**
   * Throws `ledger_corrupt` where a stored code is not the receipt's, or names a key that was never ours: whoever writes
   * the table could name any. Throws `mac_unavailable`.
   */
  async verifyReceipt({ leaf, authentication }: Pick<ChainLeaf, "leaf" | "authentication">): Promise<void> {
    this.requireOwnKey(authentication);
    const { signature } = await this.#mac(receiptMacInput(leaf.leafHash), authentication.key_id);
    if (signature !== authentication.signature) {
      throw new DisclosureError("ledger_corrupt", "a stored authentication code is not the receipt's");
    }
  }

  /** Throws `ledger_corrupt` where a stored code names a key that was never ours. Asks nobody. */
  requireOwnKey({ key_id }: Authentication): void {
    if (key_id === this.#keyId || this.#retiredKeyIds.has(key_id)) return;
    throw new DisclosureError("ledger_corrupt", "a stored authentication code is of a key that is not ours");
  }

  async #mac(Message: Uint8Array, keyId: string): Promise<Authentication> {
    const input = { KeyId: keyId, Message, MacAlgorithm: "HMAC_SHA_256" as const };
    const { Mac } = await this.#client.send(new GenerateMacCommand(input)).catch(unavailable);
    if (Mac === undefined) return unavailable(new Error("the answer holds no code"));
    return { auth_mechanism: AUTH_MECHANISM, key_id: keyId, signature: formatBase64(Mac) };
  }
}

function unavailable(cause: unknown): never {
  throw new DisclosureError("mac_unavailable", "the key service made no authentication code", {}, cause);
}
