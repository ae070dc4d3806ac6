// The secrets of webhooks. None is stored: KMS derives each from the key of the authentication codes, the tenant and the
// number of its rotation.
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { GenerateMacCommand, type KMSClient } from "@aws-sdk/client-kms";
import { SECOND_MS } from "../../contract/time.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { webhookSecretInput } from "../../evidence/core/formats/mac-input.ts";
import { errorNameOf } from "../table/aws-error.ts";

/** Secrets that a process remembers. */
const MAX_SECRETS = 256;
const SECRET_PREFIX = "whsec_";

/** A secret by what it is derived from: the key in KMS, the tenant, and its number. */
export interface SecretName {
  readonly keyId: string;
  readonly tenantId: string;
  readonly generation: number;
}

export class WebhookSecrets {
  readonly #client: KMSClient;
  readonly #keyIds: readonly string[];
  readonly #known = new BoundedMap<string, KeyObject>(MAX_SECRETS);

  /** `keyIds` are those of the deployment: the one of new secrets, and then the retired ones. */
  constructor(client: KMSClient, keyIds: readonly [string, ...string[]]) {
    this.#client = client;
    this.#keyIds = keyIds;
  }

  /** The key of secrets that are made now. */
  get keyId(): string {
    return this.#keyIds[0] ?? "";
  }

  /** As the receiver is given it, `whsec_` and base64. Throws as `sign`. */
  async show(name: SecretName): Promise<string> {
    return SECRET_PREFIX + (await this.#of(name)).export().toString("base64");
  }

  /**
   * The headers of a message by Standard Webhooks, with a signature under each of the secrets. Throws `mac_unavailable`,
   * and `ledger_corrupt` for a key that was never ours.
   */
  async sign(
    names: readonly SecretName[],
    id: string,
    body: string,
    now: Date,
  ): Promise<Record<string, string>> {
    const timestamp = String(Math.floor(now.getTime() / SECOND_MS));
    const secrets = await Promise.all(names.map((name) => this.#of(name)));
    const signatures = secrets.map(
      (secret) => `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
    );
    return {
      "content-type": "application/json",
      "user-agent": "disclosure-receipts",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    };
  }

  async #of({ keyId: KeyId, tenantId, generation }: SecretName): Promise<KeyObject> {
    // Somebody who can write the table could name a key of their own.
    if (!this.#keyIds.includes(KeyId))
      throw new DisclosureError("ledger_corrupt", "a webhook's secret is of a key that was never ours");
    const id = `${KeyId}\n${tenantId}\n${generation}`;
    const secret =
      this.#known.get(id) ?? (await this.#derive(KeyId, webhookSecretInput(tenantId, generation)));
    this.#known.set(id, secret);
    return secret;
  }

  async #derive(KeyId: string, Message: Uint8Array): Promise<KeyObject> {
    const input = { KeyId, Message, MacAlgorithm: "HMAC_SHA_256" as const };
    const { Mac } = await this.#client.send(new GenerateMacCommand(input)).catch(unavailable);
    return Mac === undefined ? unavailable(new Error("the answer holds no code")) : createSecretKey(Mac);
  }
}

function unavailable(cause: unknown): never {
  const evidence = { error: errorNameOf(cause) };
  throw new DisclosureError("mac_unavailable", "the key service derived no secret", evidence, cause);
}
