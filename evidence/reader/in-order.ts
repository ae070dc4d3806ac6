// Work side by side whose results come out in the order of their beginnings.

/** Runs `work` on each item, at most `width` at a time; a result that is not taken holds back new beginnings. */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for (const item of items) {
    const begun = work(item);
    // Its failure is reported when its turn comes, and must not end the process before.
    begun.catch(() => {});
    underWay.push(begun);
    const [first] = underWay.length === width ? underWay.splice(0, 1) : [];
    if (first !== undefined) yield await first;
  }
  for (const begun of underWay) yield await begun;
}

/** The integers from `from` up to, and without, `end`. */
export function* range(from: number, end: number): Generator<number> {
  for (let i = from; i < end; i++) yield i;
}
