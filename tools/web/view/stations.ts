// The stations of a proof, each to be opened to its hashes.
import type {
  CrossTenantProof,
  EventInclusionProof,
} from "../../../evidence/core/formats/compliance-receipt.ts";
import { pathSides } from "../../../evidence/core/merkle/merkle-proof.ts";
import type { ExaminedTurn } from "../../../evidence/reader/examination.ts";
import { cutText, textAt } from "../../../evidence/reader/text/format.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { provenBy } from "../../../evidence/reader/times.ts";
import { hasCompanion } from "../checked.ts";

import { STATIONS, type Station, stationHolds } from "../stations.ts";
import { type Child, definitions, el } from "./dom.ts";
import { bdi, hash, timeElement } from "./format.ts";
import { icon, stateOf } from "./icon.ts";
import type { View } from "./view.ts";

/** `id` as for the picture, whose stations lead here. */
export function stationsView(view: View, turn: ExaminedTurn, id: string): HTMLElement {
  return el("div", { class: "parts" }, ...STATIONS.map((station) => stationView(view, turn, id, station)));
}

function stationView(view: View, turn: ExaminedTurn, id: string, station: Station): HTMLElement {
  const { text, entry } = view;
  const state = stateOf(stationHolds(turn, entry.examination, station));
  const summary = el("summary", {}, icon(state, text.state[state]), titleOf(view, turn, station));
  return el(
    "details",
    { id: `part-${id}-${station}`, class: `part is-${state}`, open: state === "broken" },
    summary,
    BODIES[station](view, turn),
  );
}

function titleOf({ text: { picture } }: View, { evidence }: ExaminedTurn, station: Station): string {
  const cross = evidence.merkle_proof.cross_tenant_proof;
  if (station === "root")
    return cross === null ? picture.unpublished : picture.root(String(cross.seal_index));
  if (station === "receipt" && evidence.receipts === undefined) return picture.proof;
  return picture[station];
}

const BODIES: Readonly<Record<Station, (view: View, turn: ExaminedTurn) => HTMLElement>> = {
  receipt: receiptBody,
  chain: chainBody,
  root: rootBody,
  timestamp: timestampBody,
};

function receiptBody({ text: { hashes } }: View, { evidence }: ExaminedTurn): HTMLElement {
  const [receipt] = evidence.receipts ?? [];
  const shown = (...path: readonly string[]): Child =>
    receipt === undefined ? null : hash(textAt(receipt, ...path));
  const list = definitions(
    [
      [hashes.leaf_hash, hash(evidence.merkle_proof.event_inclusion_proof.leaf_hash)],
      [hashes.event_id, shown("event_id")],
      [hashes.chain_id, shown("chain_id")],
      [hashes.sequence, shown("sequence")],
      [hashes.subject_hash, shown("disclosure", "subject_hash")],
      [hashes.input_hash, shown("input_hash")],
      [hashes.output_hash, shown("output_hash")],
      [hashes.previous_hash, shown("previous_hash")],
      [hashes.previous_turn_hash, shown("previous_turn_hash")],
    ],
    "hashes",
  );
  return el("div", {}, list, el("p", { class: "remark" }, hashes.mac));
}

function chainBody({ text }: View, { evidence }: ExaminedTurn): HTMLElement {
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

function rootBody(view: View, turn: ExaminedTurn): HTMLElement {
  const { text } = view;
  const cross = turn.evidence.merkle_proof.cross_tenant_proof;
  if (cross === null) return el("p", {}, text.open.pendingRoot);
  return definitions(
    [
      [text.hashes.seal_index, hash(String(cross.seal_index))],
      [text.hashes.tree_size, hash(String(cross.tree_size))],
      [text.hashes.path, pathList(text, cross)],
      [text.hashes.root, hash(cross.root)],
      [text.hashes.compared, comparedWith(view, turn)],
    ],
    "hashes",
  );
}

/** The root's own word on what it was compared with: nothing is compared where the check was not made. */
function comparedWith({ text, checked, entry }: View, { checks }: ExaminedTurn): string {
  const made = [...checks, ...entry.examination.whole].some(
    ({ name, ok }) => ok !== null && (name === "published_root" || name === "published_seals"),
  );
  if (!made) return entry.kind === "bundle" ? text.hashes.enclosed : text.hashes.nothing;
  const isGiven = hasCompanion(checked, "seal");
  return isGiven || checked.metachain === null ? text.hashes.added : text.hashes.published(checked.metachain);
}

function timestampBody({ text }: View, { evidence, tokenTime, times }: ExaminedTurn): HTMLElement {
  const { hashes } = text;
  const root = evidence.merkle_proof.merkle_root;
  const stated = times.length === 0 && tokenTime !== null ? timeElement(text, tokenTime.genTime) : null;
  return definitions(
    [
      ...(times.length === 0 ? [[hashes.root, hash(root)] as const] : []),
      [hashes.statedTime, stated],
      ...times.flatMap((time) => [
        [time.covers === root ? hashes.root : hashes.laterRoot, hash(time.covers)] as const,
        [hashes.genTime, timeElement(text, provenBy(time))] as const,
        [hashes.authority, bdi(time.authority.subject)] as const,
      ]),
      [hashes.tsa_url, hash(textAt(evidence.tsa_timestamp, "tsa_url"))],
    ],
    "hashes",
  );
}

function pathList(
  text: Text,
  { leaf_index, tree_size, path }: EventInclusionProof | CrossTenantProof,
): HTMLElement {
  if (path.length === 0) return el("span", {}, text.hashes.none);
  const sides = pathSides(leaf_index, tree_size);
  const side = (i: number): string => (sides[i] === undefined ? "" : text.picture[sides[i]]);
  return el(
    "ol",
    { class: "path" },
    ...path.map((node, i) => el("li", {}, el("span", {}, side(i)), hash(cutText(node)))),
  );
}
