// How far the clocks of honest parties may be apart. A file of its own, as tokens are slow to load and this is not.
import { MINUTE_MS } from "../../../contract/time.ts";

/** In milliseconds. */
export const MAX_CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;

/**
 * How long before the token of the seal that it names a receipt's `issued_at` may lie, in milliseconds: the clocks of an
 * honest service and an authority may differ so far.
 */
export const MAX_ISSUED_BEFORE_MS = MINUTE_MS;
