// The whole sheet, top down: verdict, what was disclosed, the picture, every check, and how to check again.
import type { View } from "../sheet.ts";
import { againView } from "./again.ts";
import { anchorView } from "./anchor.ts";
import { checksTable } from "./checks.ts";
import { button, definitions, el, section } from "./dom.ts";
import { conversationFacts, receiptFacts } from "./facts.ts";
import { bdi, dateTime, hash, number } from "./format.ts";
import { partsView } from "./parts.ts";
import { pathPicture } from "./path-picture.ts";
import { timelinePicture } from "./timeline.ts";
import { rootFacts, rootsView, turnsView } from "./turns.ts";
import { verdictView } from "./verdict.ts";

/** `width` is the room for pictures in CSS pixels; `onFiles` takes what the reader adds. */
export function resultView(
  view: View,
  width: number,
  onFiles: (files: readonly File[]) => void,
): HTMLElement {
  return el(
    "div",
    { class: "result" },
    verdictView(view),
    ...sectionsOf(view, width),
    anchorView(view, onFiles),
    againView(view),
    fileView(view),
  );
}

function sectionsOf(view: View, width: number): (HTMLElement | null)[] {
  const { kind } = view.sheet.examination;
  if (kind === "bundle") return bundleSections(view, width);
  return kind === "seal" ? sealSections(view) : receiptSections(view);
}

function sealSections(view: View): HTMLElement[] {
  const { text, sheet } = view;
  return sheet.examination.seals.flatMap(({ seal, checks }) => [
    section("facts", text.timeline.oneRoot, rootFacts(text, seal, "pairs")),
    section("checks", text.checks.heading, checksTable(view, checks)),
  ]);
}

function receiptSections(view: View): (HTMLElement | null)[] {
  const { text, sheet } = view;
  const [turn] = sheet.examination.turns;
  if (turn === undefined) return [];
  const lead = el("p", {}, text.picture.lead, " ", el("span", { class: "screen" }, text.picture.open));
  const proof = el("div", { class: "proof" }, pathPicture(view, turn, "0"), partsView(view, turn, "0"));
  return [
    receiptFacts(view, turn),
    section("picture", text.picture.heading, lead, proof),
    section("checks", text.checks.heading, checksTable(view, turn.checks, turn)),
  ];
}

function bundleSections(view: View, width: number): (HTMLElement | null)[] {
  const { text, sheet } = view;
  const lead = el("p", {}, text.timeline.lead);
  return [
    conversationFacts(view),
    section("chain", text.timeline.heading, lead, timelinePicture(view, width)),
    section("checks", text.checks.whole, checksTable(view, sheet.examination.whole)),
    turnsView(view),
    rootsView(view),
  ];
}

function fileView({ text, sheet }: View): HTMLElement {
  const { file } = text;
  return section(
    "file",
    file.heading,
    definitions(
      [
        ...sheet.files.flatMap(({ name, size, digest }) => [
          [
            file.name,
            el("span", {}, bdi(name ?? text.intro.pasted), `, ${file.size(number(text, size))}`),
          ] as const,
          [file.digest, hash(digest)] as const,
        ]),
        [file.checkedAt, `${dateTime(text, sheet.checkedAt)}, ${file.where}`],
      ],
      "pairs",
    ),
    el(
      "p",
      { class: "actions" },
      button(file.print, () => print()),
    ),
  );
}
