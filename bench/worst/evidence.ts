// Evidence made to keep a verifier busy, by the number of bytes that it may have, for the bench of the worst evidence.
import { bundle, fill, type JsonOf, list, read, receipt } from "./documents.ts";
import { altered, distinct, included, ofReader, TOKENS, usual } from "./tokens.ts";

const NODE = `0x${"5".repeat(64)}`;

/** Seals with sixteen further tokens each; seals that follow each other in number only. */
function tokens(bytes: number, token: (index: number) => Uint8Array): JsonOf {
  const whole = bundle();
  const [seal] = whole.seals as JsonOf[];
  const count = Math.floor((bytes - 20_000) / (JSON.stringify(included(token(0))).length + 100));
  const made = list(count, (i) => included(token(i)));
  const seals = list(Math.ceil(count / 16), (i) => ({
    ...seal,
    index: 4 + i,
    additional_timestamps: made.slice(16 * i, 16 * i + 16),
  }));
  return { ...whole, seals: [...(whole.seals as JsonOf[]), ...seals] };
}

function turns(bytes: number, change: (proof: JsonOf, index: number) => void = () => {}): JsonOf {
  const whole = bundle();
  const [receipts, requests, proofs] = [whole.receipts, whole.requests, whole.proofs] as [
    JsonOf[],
    JsonOf[],
    JsonOf[],
  ];
  const one = JSON.stringify([receipts[1], requests[1], proofs[1]]).length;
  const sample = structuredClone(proofs[1] ?? {});
  change(sample, 0);
  const count = Math.min(
    2_000,
    Math.floor(bytes / (one + JSON.stringify(sample).length - JSON.stringify(proofs[1]).length)),
  );
  const proof = (i: number): JsonOf => {
    const copy = structuredClone(proofs[1] ?? {});
    change(copy, i);
    return copy;
  };
  return {
    ...whole,
    receipts: list(count, () => receipts[1]),
    requests: list(count, () => requests[1]),
    proofs: list(count, proof),
  };
}

type Proof = { merkle_proof: Record<"event_inclusion_proof" | "cross_tenant_proof", JsonOf> };

function longPaths(proof: JsonOf): void {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = (proof as unknown as Proof)
    .merkle_proof;
  for (const part of [event, cross]) {
    part.path = list(53, () => NODE);
    part.tree_size = Number.MAX_SAFE_INTEGER;
  }
}

const step = { merkle_root: NODE, tree_size: 7, consistency_path: list(54, () => NODE) };
const renewal = (bytes: number): JsonOf => ({
  ...receipt(),
  tsa_timestamp: { status: "pending", timestamp_token: null, tsa_url: null, covers: "merkle_root" },
  renewal: {
    renews: 2,
    between: fill(Math.min(bytes, 2_000 * JSON.stringify(step).length) - 20_000, () => step),
    consistency_path: [],
    seal: JSON.parse(read("seals/3.json")) as JsonOf,
  },
});
const carried =
  (token: (index: number) => Uint8Array) =>
  (bytes: number): JsonOf => {
    const seal = JSON.parse(read("seals/2.json")) as JsonOf;
    const count = Math.min(
      16,
      Math.floor((bytes - 20_000) / (JSON.stringify(included(token(0))).length + 2)),
    );
    const additional_timestamps = list(count, (i) => included(token(i)));
    return {
      ...renewal(30_000),
      renewal: {
        renews: 2,
        consistency_path: [],
        seal: { ...seal, tsa_timestamp: included(token(99)), additional_timestamps },
      },
    };
  };
const inReceipt = (bytes: number, member: (room: number) => unknown): JsonOf => {
  const report = receipt();
  const [core] = report.receipts as JsonOf[];
  return { ...report, receipts: [{ ...core, note: member(bytes - 15_000) }] };
};
const members = (room: number): JsonOf =>
  Object.fromEntries(list(Math.floor(room / 16), (i) => [`m${i}`, i + 0.5]));
const nested = (depth: number, room: number): unknown =>
  list(depth, () => 0).reduce(
    (inner: unknown) => [inner],
    fill(room, () => 0),
  );

export const RECEIPTS: Readonly<Record<string, (bytes: number) => JsonOf>> = {
  "many members in the receipt": (bytes) => inReceipt(bytes, members),
  "one long text in the receipt": (bytes) => inReceipt(bytes, (room) => "x".repeat(room)),
  "escapes in the receipt": (bytes) => inReceipt(bytes, (room) => "\u0001".repeat(Math.floor(room / 6))),
  "a number a member": (bytes) => inReceipt(bytes, (room) => fill(room, (i) => 1 + (i + 1) / 7_000_000)),
  "deep lists in the receipt": (bytes) => inReceipt(bytes, (room) => nested(20, room)),
  "a long renewal": renewal,
  "a renewal with tokens of an impostor": carried(TOKENS["of an impostor"] ?? (() => new Uint8Array())),
  "members that nobody knows": (bytes) => ({ ...receipt(), note: members(bytes - 15_000) }),
  "a list that is too long": (bytes) => ({
    ...receipt(),
    renewal: { ...(renewal(30_000).renewal as JsonOf), between: fill(bytes - 30_000, () => ({})) },
  }),
};
export const BUNDLES: Readonly<Record<string, (bytes: number) => JsonOf>> = {
  ...Object.fromEntries(
    Object.entries(TOKENS).map(([name, token]) => [
      `tokens ${name}`,
      (bytes: number) => tokens(bytes, token),
    ]),
  ),
  "one sound token in other bytes": (bytes) => tokens(bytes, altered(ofReader, [ofReader.certificate])),
  "sound tokens on P-256": (bytes) => tokens(bytes, distinct(usual, [usual.certificate])),
  "many turns": (bytes) => turns(bytes),
  "many turns with long paths": (bytes) => turns(bytes, longPaths),
  "many later tokens that name no seal": (bytes) => ({
    ...turns(bytes / 2),
    later_timestamps: fill(Math.min(bytes / 2, 250_000), (i) => ({
      seal_index: i,
      tsa_timestamp: included(Uint8Array.of(i >> 8, i)),
    })).slice(0, 2_000),
  }),
};
