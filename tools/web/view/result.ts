// One piece of evidence, top down: verdict, the notice that it records, the picture, every check, and how to repeat it.
import { formatNumber } from "../../../evidence/reader/text/format.ts";
import { companionsOf, type FileFacts } from "../checked.ts";
import { anchorView } from "./anchor.ts";
import { checksTable } from "./checks.ts";
import { conversationFacts } from "./conversation.ts";
import { type Child, definitions, el, section } from "./dom.ts";
import { receiptFacts } from "./facts.ts";
import { bdi, hash, zonedTime } from "./format.ts";
import { logSignatureView } from "./log-signature.ts";
import { pathPicture } from "./path-picture.ts";
import { repeatView } from "./repeat.ts";
import { stationsView } from "./stations.ts";
import { timelinePicture } from "./timeline.ts";
import { rootFacts, rootsView, turnsView } from "./turns.ts";
import { verdictView } from "./verdict.ts";
import type { View } from "./view.ts";

export interface ResultActions {
  readonly onFiles: (files: readonly File[]) => void;
  /** Adds roots that count as published. */
  readonly onRoots: (files: readonly File[]) => void;
  /** Adds a key of a log, or a policy, in the place of the one before. */
  readonly onPolicy: (source: File | string) => void;
  readonly onPrint: () => void;
}

/** `width` is the room for pictures in CSS pixels. */
export function resultView(view: View, width: number, actions: ResultActions): HTMLElement {
  const { onFiles, onRoots, onPrint } = actions;
  return el(
    "div",
    { class: "result" },
    verdictView(view, onPrint),
    ...sectionsOf(view, width),
    anchorView(view, onFiles),
    logSignatureView(view, actions),
    repeatView(view, onRoots),
    filesView(view),
  );
}

function sectionsOf(view: View, width: number): (HTMLElement | null)[] {
  const { kind } = view.entry;
  if (kind === "bundle") return bundleSections(view, width);
  return kind === "seal" ? sealSections(view) : receiptSections(view);
}

function sealSections(view: View): HTMLElement[] {
  const { text, entry } = view;
  return entry.examination.seals.flatMap((examined) => [
    section("facts", text.timeline.oneRoot, rootFacts(view, examined, "pairs")),
    section("checks", text.checks.heading, checksTable(view, examined.checks)),
  ]);
}

function receiptSections(view: View): (HTMLElement | null)[] {
  const { text, entry } = view;
  const [turn] = entry.examination.turns;
  if (turn === undefined) return [];
  const lead = el("p", {}, text.picture.lead, " ", text.picture.open);
  const proof = el("div", { class: "proof" }, pathPicture(view, turn, "0"), stationsView(view, turn, "0"));
  return [
    receiptFacts(view, turn),
    section("picture", text.picture.heading, lead, proof),
    section("checks", text.checks.heading, checksTable(view, turn.checks, turn)),
  ];
}

function bundleSections(view: View, width: number): (HTMLElement | null)[] {
  const { text, entry } = view;
  const lead = el("p", {}, text.timeline.lead);
  return [
    conversationFacts(view),
    section("chain", text.timeline.heading, lead, timelinePicture(view, width)),
    section("checks", text.checks.whole, checksTable(view, entry.examination.whole)),
    turnsView(view),
    rootsView(view),
  ];
}

/** Every file that took part: the piece's own, and whatever the reader added to check it with. */
function filesView(view: View): HTMLElement {
  const { text, checked, entry } = view;
  const rows = [entry, ...companionsOf(checked.entries, entry)].flatMap(({ kind, files }) =>
    kind === "unreadable"
      ? []
      : files.map((file) => [text.overview.kinds[kind], fileFacts(view, file)] as const),
  );
  const when = el(
    "span",
    {},
    zonedTime(view, checked.checkedAt.toISOString()),
    el("small", {}, text.file.where),
  );
  return section("file", text.file.heading, definitions([...rows, [text.file.checkedAt, when]], "pairs"));
}

function fileFacts({ text }: View, { name, size, digest }: FileFacts): Child {
  return el(
    "span",
    {},
    bdi(name ?? text.intro.pasted),
    `, ${text.file.size(formatNumber(text.locale, size))}`,
    el("small", {}, `${text.file.digest} `, hash(digest)),
  );
}
