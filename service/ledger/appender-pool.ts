// The appenders of this process, one a chain: the place where calls of one chain meet.
import { BoundedMap } from "../../core/bounded-map.ts";
import { Appender, type AppenderServices } from "./appender.ts";
import type { Chain } from "./chain.ts";

/** How many chains a process keeps warm. Beyond that the oldest is dropped, which is always safe. */
const MAX_APPENDERS = 1_000;

export class Appenders {
  readonly #services: AppenderServices;
  readonly #appenders = new BoundedMap<string, Appender>(MAX_APPENDERS);

  constructor(services: AppenderServices) {
    this.#services = services;
  }

  of(chain: Chain): Appender {
    const known = this.#appenders.get(chain.chainId);
    if (known !== undefined) return known;
    const appender = new Appender(this.#services, chain);
    this.#appenders.set(chain.chainId, appender);
    return appender;
  }
}
