// The evidence sheet as plain nodes: a page builds elements of them, a command line writes them as HTML. Text is only
// ever text, so no field of a receipt can become markup.

export interface SheetElement {
  readonly tag:
    | "section"
    | "h1"
    | "h2"
    | "p"
    | "dl"
    | "dt"
    | "dd"
    | "div"
    | "ul"
    | "li"
    | "table"
    | "thead"
    | "tbody"
    | "tfoot"
    | "tr"
    | "th"
    | "td"
    | "strong"
    | "small"
    | "code"
    | "q"
    | "bdi"
    | "time";
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly SheetNode[];
}

export type SheetNode = SheetElement | string;

/** An element; children that are null are left out. */
export const node = (
  tag: SheetElement["tag"],
  attributes: SheetElement["attributes"],
  ...children: readonly (SheetNode | null)[]
): SheetElement => ({ tag, attributes, children: children.filter((child) => child !== null) });

/** A definition list; rows without a value are left out. */
export const definitions = (
  rows: readonly (readonly [term: string, value: SheetNode | null])[],
): SheetElement =>
  node(
    "dl",
    {},
    ...rows.map(([term, value]) =>
      value === null ? null : node("div", {}, node("dt", {}, term), node("dd", {}, value)),
    ),
  );

/** A value from evidence: its direction of writing can't change that of the text around it. */
export const value = (text: string): SheetElement => node("bdi", {}, text);

export const code = (text: string): SheetElement => node("code", {}, text);

/** A SHA-256 digest, `sha256:` and hex, as sha256sum prints it. */
export const sha256 = (digest: string): SheetElement =>
  node("small", {}, "SHA-256 ", code(digest.replace(/^sha256:/, "")));
