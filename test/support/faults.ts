// Faults for the calls of one process: each of its calls to DynamoDB, KMS, S3 and the authority passes through here.
import { DynamoDBServiceException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";

/** One call, in the order in which the process made them. */
export interface Call {
  readonly place: number;
  /** The SDK's command, such as TransactWriteItemsCommand, or "Stamp". */
  readonly name: string;
  readonly input: { readonly TransactItems?: readonly unknown[] };
}

/** Sees a call and decides what becomes of it; `send` carries it out. */
export type Interceptor = <T>(call: Call, send: () => Promise<T>) => Promise<T>;

export const undisturbed: Interceptor = (_call, send) => send();

/** Numbers the calls of one process and passes each to `intercept`. */
export class Calls {
  readonly names: string[] = [];
  readonly #intercept: Interceptor;

  constructor(intercept: Interceptor) {
    this.#intercept = intercept;
  }

  make<T>(name: string, input: object, send: () => Promise<T>): Promise<T> {
    const call = { place: this.names.push(name) - 1, name, input };
    return this.#intercept(call, send);
  }

  /** The same client, but for its calls. */
  through<C extends { send: (command: never) => Promise<unknown> }>(client: C): C {
    const send = (command: { input: object }): Promise<unknown> =>
      this.make(command.constructor.name, command.input, () => client.send(command as never));
    return Object.create(client, { send: { value: send } }) as C;
  }
}

export const FAULT_MODES = [
  "fails",
  "fails after taking effect",
  "fails like all that follow",
  "is throttled",
  "meets a TransactionConflict",
  "loses a race",
  "is the last before death",
  "takes effect before death",
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

const WRITES_IN_PLACE = ["PutItemCommand", "UpdateItemCommand"];
const TRANSACTION = "TransactWriteItemsCommand";

/** Only a write of DynamoDB can meet another transaction. */
export const isPossible = (mode: FaultMode, name: string): boolean =>
  mode !== "meets a TransactionConflict" || name === TRANSACTION || WRITES_IN_PLACE.includes(name);

/**
 * Disturbs the call at `place`. `rival` is what another process does in the moment before, where a race is lost;
 * `died` is called when the process is dead, and none of its calls ever returns from then on.
 */
export function faultAt(
  place: number,
  mode: FaultMode,
  { rival, died }: { rival: () => Promise<void>; died: () => void },
): Interceptor {
  let isDead = false;
  const die = <T>(): Promise<T> => {
    isDead = true;
    died();
    return new Promise(() => {});
  };
  return async (call, send) => {
    if (isDead) return new Promise(() => {});
    if (mode === "fails like all that follow" && call.place >= place) throw outage();
    if (call.place !== place) return send();
    if (mode === "fails") throw outage();
    if (mode === "is throttled") throw throttling();
    if (mode === "meets a TransactionConflict") throw conflict(call);
    if (mode === "is the last before death") return die();
    if (mode === "loses a race") await rival();
    const answer = await send();
    if (mode === "fails after taking effect") throw outage();
    return mode === "takes effect before death" ? die() : answer;
  };
}

/** A connection that broke: it says nothing about what became of the call. */
export const outage = (): Error => Object.assign(new Error("socket hang up"), { name: "TimeoutError" });

const fault = { $fault: "client", $metadata: {} } as const;

const throttling = (): Error =>
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
