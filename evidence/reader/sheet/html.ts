// The evidence sheet as an HTML document that needs nothing else and runs nothing.
import { escapeUnprintable } from "../../core/printable.ts";
import type { SheetNode } from "./node.ts";
import { SHEET_STYLE } from "./style.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Of a text of strangers nothing becomes markup, and nothing reorders what stands beside it. */
const escapeText = (text: string): string =>
  escapeUnprintable(text).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

/** `title` becomes the name of a PDF that is printed from it. */
export const formatDocument = (language: string, title: string, sheet: SheetNode): string => `<!doctype html>
<html lang="${escapeText(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<style>
${SHEET_STYLE}</style>
</head>
<body>
${formatNode(sheet)}
</body>
</html>
`;

export function formatNode(node: SheetNode): string {
  if (typeof node === "string") return escapeText(node);
  const attributes = Object.entries(node.attributes).map(([name, text]) => ` ${name}="${escapeText(text)}"`);
  return `<${node.tag}${attributes.join("")}>${node.children.map(formatNode).join("")}</${node.tag}>`;
}
