// Reads what the console shows, again and again while the page is looked at, and keeps the newest of each answer.
import {
  CONSOLE_PATHS,
  type ConsoleChains,
  type ConsoleDays,
  type ConsoleOverview,
  type ConsoleReceiptPage,
  type ConsoleSeals,
  type ConsoleTenants,
  consoleChainsSchema,
  consoleDaysSchema,
  consoleOverviewSchema,
  consoleReceiptPageSchema,
  consoleSealsSchema,
  consoleTenantsSchema,
} from "../../../contract/console.ts";
import { ask, Unanswered } from "./ask.ts";
import { ReceiptPages } from "./receipt-pages.ts";

const WATCH_EVERY_MS = 2_000;
/** How many watches lie between two readings of all else. */
const WATCHES_PER_READING = 4;

/** Null for all. */
export interface Choice {
  readonly tenant: string | null;
  readonly verdict: string | null;
}

export interface ConsoleState {
  readonly overview: ConsoleOverview | null;
  readonly seals: ConsoleSeals | null;
  readonly tenants: ConsoleTenants | null;
  /** The days of the chosen tenant; without one, of that with most receipts. */
  readonly days: ConsoleDays | null;
  readonly chains: ConsoleChains | null;
  /** Why nothing new comes: a code, empty where nobody answers; null where all is well. */
  readonly problem: string | null;
}

/** The part of the page that must be drawn anew. */
export type ConsolePart =
  | "overview"
  | "seals"
  | "tenants"
  | "days"
  | "chains"
  | "receipts"
  | "trouble"
  | "frame";

export interface ReaderEvents {
  readonly onPart: (part: ConsolePart) => void;
  readonly onArrived: (count: number) => void;
}

export class ConsoleReader {
  readonly list = new ReceiptPages();
  readonly #events: ReaderEvents;
  #state: ConsoleState = {
    overview: null,
    seals: null,
    tenants: null,
    days: null,
    chains: null,
    problem: null,
  };
  #choice: Choice = { tenant: null, verdict: null };
  #isPaused = false;
  #isVisible = true;
  /** How often the reader asked for another list: an answer to an earlier question is dropped. */
  #questions = 0;
  #watches = 0;

  constructor(events: ReaderEvents) {
    this.#events = events;
  }

  get state(): ConsoleState {
    return this.#state;
  }

  get choice(): Choice {
    return this.#choice;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  start(): void {
    void this.#goOn();
  }

  /** A page that nobody looks at asks for nothing. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
  }

  choose(changed: Partial<Choice>): void {
    const choice = { ...this.#choice, ...changed };
    const isOtherTenant = choice.tenant !== this.#choice.tenant;
    this.#choice = choice;
    this.list.startOver();
    void this.#readPage();
    if (isOtherTenant) void this.#try(() => this.#readTenant());
  }

  goOlder(): Promise<void> {
    this.list.goOlder();
    return this.#readPage();
  }

  goNewer(): Promise<void> {
    this.list.goNewer();
    return this.#readPage();
  }

  goNewest(): Promise<void> {
    this.list.goNewest();
    return this.#readPage();
  }

  async #goOn(): Promise<never> {
    for (;;) {
      if (this.#isVisible) await this.#readOnce();
      await new Promise((resolve) => setTimeout(resolve, WATCH_EVERY_MS));
    }
  }

  async #readOnce(): Promise<void> {
    const isWhole = this.#watches++ % WATCHES_PER_READING === 0;
    const readings = [() => this.#watch(), ...(isWhole ? [() => this.#readAll()] : [])];
    const problems = await Promise.all(readings.map((read) => this.#try(read)));
    this.#keep({ problem: problems.find((problem) => problem !== null) ?? null }, "trouble");
  }

  /** Returns the code of what went wrong, as `problem` in the state; null where nothing did. */
  async #try(read: () => Promise<void>): Promise<string | null> {
    try {
      await read();
      return null;
    } catch (error) {
      if (error instanceof Unanswered) return error.problem ?? "";
      throw error;
    }
  }

  async #readAll(): Promise<void> {
    this.#keep({ tenants: await ask(CONSOLE_PATHS.tenants, consoleTenantsSchema) }, "tenants");
    const [overview, seals] = await Promise.all([
      ask(CONSOLE_PATHS.overview, consoleOverviewSchema),
      ask(CONSOLE_PATHS.seals, consoleSealsSchema),
      this.#readTenant(),
    ]);
    this.#keep({ overview }, "overview");
    this.#keep({ seals }, "seals");
  }

  async #readTenant(): Promise<void> {
    const tenant = this.#choice.tenant ?? busiest(this.#state.tenants);
    if (tenant === null) return;
    const [days, chains] = await Promise.all([
      ask(CONSOLE_PATHS.days, consoleDaysSchema, { tenant }),
      ask(CONSOLE_PATHS.chains, consoleChainsSchema, { tenant }),
    ]);
    if (tenant !== (this.#choice.tenant ?? busiest(this.#state.tenants))) return;
    this.#keep({ days }, "days");
    this.#keep({ chains }, "chains");
  }

  async #watch(): Promise<void> {
    if (this.list.page === null) return this.#showPage();
    if (this.#isPaused || !this.list.isNewest) return;
    const question = this.#questions;
    const { receipts } = await this.#ask({ watch: "1" });
    if (question !== this.#questions) return;
    const arrived = this.list.takeNews(receipts);
    if (arrived === null) return this.#showPage();
    if (arrived === 0) return;
    this.#events.onPart("receipts");
    this.#events.onArrived(arrived);
  }

  async #readPage(): Promise<void> {
    this.#events.onPart("receipts");
    const problem = await this.#try(() => this.#showPage());
    if (problem !== null) this.#keep({ problem }, "trouble");
  }

  async #showPage(): Promise<void> {
    const question = ++this.#questions;
    const page = await this.#ask({ before: this.list.before });
    if (question !== this.#questions) return;
    this.list.show(page);
    this.#events.onPart("receipts");
  }

  #ask(more: Readonly<Record<string, string | null>>): Promise<ConsoleReceiptPage> {
    return ask(CONSOLE_PATHS.receipts, consoleReceiptPageSchema, { ...this.#choice, ...more });
  }

  #keep(change: Partial<ConsoleState>, part: ConsolePart): void {
    this.#state = { ...this.#state, ...change };
    this.#events.onPart(part);
  }
}

function busiest(list: ConsoleTenants | null): string | null {
  const [first] = [...(list?.tenants ?? [])].sort((a, b) => b.receipts - a.receipts);
  return first?.id ?? null;
}
