// Facts about the service's logs that must stay true for ever. There are two kinds: a name has one value, and along a
// series values only grow.

/** Chains have ids. Nothing says of which metachain evidence is: where two differ, both may be honest services'. */
export type LogKind = "chain" | "metachain";

/** There is one value under a name; `what` says for people what it is the value of. */
export interface Fact {
  readonly log: LogKind;
  readonly name: string;
  readonly what: string;
  readonly value: string;
}

/** A member of a series: one that is further on has no smaller value, and where it `mustGrow` a larger one. */
export interface GrowthStep {
  readonly log: LogKind;
  readonly series: string;
  readonly at: number;
  readonly value: number;
  readonly mustGrow: boolean;
  /** Says for people what the step says. */
  readonly statement: string;
}

export interface Facts {
  readonly facts: readonly Fact[];
  readonly steps: readonly GrowthStep[];
}
