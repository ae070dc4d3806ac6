// The appenders of this process, one a chain: the place where calls of one chain meet.
import { BoundedMap } from "../../core/bounded-map.ts";
import type { Submission } from "./append-plan.ts";
import type { Appended } from "./appended.ts";
import { Appender, type AppenderServices, appendDeadline } from "./appender.ts";
import type { Chain } from "./chain.ts";
import { appendWhereItIs } from "./moved.ts";
import { Repeats } from "./repeats.ts";
import type { TenantChains } from "./tenant-chains.ts";

/** How many chains a process keeps warm. Beyond that the oldest is dropped, which is always safe. */
const MAX_APPENDERS = 1_000;

export class Appenders {
  readonly #services: AppenderServices;
  readonly #appenders = new BoundedMap<string, Appender>(MAX_APPENDERS);
  readonly #repeats = new Repeats();

  constructor(services: AppenderServices) {
    this.#services = services;
  }

  /**
   * As `Appender.append`, on the chain of the submission's conversation, once for all calls with one Idempotency-Key and
   * body that meet here; and what `appendWhereItIs` throws.
   */
  append(tenant: TenantChains, submission: Submission): Promise<Appended> {
    const deadline = appendDeadline();
    const append = (chain: Chain) => this.#of(chain).append(submission, deadline);
    return this.#repeats.share(submission, () => appendWhereItIs(tenant, submission, append));
  }

  #of(chain: Chain): Appender {
    const known = this.#appenders.get(chain.chainId);
    if (known !== undefined) return known;
    const appender = new Appender(this.#services, chain);
    this.#appenders.set(chain.chainId, appender);
    return appender;
  }
}
