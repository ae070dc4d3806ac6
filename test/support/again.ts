// What asks a registry or a mirror for programs: asked again where that fails, as it may for a moment.
import { setTimeout as pause } from "node:timers/promises";

const ATTEMPTS = 3;
const PAUSE_MS = 15_000;

/** The first answer of up to three attempts. Throws what the last one threw. */
export async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; count < ATTEMPTS; count++) {
    try {
      return await attempt();
    } catch (error) {
      console.warn(`attempt ${count} of ${ATTEMPTS} failed, another follows: ${error}`);
      await pause(count * PAUSE_MS);
    }
  }
  return attempt();
}
