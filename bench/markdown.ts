// How the pages write tables and figures. Pure.

/** `numbers`: how many columns after the first are set to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: number,
): string {
  const marks = head.map((_, i) => (i > 0 && i <= numbers ? "---:" : "---"));
  return [head, marks, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export const money = (usd: number): string => usd.toFixed(2);

/** One figure, or two where they differ. */
export const bracket = (low: number, high: number): string =>
  money(low) === money(high) ? money(low) : `${money(low)}–${money(high)}`;

/** Three digits that mean something, or whole. */
export const amount = (quantity: number): string =>
  quantity.toLocaleString(
    "en-US",
    quantity >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );

/** Puts each table between its markers. Throws for a table that the page has no place for. */
export function fillPage(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, content]) => {
    const [before, after] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(before), text.indexOf(after)];
    if (start < 0 || end < start) throw new Error(`the page has no place for ${name}`);
    return `${text.slice(0, start + before.length)}\n\n${content}\n\n${text.slice(end)}`;
  }, page);
}
