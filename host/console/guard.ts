// Decides whose requests the console answers. It has no key of its own to ask for.
import type { IncomingMessage } from "node:http";
import { strangerStatus } from "../server/http-server.ts";

const READING = ["GET", "HEAD"];
const WRONG_METHOD = 405;

/** The status of the refusal, or null for a request that is answered. */
export const refusalOf = (request: IncomingMessage): number | null =>
  strangerStatus(request) ?? (READING.includes(request.method ?? "") ? null : WRONG_METHOD);
