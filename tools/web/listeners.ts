// The reader's actions on the page as a whole: dropping, pasting, following links within it, and printing.
import { utf8 } from "../../evidence/core/bytes.ts";
import { dropped } from "./folder.ts";
import type { Source } from "./given-file.ts";
import { type Folder, fileSource } from "./given-history.ts";

export function textSource(text: string, name: string | null = null): Source {
  // A UTF-16 unit becomes at least one byte, so the length alone can already be too much.
  return { name, size: text.length, read: async () => utf8(text) };
}

export function listenForEvidence(add: (sources: readonly Source[], folder: Folder | null) => void): void {
  const { classList } = document.body;
  addEventListener("dragover", (event) => {
    if (isForField(event)) return;
    event.preventDefault();
    classList.add("receiving");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) classList.remove("receiving");
  });
  addEventListener("drop", (event) => {
    if (isForField(event)) return;
    event.preventDefault();
    classList.remove("receiving");
    const text = holdsFiles(event) ? "" : (event.dataTransfer?.getData("text") ?? "");
    const { files, folder } = dropped([...(event.dataTransfer?.items ?? [])]);
    const sources = text === "" ? files.map(fileSource) : [textSource(text)];
    void folder.then((found) => add(sources, found));
  });
  addEventListener("paste", (event) => {
    if (isTextField(event.target)) return;
    const files = [...(event.clipboardData?.files ?? [])].map(fileSource);
    const text = event.clipboardData?.getData("text") ?? "";
    add(files.length > 0 || text === "" ? files : [textSource(text)], null);
  });
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;

/** Text that is dropped into a field is meant for it; a file never is. */
const isForField = (event: DragEvent): boolean => isTextField(event.target) && !holdsFiles(event);

/** A part of a picture opens what it leads to. */
export function listenForLinks(): void {
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    const target = document.getElementById(link?.getAttribute("href")?.slice(1) ?? "");
    if (!(target instanceof HTMLDetailsElement)) return;
    event.preventDefault();
    target.open = true;
    target.querySelector("summary")?.focus();
  });
}

/** On paper the evidence sheet takes the place of the page. `build` gives null where there is nothing to print. */
export function listenForPrinting(build: () => Node | null): void {
  const paper = document.createElement("div");
  paper.id = "paper";
  addEventListener("beforeprint", () => {
    const sheet = build();
    if (sheet === null) return;
    paper.replaceChildren(sheet);
    document.body.append(paper);
    document.body.classList.add("printing");
  });
  addEventListener("afterprint", () => {
    paper.remove();
    document.body.classList.remove("printing");
  });
}
