// Waiting with an end.

/** What becomes of `promise`, or null where `deadline`, in milliseconds of `performance.now()`, comes first. */
export async function before<T>(deadline: number, promise: Promise<T>): Promise<T | null> {
  const end = Promise.withResolvers<null>();
  const timer = setTimeout(end.resolve, deadline - performance.now(), null);
  try {
    return await Promise.race([promise, end.promise]);
  } finally {
    clearTimeout(timer);
  }
}
