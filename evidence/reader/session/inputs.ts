// What the files of a session are held against: everything that the reader's options, the program and the companions among
// the files give together.

import type { HeadWalk } from "../../core/log/head-walk.ts";
import { TimestampVerifier } from "../../core/timestamps/timestamp-verifier.ts";
import type { KnownHistory, TenantHistory } from "../../core/verify/tenant-history.ts";
import { Checkpoints } from "../checkpoints.ts";
import { type Evidence, receiptsOf } from "../evidence.ts";
import type { Examination } from "../examination.ts";
import { Examiner } from "../examine.ts";
import type { ReaderInputs } from "../inputs.ts";
import type { LogSource, MetachainSource } from "../metachain.ts";
import { type LayerSource, PolicyLayers } from "../policy-layers.ts";
import { PublishedSeals } from "../published-seals.ts";
import type { Problem } from "../unreadable.ts";
import type { Anchors, Companions, GivenPolicy, GivenRequest } from "./given.ts";

export interface SessionInputs {
  /** What the reader's options name, next to the companions among the files. */
  readonly companions: Companions;
  /** The certificates that count besides those among the files. */
  readonly anchors: readonly Anchors[];
  /** True where `anchors` are the program's own choice: then a certificate of the reader's takes their place. */
  readonly areAnchorsDefault: boolean;
  /** Where published roots, layers and files of the log are read; null where nobody is asked. */
  readonly source: (MetachainSource & LogSource & LayerSource) | null;
  /** Across how many seals a renewal is looked for. */
  readonly maxSteps?: number;
  /** Null where the reader gave none. */
  readonly history: SessionHistory | null;
  /** Walks the public log up to its newest root; null where the reader has none, or does not want that. */
  readonly walkLog: WalkNewest | null;
  /** A text to compare with the attested wordings. */
  readonly text: string | null;
  /** The reader's clock, RFC 3339. */
  readonly now: string;
  /** False where the platform verifies no RSA and ECDSA signatures: then every timestamp stays open. */
  readonly verifiesTimestamps: boolean;
  /** False where it knows no Ed25519: then no signature of a log is checked. */
  readonly verifiesLogs: boolean;
}

/** Resolves to null where no root is published yet. Throws as a source does, and `proof_invalid` for a false log. */
export type WalkNewest = (chainIds: Iterable<string>) => Promise<HeadWalk | null>;

/** A tenant's history, by the name of its folder or index; `tenant` is null where there is a problem with it. */
export interface SessionHistory {
  readonly file: string;
  readonly tenant: TenantHistory | null;
  /** The fingerprint of the anchor that the reader expects; null for anyone's. */
  readonly fingerprint: string | null;
  readonly problem: Problem | null;
}

/** Certificates of the reader's own take the place of the program's choice. */
export function chooseAnchors(inputs: SessionInputs, { certificates }: Companions): readonly Anchors[] {
  if (!inputs.verifiesTimestamps) return [];
  const own = certificates
    .filter(({ isNamed }) => isNamed)
    .map(({ file, der }): Anchors => ({ source: { kind: "reader", file }, der }));
  return own.length > 0 && inputs.areAnchorsDefault ? own : [...inputs.anchors, ...own];
}

interface Against {
  readonly anchors: readonly Anchors[];
  readonly policy: GivenPolicy | null;
  readonly requests: ReadonlyMap<unknown, GivenRequest>;
  /** A request that belongs to no evidence here. */
  readonly stray: GivenRequest | null;
  /** Null where there is neither a history nor a walk. */
  readonly known: KnownHistory | null;
}

/** Tokens and published roots are read once, however many files lead to them. */
export function examinerOf(
  inputs: SessionInputs,
  companions: Companions,
  { anchors, policy, requests, stray, known }: Against,
): (evidence: Evidence) => Promise<Examination> {
  const { source, maxSteps, now } = inputs;
  const given = new Map(companions.seals.map(({ seal }) => [seal.index, seal]));
  const layers = companions.layers.map(({ layer }) => layer);
  const shared = {
    published: new PublishedSeals(source, { given, ...(maxSteps !== undefined && { maxSteps }) }),
    layers: new PolicyLayers(source, layers),
    trustAnchors: new TimestampVerifier(anchors.flatMap(({ der }) => der)),
    now,
    ...(inputs.verifiesLogs && signatureInputs(companions, policy, source, new Date(now))),
    ...(known !== null && { history: known }),
  };
  return (evidence) => {
    const own = receiptsOf(evidence).flatMap(({ input_hash }) => requests.get(input_hash) ?? []);
    const compared = own.length > 0 || stray === null ? own : [stray];
    return new Examiner({ ...shared, requests: compared.map(({ request }) => request) }).examine(evidence);
  };
}

/** The log's signatures are checked under the reader's key or policy. */
function signatureInputs(
  { coseReceipts }: Companions,
  given: GivenPolicy | null,
  log: LogSource | null,
  now: Date,
): Pick<ReaderInputs, "checkpoints" | "coseReceipts"> {
  const policy = given?.policy ?? null;
  const receipts = coseReceipts.map(({ coseReceipt }) => coseReceipt);
  return {
    ...(policy !== null && { checkpoints: new Checkpoints(policy, log, now) }),
    ...(receipts.length > 0 && { coseReceipts: { receipts, policy } }),
  };
}
