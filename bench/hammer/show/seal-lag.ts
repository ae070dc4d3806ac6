// How long ago the newest published seal was made.

import { SECOND_MS } from "../../../contract/time.ts";
import { parseHead } from "../../../evidence/reader/metachain.ts";
import { openMetachain } from "../../../tools/cli/metachain/open.ts";

const LOOK_MS = 2_000;

export class SealLag {
  readonly #url: string;
  readonly #timer: ReturnType<typeof setInterval>;
  #sealedAt: number | null = null;

  constructor(url: string) {
    this.#url = url;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
  }

  /** Null before the first seal. */
  get seconds(): number | null {
    return this.#sealedAt === null ? null : Math.max(0, Date.now() - this.#sealedAt) / SECOND_MS;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const head = await openMetachain(this.#url)
      .head()
      .catch(() => null);
    const sealedAt = head === null ? undefined : parseHead(head).latest?.sealed_at;
    if (sealedAt !== undefined) this.#sealedAt = Date.parse(sealedAt);
  }
}
