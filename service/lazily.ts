// What is slow to load, such as the parsers of RFC 3161, loads when it is first called and not before.

/** A function that `load` brings once. */
export function lazily<A extends unknown[], R>(
  load: () => Promise<(...args: A) => Promise<R>>,
): (...args: A) => Promise<R> {
  let loading: Promise<(...args: A) => Promise<R>> | undefined;
  return async (...args) => {
    loading ??= load();
    return (await loading)(...args);
  };
}
