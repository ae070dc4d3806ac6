// The console's answers by their paths: what each path reads, and how its question is read.
import { CONSOLE_PATHS, CONSOLE_REPORTS_PATH } from "../../contract/console.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { VERDICTS } from "../../evidence/core/formats/receipt.ts";
import { TimestampVerifier } from "../../evidence/core/timestamps/timestamp-verifier.ts";
import type { KnownTenant } from "../../service/tenants/tenant-registry.ts";
import { readChains } from "./chains.ts";
import { parseCursor } from "./cursor.ts";
import { Directory } from "./directory.ts";
import { readOverview } from "./overview.ts";
import type { ReadingOperator } from "./reading-operator.ts";
import { type FeedQuery, readReceiptPage } from "./receipt-feed.ts";
import { Remembered } from "./remembered.ts";
import { openReports, readEvent } from "./report.ts";
import { SealLists } from "./seals.ts";
import { Usage } from "./usage.ts";

/** Answers that read much are remembered so long, however many pages are open. */
const OVERVIEW_AGE_MS = 10_000;
const LIST_AGE_MS = 4_000;

export interface AnswerOptions {
  /** DER certificates of the timestamp authorities. */
  readonly trustAnchors: readonly Uint8Array[];
  /** Called with a fault that an answer was given in spite of. */
  readonly onFault: (error: unknown) => void;
}

/** An answer as JSON; null for a path that is none of the console's. */
export type AnswerConsole = (path: string, question: URLSearchParams) => Promise<unknown> | null;

export function openAnswers(
  operator: ReadingOperator,
  { trustAnchors, onFault }: AnswerOptions,
): AnswerConsole {
  const { table, registry, roots, clock, deployment } = operator;
  const directory = new Directory(registry, clock);
  const verifier = new TimestampVerifier(trustAnchors);
  const usage = new Usage({ table, directory, plans: deployment.plans, clock, onFault });
  const sealLists = new SealLists({ table, roots, asksWitnesses: deployment.witnessPolicy !== null });
  const reports = openReports(operator, { trustAnchors, onFault });
  const overview = new Remembered(
    () => readOverview({ operator, directory, verifier }),
    OVERVIEW_AGE_MS,
    clock,
  );
  const seals = new Remembered(() => sealLists.read(), LIST_AGE_MS, clock);
  const tenants = new Remembered(() => usage.list(), LIST_AGE_MS, clock);
  const answers: Readonly<Record<string, (question: URLSearchParams) => Promise<unknown>>> = {
    [CONSOLE_PATHS.overview]: () => overview.get(),
    [CONSOLE_PATHS.receipts]: async (question) =>
      readReceiptPage({ table, directory, clock }, await readFeedQuery(directory, question)),
    [CONSOLE_PATHS.seals]: () => seals.get(),
    [CONSOLE_PATHS.tenants]: () => tenants.get(),
    [CONSOLE_PATHS.days]: async (question) => usage.byDay(await readTenant(directory, question)),
    [CONSOLE_PATHS.chains]: async (question) =>
      readChains(table, directory, (await readTenant(directory, question)).tenantId),
  };
  return (path, question) => {
    if (Object.hasOwn(answers, path)) return answers[path]?.(question) ?? null;
    const eventId = idIn(path);
    return eventId === null ? null : readEvent(reports, directory, eventId);
  };
}

/** The last segment of a report's path; null for any other path. */
const idIn = (path: string): string | null =>
  path.startsWith(`${CONSOLE_REPORTS_PATH}/`) ? path.slice(CONSOLE_REPORTS_PATH.length + 1) : null;

async function readTenant(directory: Directory, question: URLSearchParams): Promise<KnownTenant> {
  const tenant = await directory.tenant(question.get("tenant") ?? "");
  if (tenant === undefined) throw new DisclosureError("not_found", "there is no such tenant");
  return tenant;
}

async function readFeedQuery(directory: Directory, question: URLSearchParams): Promise<FeedQuery> {
  const [verdict, before] = [question.get("verdict"), question.get("before")];
  const cursor = before === null ? null : parseCursor(before);
  if (before !== null && cursor === null)
    throw new DisclosureError("invalid_request", "the page's place is none of a list of receipts");
  if (verdict !== null && !VERDICTS.some((known) => known === verdict))
    throw new DisclosureError("invalid_request", "there is no such verdict");
  const tenant = question.has("tenant") ? (await readTenant(directory, question)).tenantId : null;
  return { tenant, verdict, before: cursor, watch: question.has("watch") };
}
