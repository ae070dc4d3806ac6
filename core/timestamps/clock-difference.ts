// How far the clocks of honest parties may be apart. A file of its own, as tokens are slow to load and this is not.

/** In milliseconds. */
export const MAX_CLOCK_DIFFERENCE_MS = 5 * 60 * 1000;
