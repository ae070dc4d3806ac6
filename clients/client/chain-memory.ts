// Remembers what this client has seen of the service's logs. A log only grows: the leaf at a place, the hash of a whole
// subtree, the root of a size and the turn that follows another never change. An answer that says otherwise shows a fork,
// even if it verifies: the service has shown two histories.
import { MAX_CHAINS } from "../../contract/limits.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { formatHex, utf8 } from "../../evidence/core/bytes.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { receiptSchema } from "../../evidence/core/formats/receipt.ts";
import { hashBytes } from "../../evidence/core/merkle/hash.ts";
import type { Facts } from "../../evidence/core/verify/fact-types.ts";
import { factsOfReceipt, factsOfTurn, type ProvenReceipt } from "../../evidence/core/verify/facts.ts";
import { History } from "../../evidence/core/verify/history.ts";
import { ClientError } from "./errors.ts";

/** Facts remembered, the one that was seen least recently dropped first: some megabytes, the last thousand receipts. */
const MAX_FACTS = 20_000;

/** Facts about a receipt that it does not state itself. */
export interface ReceiptContext {
  /** The key that the receipt is the answer to: one receipt can't answer for two disclosures. */
  readonly idempotencyKey?: string;
}

export class SeenHistory {
  readonly #history = new History(MAX_FACTS);
  /** The answer with the largest tree, by chain. */
  readonly #newest = new BoundedMap<string, ComplianceReceipt>(MAX_CHAINS);

  /** The newest answer of each chain. */
  get newest(): ComplianceReceipt[] {
    return [...this.#newest.values()];
  }

  /** The size of each chain when it was last seen: a new receipt has its place after that. */
  sizes(): ReadonlyMap<string, number> {
    return new Map([...this.#newest].map(([chainId, answer]) => [chainId, sizeOf(answer)]));
  }

  /**
   * Remembers a verified answer. Throws `chain_forked` where it contradicts what was seen, and then learns nothing.
   * `sizes` are those from before the call, given where the receipt must be a new one.
   */
  remember(
    answer: ComplianceReceipt,
    context: ReceiptContext = {},
    sizes?: ReadonlyMap<string, number>,
  ): void {
    const [receipt] = answer.receipts;
    const size = sizes?.get(answer.evidence_chain.chain_id) ?? 0;
    if (receipt !== undefined && receipt.sequence < size)
      fork(answer, {
        fact: "a new receipt comes after all that were seen",
        expected: size,
        actual: receipt.sequence,
      });
    this.learn(answer, context);
    this.#advance(answer);
  }

  /** The same for a receipt of a bundle, where there is no whole answer to keep. */
  learn(proven: ProvenReceipt, context: ReceiptContext = {}): void {
    const parts = [factsOfReceipt(proven), factsOfTurn(proven), factsOfCall(proven, context)];
    const contradiction = this.#history.add({
      facts: parts.flatMap(({ facts }) => facts),
      steps: parts.flatMap(({ steps }) => steps),
    });
    if (contradiction === null) return;
    const { name: fact, ...rest } = contradiction;
    fork(proven, { fact, ...rest });
  }

  #advance(answer: ComplianceReceipt): void {
    const { chain_id } = answer.evidence_chain;
    const known = this.#newest.get(chain_id);
    if (known === undefined || sizeOf(known) < sizeOf(answer)) this.#newest.set(chain_id, answer);
  }
}

/** The tenant knows besides which call it was: a key has one answer. */
function factsOfCall({ receipts = [] }: ProvenReceipt, { idempotencyKey }: ReceiptContext): Facts {
  const { data: receipt } = receiptSchema.safeParse(receipts[0]);
  if (receipt === undefined || idempotencyKey === undefined) return { facts: [], steps: [] };
  const what = `the call that receipt ${receipt.event_id} answers`;
  const name = `answer/${receipt.event_id}`;
  // A hash in its place: facts end up in errors, and errors in logs.
  const value = formatHex(hashBytes(utf8(idempotencyKey)));
  return { facts: [{ log: "chain", name, what, value }], steps: [] };
}

const sizeOf = ({ merkle_proof }: ComplianceReceipt): number => merkle_proof.event_inclusion_proof.tree_size;

/** The answer goes along: with the receipt that it contradicts, it proves that the service has shown two histories. */
function fork(answer: ProvenReceipt, contradiction: Readonly<Record<string, unknown>>): never {
  throw new ClientError("chain_forked", "the receipt contradicts what this client saw before", {
    evidence: { ...contradiction, answer },
  });
}
