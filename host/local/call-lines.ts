// One line for each call of the API, for whoever watches the local stack. It holds what a receipt says of itself and never
// what a caller sent: the route's pattern and not the path, no key, no identifier of a conversation, no body.
import * as z from "zod";
import { ROUTES } from "../../contract/routes.ts";
import { matchRoute, readRequest } from "../server/gateway-event.ts";
import type { HttpHandler, Reply } from "../server/http-server.ts";

const TIME_LENGTH = "hh:mm:ss".length;
const NO_ROUTE = "(no route)";

/** The answers that are about one receipt. */
const receiptSchema = z.object({
  event_id: z.uuid(),
  receipts: z.tuple([z.object({ verdict: z.string(), turn: z.int() })]),
});
const problemSchema = z.object({ type: z.string() });

/** Answers as `handler` does, and prints a line once there is an answer. */
export const withCallLines =
  (handler: HttpHandler, print: (line: string) => void): HttpHandler =>
  async (incoming) => {
    const reply = await handler(incoming);
    const request = readRequest(incoming);
    const route = matchRoute(ROUTES, request)?.route.path ?? NO_ROUTE;
    print(callLine({ method: request.method, route, reply }, new Date()));
    return reply;
  };

interface AnsweredCall {
  readonly method: string;
  readonly route: string;
  readonly reply: Reply;
}

/** As `12:04:31 200 ALLOW turn 1 POST /v1/attestation 30c040f5-…`; the time is this machine's own. */
export function callLine({ method, route, reply }: AnsweredCall, now: Date): string {
  const { outcome, eventId } = describeReply(reply);
  const words = [
    now.toTimeString().slice(0, TIME_LENGTH),
    String(reply.status),
    outcome,
    method,
    route,
    eventId,
  ];
  return words.filter((word) => word !== null).join(" ");
}

interface Described {
  /** A receipt's verdict and turn, or a problem's name; null for other answers. */
  readonly outcome: string | null;
  readonly eventId: string | null;
}

function describeReply({ status, body }: Reply): Described {
  const answer = typeof body === "string" ? parse(body) : null;
  const receipt = receiptSchema.safeParse(answer).data;
  if (receipt !== undefined) {
    const [{ verdict, turn }] = receipt.receipts;
    return { outcome: `${verdict} turn ${turn}`, eventId: receipt.event_id };
  }
  const problem = status >= 400 ? problemSchema.safeParse(answer).data : undefined;
  return { outcome: problem?.type.split("#")[1] ?? null, eventId: null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
