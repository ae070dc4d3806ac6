// Authentication codes from KMS (docs/receipt-format.md): HMAC-SHA256 under a key that never leaves it.
import { GenerateMacCommand, type KMSClient } from "@aws-sdk/client-kms";
import { formatBase64 } from "../../core/bytes.ts";
import { DisclosureError } from "../../core/errors.ts";
import { receiptMacInput, responseMacInput } from "../../core/formats/mac-input.ts";
import { AUTH_MECHANISM, type Authentication } from "../../core/formats/receipt.ts";
import type { ChainLeaf } from "./chain-leaf.ts";

export class Macs {
  readonly #client: KMSClient;
  readonly #keyId: string;

  constructor(client: KMSClient, keyId: string) {
    this.#client = client;
    this.#keyId = keyId;
  }

  /** Authenticates a receipt by its leaf hash. Throws `mac_unavailable`. */
  authenticateReceipt(leafHash: Uint8Array): Promise<Authentication> {
    return this.#mac(receiptMacInput(leafHash));
  }

  /** The response with its authentication after its last member. Throws `mac_unavailable`. */
  async authenticateResponse<T extends object>(response: T): Promise<T & Authentication> {
    return { ...response, ...(await this.#mac(responseMacInput(response))) };
  }

  /**
   * Throws `ledger_corrupt` where a stored code is not the receipt's. Codes of another key than today's pass: that
   * key may be gone, and a receipt's proofs hold without it.
   */
  async verifyReceipt({ leaf, authentication }: Pick<ChainLeaf, "leaf" | "authentication">): Promise<void> {
    if (authentication.key_id !== this.#keyId) return;
    const { signature } = await this.authenticateReceipt(leaf.leafHash);
    if (signature !== authentication.signature) {
      throw new DisclosureError("ledger_corrupt", "a stored authentication code is not the receipt's");
    }
  }

  async #mac(Message: Uint8Array): Promise<Authentication> {
    const input = { KeyId: this.#keyId, Message, MacAlgorithm: "HMAC_SHA_256" as const };
    const { Mac } = await this.#client.send(new GenerateMacCommand(input)).catch(unavailable);
    if (Mac === undefined) return unavailable(new Error("the answer holds no code"));
    return { auth_mechanism: AUTH_MECHANISM, key_id: this.#keyId, signature: formatBase64(Mac) };
  }
}

function unavailable(cause: unknown): never {
  throw new DisclosureError("mac_unavailable", "the key service made no authentication code", {}, cause);
}
