// The console: a page for the operator, over the operator's own credentials, for this machine alone. It only reads, and its
// answers go to its own page and nowhere else.
import type { IncomingMessage } from "node:http";
import { FRAMING_POLICY, REFERRER_POLICY } from "../../contract/page-headers.ts";
import { type ErrorCode, isDisclosureError } from "../../evidence/core/errors.ts";
import { type HttpHandler, type Listening, listen, type Reply } from "../server/http-server.ts";
import { type AnswerOptions, openAnswers } from "./answers.ts";
import { refusalOf } from "./guard.ts";
import { readPages, readPublishedFile } from "./pages.ts";
import type { ReadingOperator } from "./reading-operator.ts";

export interface ConsoleOptions extends AnswerOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** Tells the person who starts it what to do where the port is taken. */
  readonly portAdvice: string;
  /** The certificates of an authority that browsers can't know, for the verifier page; null where there are none. */
  readonly trustAnchorsPem: string | null;
}

const DATA_HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": REFERRER_POLICY,
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": `default-src 'none'; ${FRAMING_POLICY}`,
};

/** All others are faults of ours, and say nothing of themselves. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  invalid_request: 400,
  malformed: 400,
  not_found: 404,
  receipt_removed: 410,
  ledger_unavailable: 503,
  publication_unavailable: 503,
  mac_unavailable: 503,
  clock_off: 503,
};
const NOT_FOUND = 404;
const FAULT = 500;

/** Listens on the loopback address. Throws `misconfigured` where the port is taken. */
export async function startConsole(operator: ReadingOperator, options: ConsoleOptions): Promise<Listening> {
  const { port, portAdvice, trustAnchorsPem, onFault } = options;
  const pages = readPages(trustAnchorsPem);
  const answer = openAnswers(operator, options);
  const handler: HttpHandler = async (request) => {
    const refusal = refusalOf(request);
    if (refusal !== null) return { status: refusal, headers: DATA_HEADERS, body: problem("refused") };
    try {
      return await reply(request);
    } catch (error) {
      onFault(error);
      return failure(error);
    }
  };
  const reply = async ({ url = "/" }: IncomingMessage): Promise<Reply> => {
    const [path = "/", question = ""] = url.split("?", 2);
    const page = pages.get(path);
    if (page !== undefined) return page;
    const answered = answer(path, new URLSearchParams(question));
    if (answered !== null)
      return { status: 200, headers: DATA_HEADERS, body: JSON.stringify(await answered) };
    const published = await readPublishedFile(operator.roots, path);
    return published ?? { status: NOT_FOUND, headers: DATA_HEADERS, body: problem("not_found") };
  };
  return listen(handler, port, { portAdvice });
}

function failure(error: unknown): Reply {
  const code = isDisclosureError(error) ? error.code : null;
  const status = (code === null ? undefined : STATUS[code]) ?? FAULT;
  return { status, headers: DATA_HEADERS, body: problem(status === FAULT ? "fault" : (code ?? "fault")) };
}

/** The code alone: what is behind it stands in the terminal of whoever started the console. */
const problem = (code: string): string => JSON.stringify({ problem: code });
