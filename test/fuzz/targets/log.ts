// What a log publishes as files: notes, checkpoints, keys, policies, proofs, COSE receipts and tiles. What is read is the
// one spelling of what it says, and what verifies says what the log signed.
import fc from "fast-check";
import { equalBytes } from "../../../evidence/core/bytes.ts";
import { formatCbor, parseCbor } from "../../../evidence/core/log/cbor.ts";
import { formatCheckpoint, parseCheckpoint } from "../../../evidence/core/log/checkpoint.ts";
import {
  formatCoseReceipt,
  parseCoseReceipt,
  verifyCoseReceipt,
} from "../../../evidence/core/log/cose-receipt.ts";
import { formatNote, formatNoteKey, parseNote, parseNoteKey } from "../../../evidence/core/log/note.ts";
import { openCheckpoint } from "../../../evidence/core/log/open-checkpoint.ts";
import { parseTilePlace } from "../../../evidence/core/log/tile-place.ts";
import {
  buildTile,
  formatEntries,
  parseEntries,
  parseTile,
  verifyTile,
} from "../../../evidence/core/log/tiles.ts";
import { parsePolicy } from "../../../evidence/core/log/tlog-policy.ts";
import { formatTlogProof, parseTlogProof } from "../../../evidence/core/log/tlog-proof.ts";
import { hashLeaf } from "../../../evidence/core/merkle/hash.ts";
import { parseLogPolicy } from "../../../evidence/reader/log-policy.ts";
import { inclusionShape } from "../../support/rfc9162.ts";
import { verifyTlogProof } from "../../support/tlog-proof.ts";
import { storedLeafOf } from "../../support/trees.ts";
import { anyBytes, type Mutant, mutantsOf, sampleOf, textOf } from "../mutations.ts";
import { laterRefusedOr, refusedOr, target } from "../target.ts";
import { CHECKPOINTS, KEY_TEXT, LOG, leafAt, mth, POLICY, POLICY_TEXT, PROOFS, SIZE } from "./signed-log.ts";

const sizeOf = ({ bytes }: Mutant): number => bytes.length;
const textOfNote = (note: string): string => parseNote(note).text;
const SIGNED_TEXTS = new Set(CHECKPOINTS.map(textOfNote));

export const noteTarget = target({
  name: "note",
  runs: 1_500,
  inputs: anyBytes(CHECKPOINTS.map((note, i) => sampleOf(`checkpoint ${i}`, note))),
  sizeOf,
  holds: async (mutant) => {
    const text = textOf(mutant);
    const note = refusedOr(() => parseNote(text), "malformed");
    if (note === null) return true;
    const checkpoint = refusedOr(() => parseCheckpoint(note.text), "malformed");
    const isOneSpelling =
      formatNote(note) === text &&
      (checkpoint === null || note.text.startsWith(formatCheckpoint(checkpoint)));
    const opened = await laterRefusedOr(() => openCheckpoint(text, POLICY), "malformed", "proof_invalid");
    return isOneSpelling && (opened === null || SIGNED_TEXTS.has(note.text));
  },
});

export const noteKeyTarget = target({
  name: "note-key",
  runs: 2_000,
  inputs: anyBytes([sampleOf("key", KEY_TEXT)]),
  sizeOf,
  holds: (mutant) => {
    const text = textOf(mutant);
    const key = refusedOr(() => parseNoteKey(text), "malformed");
    return key === null || formatNoteKey(key) === text;
  },
});

export const logPolicyTarget = target({
  name: "log-policy",
  runs: 2_000,
  inputs: anyBytes([sampleOf("policy", POLICY_TEXT), sampleOf("key", KEY_TEXT)]),
  sizeOf,
  holds: (mutant) => {
    const text = textOf(mutant);
    const policy = refusedOr(() => parsePolicy(text), "malformed");
    const readers = refusedOr(() => parseLogPolicy(text), "malformed");
    // A quorum is reachable: with every witness, it holds.
    const { groups, witnesses, quorum } = policy ?? POLICY;
    const isReachable =
      quorum === null || groups.has(quorum) || witnesses.some(({ name }) => name === quorum);
    return isReachable && (readers === null || readers.logs.length > 0);
  },
});

export const tlogProofTarget = target({
  name: "tlog-proof",
  runs: 1_500,
  inputs: anyBytes(PROOFS.map(({ index, tlogProof }) => sampleOf(String(index), tlogProof))),
  sizeOf,
  holds: async (mutant) => {
    const text = textOf(mutant);
    const proof = refusedOr(() => parseTlogProof(text), "malformed");
    if (proof === null) return true;
    if (formatTlogProof(proof) !== text) return false;
    const { index, entry, tlogProof } =
      PROOFS.find(({ index: i }) => String(i) === mutant.sample.name) ?? NONE;
    const verify = () => verifyTlogProof(proof, hashLeaf(entry), POLICY);
    if ((await laterRefusedOr(verify, "malformed", "proof_invalid")) === null) return true;
    const known = parseTlogProof(tlogProof);
    const isSamePath = proof.path.every((node, i) => equalBytes(node, known.path[i] ?? new Uint8Array()));
    return proof.index === index && isSamePath && SIGNED_TEXTS.has(textOfNote(proof.checkpoint));
  },
});

const NONE = { index: -1, entry: new Uint8Array(), tlogProof: PROOFS[0]?.tlogProof ?? "" };

export const coseTarget = target({
  name: "cose",
  runs: 1_500,
  inputs: anyBytes(PROOFS.map(({ index, coseReceipt }) => sampleOf(String(index), coseReceipt))),
  sizeOf,
  holds: async ({ sample, bytes }) => {
    const value = refusedOr(() => ({ read: parseCbor(bytes) }), "malformed");
    if (value !== null && !equalBytes(formatCbor(value.read), bytes)) return false;
    const receipt = refusedOr(() => parseCoseReceipt(bytes), "malformed");
    if (receipt === null) return true;
    if (!equalBytes(formatCoseReceipt(receipt), bytes)) return false;
    const { index, entry } = PROOFS.find(({ index: i }) => String(i) === sample.name) ?? NONE;
    const root = await laterRefusedOr(() => verifyCoseReceipt(receipt, entry, LOG.key), "proof_invalid");
    if (root === null) return true;
    // The size is not signed in RFC 9942: another one is accepted where it means the same turns.
    const { leafIndex, treeSize } = receipt.proof;
    return (
      equalBytes(root, mth(0, SIZE)) &&
      (treeSize > 1_000 || inclusionShape(leafIndex, treeSize) === inclusionShape(index, SIZE))
    );
  },
});

const storedLeaf = storedLeafOf(mth);
const TILE = { level: 0, index: 0, width: SIZE };
const TILE_BYTES = buildTile(TILE, storedLeaf);
const GOOD = storedLeaf(SIZE - 1);

export const tileTarget = target({
  name: "tile",
  runs: 2_000,
  inputs: anyBytes([sampleOf("tile", TILE_BYTES)]),
  sizeOf,
  holds: ({ bytes }) => {
    const hashes = refusedOr(() => parseTile(bytes, SIZE), "malformed");
    if (hashes !== null && hashes.length !== SIZE) return false;
    const verified = refusedOr(
      () => ({ done: verifyTile(TILE, bytes, SIZE, GOOD) }),
      "malformed",
      "proof_invalid",
    );
    return verified === null || equalBytes(bytes, TILE_BYTES);
  },
});

const ENTRIES = formatEntries(Array.from({ length: SIZE }, (_, i) => leafAt(i)));

export const entriesTarget = target({
  name: "entries",
  runs: 2_000,
  inputs: fc.record({
    mutant: anyBytes([sampleOf("entries", ENTRIES), sampleOf("one", formatEntries([new Uint8Array(300)]))]),
    width: fc.oneof(fc.constant(SIZE), fc.integer({ min: 0, max: 256 })),
  }),
  sizeOf: ({ mutant }) => mutant.bytes.length,
  holds: ({ mutant: { bytes }, width }) => {
    const entries = refusedOr(() => parseEntries(bytes, width), "malformed");
    return entries === null || (entries.length === width && equalBytes(formatEntries(entries), bytes));
  },
});

export const tilePlaceTarget = target({
  name: "tile-place",
  runs: 2_000,
  inputs: mutantsOf(
    ["x001/067", "x001/067.p/12", "000", "x009/x007/x199/x254/x740/991.p/255"].map((t) => sampleOf(t, t)),
  ),
  sizeOf,
  holds: (mutant) => {
    const text = textOf(mutant);
    const place = parseTilePlace(text);
    if (place === null) return true;
    const digits = text.replace(/\.p\/\d+$/, "").replaceAll(/\D/g, "");
    return place.index === Number(digits) && place.width >= 1 && place.width <= 256;
  },
});
