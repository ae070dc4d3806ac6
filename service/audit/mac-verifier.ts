// Checks stored authentication codes by KMS VerifyMac: an auditor needs no right to make codes.
import { type KMSClient, VerifyMacCommand } from "@aws-sdk/client-kms";
import { parseBase64 } from "../../core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";
import { receiptMacInput } from "../../core/formats/mac-input.ts";
import type { ChainLeaf } from "../ledger/chain-leaf.ts";
import { errorNameOf } from "../table/aws-error.ts";

const INVALID = "KMSInvalidMacException";

export class MacVerifier {
  readonly #client: KMSClient;
  readonly #keyIds: ReadonlySet<string>;

  /** `keyIds` are all that ever made codes of receipts, retired ones too. */
  constructor(client: KMSClient, keyIds: readonly string[]) {
    this.#client = client;
    this.#keyIds = new Set(keyIds);
  }

  /** Whether the code is the receipt's, under a key of the service's. Throws `mac_unavailable`. */
  async verify({ leaf, authentication }: ChainLeaf): Promise<boolean> {
    const { key_id: KeyId } = authentication;
    if (!this.#keyIds.has(KeyId)) return false;
    const Mac = readMac(authentication.signature);
    if (Mac === null) return false;
    const input = { KeyId, MacAlgorithm: "HMAC_SHA_256" as const, Mac };
    const Message = receiptMacInput(leaf.leafHash);
    try {
      const { MacValid } = await this.#client.send(new VerifyMacCommand({ ...input, Message }));
      return MacValid === true;
    } catch (error) {
      if (errorNameOf(error) === INVALID) return false;
      const evidence = { error: errorNameOf(error) };
      throw new DisclosureError("mac_unavailable", "the key service verifies no codes", evidence, error);
    }
  }
}

/** Null for text that is not base64, and so not a code. */
function readMac(signature: string): Uint8Array | null {
  try {
    return parseBase64(signature);
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}
