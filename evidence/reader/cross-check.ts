// The checks between many pieces of evidence: that receipts follow each other, and that all are of one history. Two
// receipts at one place of a chain, each with a good proof, are what a service that lies would have to hand out.
import { DisclosureError } from "../core/errors.ts";
import {
  type Finding,
  holds,
  runSteps,
  type Step,
  unchecked,
  type Verification,
} from "../core/verify/check.ts";
import { count } from "../core/verify/count.ts";
import type { Facts, LogKind } from "../core/verify/fact-types.ts";
import { factsOfReceipt, factsOfTurn } from "../core/verify/facts.ts";
import { History } from "../core/verify/history.ts";
import { factsOfSeal } from "../core/verify/seal-facts.ts";
import { verifyChainLinks } from "../core/verify/verify-links.ts";
import { Conversations } from "./conversations.ts";
import { type Evidence, receiptsOf } from "./evidence.ts";

const STEPS: readonly Step<CrossCheck>[] = [
  ["chain_links", (all) => all.checkLinks()],
  ["one_history", (all) => all.checkHistory()],
];
const PAGED_STEPS: readonly Step<CrossCheck>[] = [
  ...STEPS,
  ["turn_links", (all) => all.conversations.checkLinks()],
];

/** Checks what many receipts show and one can't. Evidence that does not hold by itself is left out. */
export class CrossCheck {
  readonly conversations = new Conversations();
  #pieces = 0;
  readonly #receipts: Readonly<Record<string, unknown>>[] = [];
  readonly #histories: Readonly<Record<LogKind, History>> = {
    chain: new History(),
    metachain: new History(),
  };
  readonly #contradictions: Record<LogKind, string | null> = { chain: null, metachain: null };
  /** The file that was the first to state something, by the name of the fact or series. */
  readonly #files = new Map<string, string>();

  /** Takes in evidence that holds by itself. `file` names it for people. */
  add(evidence: Evidence, file: string): void {
    this.#pieces++;
    if (evidence.kind === "bundle") this.conversations.add(evidence);
    this.#receipts.push(...receiptsOf(evidence));
    const { facts, steps } = factsOf(evidence);
    const isOf = (log: LogKind) => (fact: { readonly log: LogKind }) => fact.log === log;
    for (const log of ["chain", "metachain"] as const)
      this.#compare(log, { facts: facts.filter(isOf(log)), steps: steps.filter(isOf(log)) }, file);
  }

  /** True if there are two things to compare: several files, or several receipts of one bundle. */
  get isComparable(): boolean {
    return this.#pieces > 1 || this.#receipts.length > 1;
  }

  verify(): Promise<Verification> {
    return runSteps(this.conversations.arePaged ? PAGED_STEPS : STEPS, this);
  }

  checkLinks(): Finding {
    const links = verifyChainLinks(this.#receipts);
    if (links === 0) return unchecked("nothing_to_check", "no two of them follow each other");
    return holds(`${count(links, "link")} of the chain`);
  }

  /** Nothing in a file says of which metachain it is: where two differ, only the published list can tell why. */
  checkHistory(): Finding {
    const { chain, metachain } = this.#contradictions;
    if (chain !== null) throw new DisclosureError("proof_invalid", chain);
    if (metachain === null) return holds("no two of them contradict each other");
    return unchecked(
      "two_logs",
      `${metachain}: they are of two services, or one of them is forged. Compare each with the roots that its service publishes`,
    );
  }

  #compare(log: LogKind, facts: Facts, file: string): void {
    const contradiction = this.#histories[log].add(facts);
    for (const { name } of facts.facts) this.#remember(name, file);
    for (const { series } of facts.steps) this.#remember(series, file);
    if (contradiction === null) return;
    const { sentence, name } = contradiction;
    this.#contradictions[log] ??= `${sentence} (${this.#files.get(name)} and ${file})`;
  }

  #remember(name: string, file: string): void {
    if (!this.#files.has(name)) this.#files.set(name, file);
  }
}

function factsOf(evidence: Evidence): Facts {
  const parts = evidence.kind === "seal" ? [factsOfSeal(evidence.seal)] : factsOfParts(evidence);
  return { facts: parts.flatMap(({ facts }) => facts), steps: parts.flatMap(({ steps }) => steps) };
}

function factsOfParts(evidence: Exclude<Evidence, { kind: "seal" }>): Facts[] {
  if (evidence.kind !== "bundle") return [factsOfReceipt(evidence.receipt), factsOfTurn(evidence.receipt)];
  const { receipts, proofs, seals } = evidence.bundle;
  const turns = proofs.map((proof, i) => ({ ...proof, receipts: receipts.slice(i, i + 1) }));
  return [...turns.map(factsOfReceipt), ...turns.map(factsOfTurn), ...seals.map(factsOfSeal)];
}
