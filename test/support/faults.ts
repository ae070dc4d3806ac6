// Faults for the calls of one process: each of its calls to DynamoDB, KMS, S3 and the authority passes through here.
import { hash } from "node:crypto";
import { DynamoDBServiceException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";

/** How many times over the tests by chance run: they take other chances in each run, and a long run takes more of them. */
export const FAULTS_ROUNDS = Number(process.env.FAULTS_ROUNDS ?? 1);

/** A step of a run: the nth call of one kind, from 1. Calls side by side come in any order, so a place would not do. */
export interface Step {
  /** The SDK's command, such as TransactWriteItems, or Stamp. */
  readonly name: string;
  readonly nth: number;
}

export interface Call extends Step {
  readonly input: { readonly TransactItems?: readonly unknown[]; readonly url?: string };
}

/** Sees a call and decides what becomes of it; `send` carries it out. */
export type Interceptor = <T>(call: Call, send: () => Promise<T>) => Promise<T>;

export const undisturbed: Interceptor = (_call, send) => send();

/** The calls of one process, each passed to `intercept`. */
export class Calls {
  readonly steps: Step[] = [];
  readonly #intercept: Interceptor;

  constructor(intercept: Interceptor) {
    this.#intercept = intercept;
  }

  make<T>(name: string, input: object, send: () => Promise<T>): Promise<T> {
    const step = { name, nth: this.steps.filter((earlier) => earlier.name === name).length + 1 };
    this.steps.push(step);
    return this.#intercept({ ...step, input }, send);
  }

  /** The same client, but for its calls. */
  through<C extends { send: (command: never) => Promise<unknown> }>(client: C): C {
    const send = (command: { input: object }): Promise<unknown> =>
      this.make(command.constructor.name.replace("Command", ""), command.input, () =>
        client.send(command as never),
      );
    return Object.create(client, { send: { value: send } }) as C;
  }
}

export const FAULT_MODES = [
  "fails",
  "fails after taking effect",
  "fails, and so do all that follow",
  "is throttled",
  "meets a TransactionConflict",
  "loses a race",
  "is never made, for the process dies",
  "is the last that the process makes",
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

const TRANSACTION = "TransactWriteItems";
const WRITES = [TRANSACTION, "PutItem", "UpdateItem"];

/** Only a write of DynamoDB can meet another transaction, and only there does a throttle say that nothing was done. */
const OF_WRITES: readonly FaultMode[] = ["is throttled", "meets a TransactionConflict"];

/** What these calls leave behind is nothing: neither a table nor a file, and the authority of these tests notes nothing. */
const READS: readonly string[] = [
  ...["GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"],
  ...["GetObject", "GetPublicKey", "GenerateMac", "Sign", "Stamp"],
];

/** A read that failed after it was made is one that failed, and a process that dies after it is one that died before. */
const OF_EFFECTS: readonly FaultMode[] = ["fails after taking effect", "is the last that the process makes"];

const isOfItsOwn = ({ name }: Step, mode: FaultMode): boolean =>
  (WRITES.includes(name) || !OF_WRITES.includes(mode)) &&
  !(READS.includes(name) && OF_EFFECTS.includes(mode));

/** Each step with each mode that is something of its own there. */
export const crashTable = (steps: readonly Step[]): { step: Step; mode: FaultMode; title: string }[] =>
  steps.flatMap((step) =>
    FAULT_MODES.filter((mode) => isOfItsOwn(step, mode)).map((mode) => ({
      step,
      mode,
      title: `${step.name} ${step.nth} ${mode}`,
    })),
  );

/** The crash table with a row for each rival, by its name, where a race is lost; in the other rows nobody rivals. */
export const crashTableWith = <R>(steps: readonly Step[], rivals: Readonly<Record<string, R>>, nobody: R) =>
  crashTable(steps).flatMap((row) =>
    row.mode === "loses a race"
      ? Object.entries(rivals).map(([name, rival]) => ({ ...row, rival, title: `${row.title} to ${name}` }))
      : [{ ...row, rival: nobody }],
  );

/**
 * Disturbs one step. `rival` is what another process does in the moment before, where a race is lost; `died` is
 * called when the process is dead, and none of its calls ever returns from then on.
 */
export function faultAt(
  step: Step,
  mode: FaultMode,
  { rival, died }: { rival: () => Promise<void>; died: () => void },
): Interceptor {
  let isOut = false;
  const die = <T>(): Promise<T> => {
    died();
    isOut = true;
    return new Promise(() => {});
  };
  return async <T>(call: Call, send: () => Promise<T>): Promise<T> => {
    const isHere = call.name === step.name && call.nth === step.nth;
    if (isOut && mode === "fails, and so do all that follow") throw outage();
    if (isOut) return new Promise(() => {});
    if (!isHere) return send();
    switch (mode) {
      case "fails, and so do all that follow":
        isOut = true;
        throw outage();
      case "fails":
        throw outage();
      case "is throttled":
        throw throttling();
      case "meets a TransactionConflict":
        throw conflict(call);
      case "is never made, for the process dies":
        return die();
      case "is the last that the process makes":
        await send();
        return die();
      case "fails after taking effect":
        await send();
        throw outage();
      case "loses a race":
        await rival();
        return send();
    }
  };
}

/** A connection that broke: it says nothing about what became of the call. */
export const outage = (): Error => Object.assign(new Error("socket hang up"), { name: "TimeoutError" });

const fault = { $fault: "client", $metadata: {} } as const;

export const throttling = (): Error =>
  new DynamoDBServiceException({ ...fault, name: "ThrottlingException", message: "too much" });

/** What DynamoDB says when another transaction holds an item; it comes without the old item. */
export function conflict({ name, input }: Call): Error {
  const message = "another transaction is under way";
  if (name !== TRANSACTION) {
    return new DynamoDBServiceException({ ...fault, name: "TransactionConflictException", message });
  }
  const CancellationReasons = (input.TransactItems ?? []).map((_, i) => ({
    Code: i === 0 ? "TransactionConflict" : "None",
  }));
  return new TransactionCanceledException({ ...fault, message, CancellationReasons });
}

/** Every so many rows are in a sample. */
const SAMPLED = 4;

/**
 * A part of a crash table, always the same, for an engine on which the whole of it takes too long: the first row of
 * each kind of call, the first of each mode, and of the others those whose title's digest says so.
 */
export function sampleOf<R extends { step: Step; mode: FaultMode; title: string }>(table: readonly R[]): R[] {
  const [names, modes] = [new Set<string>(), new Set<FaultMode>()];
  return table.filter(({ step, mode, title }) => {
    const isFirst = !names.has(step.name) || !modes.has(mode);
    names.add(step.name);
    modes.add(mode);
    return isFirst || (hash("sha256", title, "buffer")[0] ?? 0) % SAMPLED === 0;
  });
}
