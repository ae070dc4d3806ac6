// Builds elements. Text only ever becomes text nodes, so no field of a receipt can become markup.

export type Child = Node | string | null;
export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

const SVG = "http://www.w3.org/2000/svg";

/** An attribute that is null or false is left out, one that is true has no value. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, name) as SVGElementTagNameMap[K], attributes, children);
}

function fill<T extends Element>(element: T, attributes: Attributes, children: readonly Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = el("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", onClick);
  return element;
}

/** A button that lets the reader choose files. */
export function fileButton(
  label: string,
  onFiles: (files: readonly File[]) => void,
  attributes: Attributes = {},
): HTMLElement {
  const input = el("input", { type: "file", multiple: true, hidden: true, tabindex: -1 });
  input.addEventListener("change", () => {
    onFiles([...(input.files ?? [])]);
    input.value = "";
  });
  return el(
    "span",
    {},
    button(label, () => input.click(), attributes),
    input,
  );
}

/** The same for a folder with all that is in it; null in a browser that can't choose one. */
export function folderButton(
  label: string,
  onFiles: (files: readonly File[]) => void,
  attributes: Attributes = {},
): HTMLElement | null {
  if (!("webkitdirectory" in HTMLInputElement.prototype)) return null;
  const chooser = fileButton(label, onFiles, attributes);
  chooser.querySelector("input")?.setAttribute("webkitdirectory", "");
  return chooser;
}

/** A definition list; entries without a value are left out. */
export function definitions(
  entries: readonly (readonly [term: string, value: Child])[],
  name: string,
): HTMLElement {
  const rows = entries.filter(([, value]) => value !== null);
  return el(
    "dl",
    { class: name },
    ...rows.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value))),
  );
}

/** A section under its own heading, which names it. */
export function section(id: string, heading: string, ...children: readonly Child[]): HTMLElement {
  const title = el("h2", { id: `${id}-heading` }, heading);
  return el("section", { id, class: id, "aria-labelledby": `${id}-heading` }, title, ...children);
}
