// Many reads, a few at a time: all at once would only be throttled.

/** The results of `map`, in the order of the items; at most `width` calls are under way. */
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
