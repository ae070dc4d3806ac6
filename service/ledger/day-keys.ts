// The keys of the authentication codes, one for each UTC date (docs/receipt-format.md): KMS derives them by HMAC-SHA256
// from a key that never leaves it. A process asks once a day, however many codes it makes.
import { createSecretKey, type KeyObject } from "node:crypto";
import { GenerateMacCommand, type KMSClient } from "@aws-sdk/client-kms";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { dayKeyInput, formatKeyId } from "../../evidence/core/formats/mac-input.ts";
import { errorNameOf } from "../table/aws-error.ts";

/** The most requests to KMS at the same time. */
const MAX_DERIVATIONS = 8;

export class DayKeys {
  readonly #client: KMSClient;
  /** By `key_id`. A request that is under way is shared by all who need its key. */
  readonly #known: BoundedMap<string, Promise<KeyObject>>;
  /** Those that wait for one of the requests to end. */
  readonly #waiting: (() => void)[] = [];
  #free = MAX_DERIVATIONS;

  /** Remembers the keys of this many days: whoever reads the memory of the process has them. */
  constructor(client: KMSClient, rememberedDays: number) {
    this.#client = client;
    this.#known = new BoundedMap(rememberedDays);
  }

  /** The key of one day, `YYYY-MM-DD`, derived from this key in KMS. Throws `mac_unavailable`, and remembers no failure. */
  of(kmsKeyId: string, day: string): Promise<KeyObject> {
    const id = formatKeyId(kmsKeyId, day);
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const deriving = this.#inTurn(() => this.#derive(kmsKeyId, day));
    this.#known.set(id, deriving);
    deriving.catch(() => {
      if (this.#known.get(id) === deriving) this.#known.delete(id);
    });
    return deriving;
  }

  async #derive(KeyId: string, day: string): Promise<KeyObject> {
    const input = { KeyId, Message: dayKeyInput(day), MacAlgorithm: "HMAC_SHA_256" as const };
    const { Mac } = await this.#client.send(new GenerateMacCommand(input)).catch(unavailable);
    return Mac === undefined ? unavailable(new Error("the answer holds no code")) : createSecretKey(Mac);
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = this.#waiting.shift();
      // The place is handed on, so that nobody who comes just now takes it.
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

function unavailable(cause: unknown): never {
  const evidence = { error: errorNameOf(cause) };
  throw new DisclosureError("mac_unavailable", "the key service derived no key for codes", evidence, cause);
}
