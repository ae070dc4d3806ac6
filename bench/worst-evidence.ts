// `node bench/worst-evidence.ts`: what the worst evidence that we can think of costs a reader, in processor time of
// reading and verifying. Files of 2 MB as the command line and the page take them, bodies of 64 KiB as
// POST /v1/verify-inclusion takes them. Prints machine, version and limits.
import { readFileSync } from "node:fs";
import { formatBase64 } from "../core/bytes.ts";
import { parseJson } from "../core/canonical-json.ts";
import { isDisclosureError } from "../core/errors.ts";
import { bundleEvidenceSchema, evidenceSchema } from "../core/formats/evidence.ts";
import { parseCertificatesPem } from "../core/timestamps/x509/pem.ts";
import { verifyBundle } from "../core/verify/verify-bundle.ts";
import { verifyReceipt } from "../core/verify/verify-receipt.ts";
import { integer } from "../test/vectors/timestamps/der-writer.ts";
import {
  caExtensions,
  ecKeys,
  extension,
  type Identity,
  makeIdentity,
  makeToken,
  tsaExtensions,
} from "../test/vectors/timestamps/forge.ts";
import { machine } from "./measuring.ts";

const FILE_BYTES = 2_000_000;
const BODY_BYTES = 64 * 1024;
const MAX_FILE_MS = 2_000;
const MAX_BODY_MS = 20;
const WARM_RUNS = 3;
const NODE = `0x${"5".repeat(64)}`;
const EVIDENCE = new URL("../test/vectors/evidence/", import.meta.url);

type Json = Record<string, unknown>;

const read = (file: string): string => readFileSync(new URL(file, EVIDENCE), "utf8");
const NOW = "2026-11-22T00:00:00.000Z";
const ANCHOR = makeIdentity({ name: "Root", extensions: caExtensions, keys: ecKeys("P-521") });
const trustAnchors = [...parseCertificatesPem(read("authorities/service.pem")), ANCHOR.certificate];

const receipt = (): Json => JSON.parse(read("receipts/hand-off.json")) as Json;
const bundle = (): Json => JSON.parse(read("bundles/conversation.json")) as Json;
const list = <T>(count: number, member: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => member(i));

/** As many members as fit. */
function fill<T>(bytes: number, member: (index: number) => T): T[] {
  const each = JSON.stringify(member(0)).length + 1;
  return list(Math.floor(bytes / each), member);
}

const included = (der: Uint8Array): Json => ({
  status: "included",
  timestamp_token: formatBase64(der),
  tsa_url: "",
  covers: "merkle_root",
});
const sequence = (tag: number, content: Uint8Array): Uint8Array =>
  Uint8Array.of(
    tag,
    0x83,
    content.length >> 16,
    (content.length >> 8) & 0xff,
    content.length & 0xff,
    ...content,
  );

/** One sound token, whose bytes are made distinct where no signature covers them: in the revocation lists. */
function altered(tsa: Identity, certificates: readonly Uint8Array[]): (index: number) => Uint8Array {
  let signed: Uint8Array | undefined;
  const alterSignature = (signature: Uint8Array): Uint8Array => {
    signed ??= signature;
    return signed;
  };
  return (i) =>
    makeToken({
      tsa,
      certificates,
      crls: [Uint8Array.of(0x04, 4, i >> 24, i >> 16, i >> 8, i)],
      alterSignature,
    });
}
/** Tokens that are signed each. */
const distinct = (tsa: Identity, certificates: readonly Uint8Array[]) => (i: number) =>
  makeToken({ tsa, certificates, tstInfo: { serial: integer(65_536 + i) } });
const stranger = makeIdentity({ name: "Stranger", extensions: tsaExtensions, keys: ecKeys("P-521") });
const ofReader = makeIdentity({
  name: "TSA",
  issuer: ANCHOR,
  extensions: tsaExtensions,
  keys: ecKeys("P-521"),
});
const usual = makeIdentity({ name: "Usual TSA", issuer: ANCHOR, extensions: tsaExtensions });
const impostor = makeIdentity({ name: "Root", extensions: caExtensions, keys: ecKeys("P-521") });
const ofImpostor = makeIdentity({
  name: "TSA",
  issuer: impostor,
  extensions: tsaExtensions,
  keys: ecKeys("P-521"),
});
const namesakes = list(
  15,
  () =>
    makeIdentity({ name: "Root", issuer: impostor, extensions: caExtensions, keys: ecKeys("P-521") })
      .certificate,
);
const TOKENS: Readonly<Record<string, (index: number) => Uint8Array>> = {
  "of an unknown authority": distinct(stranger, [stranger.certificate]),
  "of an impostor": distinct(ofImpostor, [ofImpostor.certificate]),
  "of an impostor with 15 namesakes": distinct(ofImpostor, [ofImpostor.certificate, ...namesakes]),
  "with an identifier of 60 kB": (i) =>
    sequence(0x06, new Uint8Array(60_000).fill(0xff).with(59_999, i % 128)),
  "with an identifier of 1 kB": (i) => sequence(0x06, new Uint8Array(1_000).fill(0xff).with(999, i % 128)),
  "of 30,000 empty values": () =>
    sequence(
      0x30,
      new Uint8Array(60_000).map((_, at) => (at % 2 === 0 ? 5 : 0)),
    ),
  "with many extensions": distinct(
    makeIdentity({
      name: "TSA",
      issuer: ANCHOR,
      extensions: [
        ...tsaExtensions,
        ...list(1_000, (i) => extension(`2.999.${i}`, false, Uint8Array.of(5, 0))),
      ],
    }),
    [],
  ),
};

/** Seals with sixteen further tokens each; seals that follow each other in number only. */
function tokens(bytes: number, token: (index: number) => Uint8Array): Json {
  const whole = bundle();
  const [seal] = whole.seals as Json[];
  const count = Math.floor((bytes - 20_000) / (JSON.stringify(included(token(0))).length + 100));
  const made = list(count, (i) => included(token(i)));
  const seals = list(Math.ceil(count / 16), (i) => ({
    ...seal,
    index: 4 + i,
    additional_timestamps: made.slice(16 * i, 16 * i + 16),
  }));
  return { ...whole, seals: [...(whole.seals as Json[]), ...seals] };
}

function turns(bytes: number, change: (proof: Json, index: number) => void = () => {}): Json {
  const whole = bundle();
  const [receipts, requests, proofs] = [whole.receipts, whole.requests, whole.proofs] as [
    Json[],
    Json[],
    Json[],
  ];
  const one = JSON.stringify([receipts[1], requests[1], proofs[1]]).length;
  const sample = structuredClone(proofs[1] ?? {});
  change(sample, 0);
  const count = Math.min(
    2_000,
    Math.floor(bytes / (one + JSON.stringify(sample).length - JSON.stringify(proofs[1]).length)),
  );
  const proof = (i: number): Json => {
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

type Proof = { merkle_proof: Record<"event_inclusion_proof" | "cross_tenant_proof", Json> };

function longPaths(proof: Json): void {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = (proof as unknown as Proof)
    .merkle_proof;
  for (const part of [event, cross]) {
    part.path = list(53, () => NODE);
    part.tree_size = Number.MAX_SAFE_INTEGER;
  }
}

const step = { merkle_root: NODE, tree_size: 7, consistency_path: list(54, () => NODE) };
const renewal = (bytes: number): Json => ({
  ...receipt(),
  tsa_timestamp: { status: "pending", timestamp_token: null, tsa_url: null, covers: "merkle_root" },
  renewal: {
    renews: 2,
    between: fill(Math.min(bytes, 2_000 * JSON.stringify(step).length) - 20_000, () => step),
    consistency_path: [],
    seal: JSON.parse(read("seals/3.json")) as Json,
  },
});
const carried =
  (token: (index: number) => Uint8Array) =>
  (bytes: number): Json => {
    const seal = JSON.parse(read("seals/2.json")) as Json;
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
const inReceipt = (bytes: number, member: (room: number) => unknown): Json => {
  const report = receipt();
  const [core] = report.receipts as Json[];
  return { ...report, receipts: [{ ...core, note: member(bytes - 15_000) }] };
};
const members = (room: number): Json =>
  Object.fromEntries(list(Math.floor(room / 16), (i) => [`m${i}`, i + 0.5]));
const nested = (depth: number, room: number): unknown =>
  list(depth, () => 0).reduce(
    (inner: unknown) => [inner],
    fill(room, () => 0),
  );

const EVIDENCES: Readonly<Record<string, (bytes: number) => Json>> = {
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
    renewal: { ...(renewal(30_000).renewal as Json), between: fill(bytes - 30_000, () => ({})) },
  }),
};
const BUNDLES: Readonly<Record<string, (bytes: number) => Json>> = {
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

async function examine(text: string, kind: "receipt" | "bundle"): Promise<string> {
  try {
    const value = parseJson(text);
    const knowledge = { trustAnchors, now: NOW };
    if (kind === "receipt")
      return (await verifyReceipt(evidenceSchema.parse(value), knowledge)).valid ? "holds" : "fails";
    return (await verifyBundle(bundleEvidenceSchema.parse(value), knowledge)).valid ? "holds" : "fails";
  } catch (error) {
    if (isDisclosureError(error) || (error as Error).name === "ZodError") return "unreadable";
    throw error;
  }
}

async function report(name: string, text: string, kind: "receipt" | "bundle", limit: number): Promise<void> {
  const times: number[] = [];
  let found = "";
  for (let run = 0; run <= WARM_RUNS; run++) {
    const start = process.cpuUsage();
    found = await examine(text, kind);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  const ms = Math.min(...times.slice(1));
  const size = `${(text.length / 1_000).toFixed(0)} kB`;
  console.log(
    `${name.padEnd(44)}${size.padStart(9)}${ms.toFixed(1).padStart(10)} ms  ${found.padEnd(11)}${ms > limit ? "over" : ""}`,
  );
}

console.log(`${machine()}, processor time, best of ${WARM_RUNS} after one that warms up`);
for (const [what, bytes, limit] of [
  ["bodies", BODY_BYTES, MAX_BODY_MS],
  ["files", FILE_BYTES, MAX_FILE_MS],
] as const) {
  console.log(`\n${what}: ${limit} ms at most`);
  for (const [name, make] of Object.entries(EVIDENCES))
    await report(name, JSON.stringify(make(bytes)), "receipt", limit);
  if (bytes === FILE_BYTES)
    for (const [name, make] of Object.entries(BUNDLES))
      await report(name, JSON.stringify(make(bytes)), "bundle", limit);
}
