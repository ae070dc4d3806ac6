// Many reads, some of them side by side: all at once would only be throttled.

/** What `map` makes of each item, in their order; `width` of them are under way at most. */
export async function mapInGroups<T, R>(
  items: readonly T[],
  width: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += width) {
    const group = items.slice(start, start + width);
    results.push(...(await Promise.all(group.map((item, i) => map(item, start + i)))));
  }
  return results;
}
