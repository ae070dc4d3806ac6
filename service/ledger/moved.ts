// Where a conversation is written whose tenant's number of chains has grown: it stays on the chain of its first turn.
// Which chain that is, its newest turn says. Only where it has none, a hash of its id and the tenant's number do.
//
// Processes may know different numbers, and so write the first turn of one conversation to two chains at once. The turn's
// own condition lets one of them through. The loser learns the newest turn again, as after every lost race, finds it on
// the other chain, and sends its call there.
import { DisclosureError } from "../../core/errors.ts";
import type { Submission } from "./append-plan.ts";
import type { Appended, Moved } from "./appended.ts";
import type { Chain } from "./chain.ts";
import { chainOf, everShardOf, type TenantChains } from "./tenant-chains.ts";

/** One is enough: a chain's own appender finds the conversation there. More would be damage. */
const MAX_MOVES = 2;

/**
 * Has `append` write on the chain of the submission's conversation. Throws what it throws, `ledger_corrupt` where the
 * conversation is on a chain that is not the tenant's, and `ledger_contended` where it is sent on again and again.
 */
export async function appendWhereItIs(
  tenant: TenantChains,
  submission: Submission,
  append: (chain: Chain) => Promise<Appended | Moved>,
): Promise<Appended> {
  let chain = chainOf(tenant, submission.request.interaction_id);
  for (let moves = 0; moves <= MAX_MOVES; moves++) {
    const outcome = await append(chain);
    if (!("kind" in outcome)) return outcome;
    chain = ownChain(tenant, outcome);
  }
  throw new DisclosureError("ledger_contended", "the conversation's chain was not found");
}

/** Its shard may be beyond the number that this caller was told. */
function ownChain(tenant: TenantChains, { chainId }: Moved): Chain {
  const shard = everShardOf(tenant, chainId);
  if (shard !== null) return { chainId, shard };
  throw new DisclosureError("ledger_corrupt", "a turn is on a chain that is not its tenant's", { chainId });
}
