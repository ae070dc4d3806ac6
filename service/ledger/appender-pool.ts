// The appenders of this process, one a chain: the place where calls of one chain meet. A conversation stays on the chain of
// its first turn, also where its tenant's number of chains has grown. Which chain that is, its newest turn says. Only where
// it has none, a hash of its id and the tenant's number do.
//
// Processes may know different numbers, and so write the first turn of one conversation to two chains at once. The turn's
// own condition lets one of them through. The loser learns the newest turn again, as after every lost race, finds it on
// the other chain, and sends its call there.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Submission } from "./append-plan.ts";
import type { Appended, Moved } from "./appended.ts";
import { Appender, type AppenderServices, appendDeadline } from "./appender.ts";
import type { Chain } from "./chain.ts";
import { Repeats } from "./repeats.ts";
import { chainOf, everShardOf, type TenantChains } from "./tenant-chains.ts";

/** How many chains a process keeps warm. Beyond that the oldest is dropped, which is always safe. */
const MAX_APPENDERS = 1_000;
/** One is enough: a chain's own appender finds the conversation there. More would be damage. */
const MAX_MOVES = 2;

export class Appenders {
  readonly #services: AppenderServices;
  readonly #appenders = new BoundedMap<string, Appender>(MAX_APPENDERS);
  readonly #repeats = new Repeats();

  constructor(services: AppenderServices) {
    this.#services = services;
  }

  /**
   * As `Appender.append`, on the chain of the submission's conversation, once for all calls with one Idempotency-Key and
   * body that meet here. Throws also `ledger_corrupt` where the conversation is on a chain that is not the tenant's, and
   * `ledger_contended` where it is sent on again and again.
   */
  append(tenant: TenantChains, submission: Submission): Promise<Appended> {
    const deadline = appendDeadline();
    return this.#repeats.share(submission, () => this.#appendWhereItIs(tenant, submission, deadline));
  }

  async #appendWhereItIs(tenant: TenantChains, submission: Submission, deadline: number): Promise<Appended> {
    let chain = chainOf(tenant, submission.request.interaction_id);
    for (let moves = 0; moves <= MAX_MOVES; moves++) {
      const outcome = await this.#of(chain).append(submission, deadline);
      if (!("kind" in outcome)) return outcome;
      chain = ownChain(tenant, outcome);
    }
    throw new DisclosureError("ledger_contended", "the conversation's chain was not found");
  }

  #of(chain: Chain): Appender {
    const known = this.#appenders.get(chain.chainId);
    if (known !== undefined) return known;
    const appender = new Appender(this.#services, chain);
    this.#appenders.set(chain.chainId, appender);
    return appender;
  }
}

/** Its shard may be beyond the number that this caller was told. */
function ownChain(tenant: TenantChains, { chainId }: Moved): Chain {
  const shard = everShardOf(tenant, chainId);
  if (shard !== null) return { chainId, shard };
  throw new DisclosureError("ledger_corrupt", "a turn is on a chain that is not its tenant's", { chainId });
}
