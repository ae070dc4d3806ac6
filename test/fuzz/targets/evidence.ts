// Whole evidence as a reader judges it: changed evidence never proves anything that honest evidence does not.
import fc from "fast-check";
import { canonicalize } from "../../../evidence/core/canonical-json.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import {
  type MetachainSource,
  type VerifiedEvidence,
  type VerifierInputs,
  verifyEvidence,
} from "../../../evidence/reader/index.ts";
import { type EvidenceVector, evidenceVectors } from "../../support/evidence.ts";
import { anyDamages, type Json } from "../../support/json-damage.ts";
import { readBytes, readEvidence, readSeal } from "../../support/vector-files.ts";
import { mutantsOf, sampleOf } from "../mutations.ts";
import { laterRefusedOr, target } from "../target.ts";

/** When the evidence was made, all of it valid: certificates run out. */
const NOW = "2026-11-27T00:00:00.000Z";

const vectors = evidenceVectors.filter(({ expected }) => expected.startsWith("holds"));

/** The reader has all that the index gives it, and every published root that the evidence leads to. */
function inputsOf({ anchors, request, layers = [], ...vector }: EvidenceVector): VerifierInputs {
  const named = [vector.seal, vector.before, ...(vector.published ?? [])];
  return {
    ...(request !== undefined && { requests: [readEvidence(request)] }),
    layers: layers.map(readEvidence),
    seals: named.filter((name) => name !== undefined && name !== null).map(readSeal),
    ...(vector.kind === "seal" && {
      source: sourceOf(vector.previous === undefined ? [vector.file] : [vector.file, vector.previous]),
    }),
    trustAnchors:
      anchors === undefined ? [] : parseCertificatesPem(new TextDecoder().decode(readBytes(anchors))),
    now: NOW,
  };
}

/** A root that somebody hands on is compared with the published one. */
function sourceOf(files: readonly string[]): MetachainSource {
  const roots = new Map(files.map((file) => [readSeal(file).index, readBytes(file)]));
  const head = { size: roots.size, latest: null, roots: "/v1/metachain/roots/{index}", log: null };
  return {
    name: "the vectors",
    head: async () => new TextEncoder().encode(JSON.stringify(head)),
    root: async (index) => roots.get(index) ?? null,
    timestamp: async () => null,
  };
}

interface Loose {
  readonly [name: string]: unknown;
}

/** What evidence says of a receipt, where its root is published: the receipt, and its place under the root. */
function claimsOf(value: Loose): readonly string[] {
  const {
    receipts = [],
    proofs = [value],
    interaction_id,
    requests,
  } = value as {
    readonly receipts?: readonly Loose[];
    readonly proofs?: readonly Loose[];
    readonly [name: string]: unknown;
  };
  return [
    canonicalize([interaction_id ?? null, requests ?? null]),
    canonicalize(members(value, "index", "merkle_root", "tree_size", "sealed_at")),
    ...receipts.map(({ auth_mechanism: _a, key_id: _k, signature: _s, ...core }) => canonicalize(core)),
    ...proofs.map(({ merkle_proof }) => canonicalize(placeIn(merkle_proof as Loose | undefined))),
  ];
}

/** Without the sizes of trees, which a root binds as far as they mean the same turns. */
function placeIn({ merkle_root, event_inclusion_proof, cross_tenant_proof }: Loose = {}): unknown {
  const [event, cross] = [event_inclusion_proof, cross_tenant_proof] as (Loose | null | undefined)[];
  return [
    merkle_root ?? null,
    members(event, "leaf_hash", "leaf_index", "path", "root"),
    members(cross, "path", "root", "seal_index"),
    members(cross?.leaf as Loose | undefined, "chain_id", "head_index", "tree_size", "root"),
  ];
}

const members = (value: Loose | null | undefined, ...names: readonly string[]): unknown[] =>
  names.map((name) => value?.[name] ?? null);

const honest = await Promise.all(
  vectors.map(async (vector) => {
    const bytes = readBytes(vector.file);
    const inputs = inputsOf(vector);
    const value = readEvidence(vector.file) as Json & Loose;
    return {
      vector,
      inputs,
      value,
      sample: sampleOf(vector.file, bytes),
      verdict: await verifyEvidence(bytes, inputs),
    };
  }),
);

/** By each check: made and held, made and failed, or not made. */
const pointsOf = ({ outcome, checks }: VerifiedEvidence): string =>
  canonicalize([outcome, checks.map(({ name, ok }) => [name, ok])]);

type Honest = (typeof honest)[number];
type Changed = readonly [of: Honest, text: Uint8Array];

const changed: fc.Arbitrary<Changed> = fc
  .constantFrom(...honest)
  .chain((one) =>
    fc.oneof(
      anyDamages.map((damage): Changed => [one, Buffer.from(JSON.stringify(damage(one.value)))]),
      mutantsOf([one.sample]).map(({ bytes }): Changed => [one, bytes]),
    ),
  )
  .map(printed);

function printed(changed: Changed): Changed {
  const [{ vector }, bytes] = changed;
  return Object.assign(changed, {
    [fc.toStringMethod]: () => `${vector.file}, changed to (base64) ${Buffer.from(bytes).toString("base64")}`,
  });
}

export const evidenceTarget = target({
  name: "evidence",
  runs: 1_000,
  inputs: changed,
  sizeOf: ([{ sample }, bytes]) => bytes.length + sample.bytes.length,
  holds: async ([{ inputs, value, verdict }, bytes]) => {
    const read = () => verifyEvidence(bytes, inputs);
    const found = await laterRefusedOr(read, "not_json", "malformed", "payload_too_large");
    if (found === null || pointsOf(found) !== pointsOf(verdict)) return true;
    const said = JSON.parse(new TextDecoder().decode(bytes)) as Loose;
    return canonicalize(claimsOf(said)) === canonicalize(claimsOf(value));
  },
});
