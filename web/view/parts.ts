// The stations of a proof, each to be opened to its hashes.
import type { CrossTenantProof, EventInclusionProof } from "../../core/formats/compliance-receipt.ts";
import { pathSides } from "../../core/merkle/merkle-proof.ts";
import type { Turn } from "../examine.ts";
import { ownOrigin } from "../origin.ts";
import { PARTS, type Part, partHolds } from "../parts.ts";
import type { View } from "../sheet.ts";
import { type Child, definitions, el } from "./dom.ts";
import { bdi, hash, textAt, timeElement } from "./format.ts";
import { icon, stateOf } from "./icon.ts";

/** `id` as for the picture, whose stations lead here. */
export function partsView(view: View, turn: Turn, id: string): HTMLElement {
  return el("div", { class: "parts" }, ...PARTS.map((part) => partView(view, turn, id, part)));
}

function partView(view: View, turn: Turn, id: string, part: Part): HTMLElement {
  const { text, sheet } = view;
  const state = stateOf(partHolds(turn, sheet.examination, part));
  const summary = el("summary", {}, icon(text, state), titleOf(view, turn, part));
  return el(
    "details",
    { id: `part-${id}-${part}`, class: `part is-${state}`, open: state === "broken" },
    summary,
    BODIES[part](view, turn),
  );
}

function titleOf({ text: { picture } }: View, { evidence }: Turn, part: Part): string {
  const cross = evidence.merkle_proof.cross_tenant_proof;
  if (part === "root") return cross === null ? picture.unpublished : picture.root(String(cross.seal_index));
  if (part === "receipt" && evidence.receipts === undefined) return picture.proof;
  return picture[part];
}

const BODIES: Readonly<Record<Part, (view: View, turn: Turn) => HTMLElement>> = {
  receipt: receiptBody,
  chain: chainBody,
  root: rootBody,
  stamp: stampBody,
};

function receiptBody({ text }: View, { evidence }: Turn): HTMLElement {
  const { hashes } = text;
  const [receipt] = evidence.receipts ?? [];
  const shown = (name: string): Child => (receipt === undefined ? null : hash(textAt(receipt, name)));
  const subject = receipt === undefined ? null : hash(textAt(receipt, "disclosure", "subject_hash"));
  const list = definitions(
    [
      [hashes.leaf_hash, hash(evidence.merkle_proof.event_inclusion_proof.leaf_hash)],
      [hashes.event_id, shown("event_id")],
      [hashes.chain_id, shown("chain_id")],
      [hashes.sequence, shown("sequence")],
      [hashes.subject_hash, subject],
      [hashes.input_hash, shown("input_hash")],
      [hashes.output_hash, shown("output_hash")],
      [hashes.previous_hash, shown("previous_hash")],
      [hashes.previous_turn_hash, shown("previous_turn_hash")],
    ],
    "hashes",
  );
  return el("div", {}, list, el("p", { class: "remark" }, hashes.mac));
}

function chainBody({ text }: View, { evidence }: Turn): HTMLElement {
  const proof = evidence.merkle_proof.event_inclusion_proof;
  return definitions(
    [
      [text.hashes.tree_size, hash(String(proof.tree_size))],
      [text.hashes.path, pathList(text, proof)],
      [text.hashes.chain_root, hash(proof.root)],
    ],
    "hashes",
  );
}

function rootBody(view: View, { evidence }: Turn): HTMLElement {
  const { text, sheet } = view;
  const cross = evidence.merkle_proof.cross_tenant_proof;
  if (cross === null) return el("p", {}, text.again.pendingRoot);
  return definitions(
    [
      [text.hashes.seal_index, hash(String(cross.seal_index))],
      [text.hashes.tree_size, hash(String(cross.tree_size))],
      [text.hashes.path, pathList(text, cross)],
      [text.hashes.root, hash(cross.root)],
      [text.hashes.compared, sourceOf({ text, sheet }, cross.seal_index)],
    ],
    "hashes",
  );
}

function sourceOf({ text, sheet }: View, index: number): string {
  const source = sheet.roots.get(index);
  if (source === "published") return text.hashes.published(ownOrigin() ?? "");
  if (source === "added") return text.hashes.added;
  return sheet.subject.kind === "bundle" ? text.hashes.enclosed : text.hashes.nothing;
}

function stampBody({ text }: View, { evidence, stamp, times }: Turn): HTMLElement {
  const { hashes } = text;
  const root = evidence.merkle_proof.merkle_root;
  const unproven = stamp && { covers: root, genTime: stamp.genTime, authority: { subject: hashes.unproven } };
  const shown = times.length > 0 || unproven === null ? times : [unproven];
  return definitions(
    [
      ...(shown.length === 0 ? [[hashes.root, hash(root)] as const] : []),
      ...shown.flatMap(({ covers, genTime, authority }) => [
        [covers === root ? hashes.root : hashes.laterRoot, hash(covers)] as const,
        [hashes.genTime, timeElement(text, genTime)] as const,
        [hashes.authority, bdi(authority.subject)] as const,
      ]),
      [hashes.tsa_url, hash(textAt(evidence.tsa_timestamp, "tsa_url"))],
    ],
    "hashes",
  );
}

function pathList(
  text: View["text"],
  { leaf_index, tree_size, path }: EventInclusionProof | CrossTenantProof,
): HTMLElement {
  if (path.length === 0) return el("span", {}, text.hashes.none);
  const sides = pathSides(leaf_index, tree_size).slice(0, path.length);
  const side = (i: number): string => (sides[i] === undefined ? "" : text.picture[sides[i]]);
  return el(
    "ol",
    { class: "path" },
    ...path.map((node, i) => el("li", {}, el("span", {}, side(i)), hash(node))),
  );
}
