// Waiting with an end.

/** What becomes of `promise`, or null where `deadline`, in milliseconds of `performance.now()`, comes first. */
export async function before<T>(deadline: number, promise: Promise<T>): Promise<T | null> {
  const end = Promise.withResolvers<null>();
  // A deadline that went by while the process was suspended: Node would warn of a negative time.
  const timer = setTimeout(end.resolve, Math.max(0, deadline - performance.now()), null);
  try {
    return await Promise.race([promise, end.promise]);
  } finally {
    clearTimeout(timer);
  }
}
