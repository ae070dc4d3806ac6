// Errors that name the file that they are about.
import { DisclosureError, isDisclosureError } from "../core/errors.ts";

/** Runs `read`, and puts the name of the file before the message of its error. */
export async function naming<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    throw new DisclosureError(error.code, `${name}: ${error.message}`, {}, error);
  }
}
