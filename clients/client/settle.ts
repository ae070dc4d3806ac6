// Calls a function of the owner's, which may be asynchronous.

/** Its failure is passed on: a rejection that nobody handles would end the process, and all that is under way in it. */
export async function settle(call: () => unknown, onFailure: (error: unknown) => void): Promise<void> {
  try {
    await call();
  } catch (error) {
    onFailure(error);
  }
}
