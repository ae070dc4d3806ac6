// One server of the web runtime: the gateway behind the guards. What stops it decides what becomes of open calls.
//
// Asked to stop, it takes no new connection, ends idle ones, and answers what was begun. When half of its time is over,
// `stopping` tells the handlers to finish: receipts that wait for a timestamp are answered without one, and calls that
// wait for their place in the ledger are refused, with nothing written.
//   Crash before a call's transaction, at any point: nothing is written; the caller tries again.
//   Crash in it or after it: all of it is written, or nothing; a retry with the same Idempotency-Key finds the receipt.
import { beginStopping } from "../../service/stopping.ts";
import { buildGateway } from "./gateway.ts";
import { limitRequests, requireOriginSecret, withHealth } from "./guards.ts";
import type { ApiHandlers } from "./handlers.ts";
import { type Listening, listen } from "./http-server.ts";
import type { ServerSettings } from "./settings.ts";

/** Longer than load balancers keep an idle connection, so that none sends a request into one that is being closed. */
const KEEP_ALIVE_MS = 65_000;
/** For a request to arrive, however slowly its sender sends it. */
const REQUEST_MS = 30_000;
/** The rest of the time is for what is being written, and for its answers. */
const WAITING_PART = 1 / 2;

export async function startWebServer(settings: ServerSettings, handlers: ApiHandlers): Promise<Listening> {
  const { host, port, originSecrets, maxRequests, stopMs } = settings;
  const api = requireOriginSecret(limitRequests(buildGateway(handlers), maxRequests), originSecrets);
  const server = await listen(withHealth(api), port, {
    host,
    closeGraceMs: stopMs,
    http: { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS },
  });
  const close = async (): Promise<void> => {
    const waitingEnds = setTimeout(beginStopping, stopMs * WAITING_PART);
    await server.close();
    clearTimeout(waitingEnds);
  };
  return { ...server, close };
}
