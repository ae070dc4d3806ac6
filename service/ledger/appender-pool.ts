// The appenders of this process, one a chain: the place where calls of one chain meet.
import { BoundedMap } from "../../core/bounded-map.ts";
import type { Submission } from "./append-plan.ts";
import { type Appended, Appender, type AppenderServices } from "./appender.ts";
import type { Chain } from "./chain.ts";
import { Repeats } from "./repeats.ts";

/** How many chains a process keeps warm. Beyond that the oldest is dropped, which is always safe. */
const MAX_APPENDERS = 1_000;

export class Appenders {
  readonly #services: AppenderServices;
  readonly #appenders = new BoundedMap<string, Appender>(MAX_APPENDERS);
  readonly #repeats = new Repeats();

  constructor(services: AppenderServices) {
    this.#services = services;
  }

  /** As `Appender.append`, once for all calls with one Idempotency-Key and body that meet here. */
  append(chain: Chain, submission: Submission): Promise<Appended> {
    return this.#repeats.share(submission, () => this.#of(chain).append(submission));
  }

  #of(chain: Chain): Appender {
    const known = this.#appenders.get(chain.chainId);
    if (known !== undefined) return known;
    const appender = new Appender(this.#services, chain);
    this.#appenders.set(chain.chainId, appender);
    return appender;
  }
}
