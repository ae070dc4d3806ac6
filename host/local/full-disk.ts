// A full disk, named in one line by the parts that write to it. Each write that fails has changed nothing, and the service
// answers its call with 503; once there is space the parts go on by themselves.
import { MINUTE_MS } from "../../contract/time.ts";
import type { HttpHandler } from "../server/http-server.ts";

const SERVER_ERROR = 500;
/** https://www.sqlite.org/rescode.html#full */
const SQLITE_FULL = 13;
/** Every call fails while a disk is full, and one line tells of many of them. */
const SILENCE_MS = MINUTE_MS;

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_FULL;

/** `file` is what the handler writes; `say` is told where that fails for want of space. */
export function withFullDiskNamed(
  handler: HttpHandler,
  file: string,
  say: (line: string) => void = console.error,
): HttpHandler {
  let silentUntil = 0;
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      if (performance.now() >= silentUntil) {
        silentUntil = performance.now() + SILENCE_MS;
        say(
          `the disk of ${file} is full: calls are refused, and nothing that was recorded is lost; free some space`,
        );
      }
      return { status: SERVER_ERROR };
    }
  };
}
