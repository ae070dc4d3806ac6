// What can be wrong in the journal of a run, and in what the run says of itself.
import { changedAt } from "./lying-proxy.ts";
import type { CallOfRun } from "./oracle-run.ts";
import { anHourLater, flipped, HOUR_MS, plus, type Titled } from "./oracle-tampering.ts";

type Calls = readonly CallOfRun[];

/** A second turn of tenant 1, with an Idempotency-Key. */
const isSecondTurn = ({ interaction_id, idempotency_key }: CallOfRun): boolean =>
  interaction_id === "call-1" && idempotency_key === "key-1-2";
const isOf = (tenant: number) => (call: CallOfRun) => call.tenant === tenant && isSecondTurn(call);
const isOpen = (key: string) => (call: CallOfRun) => call.idempotency_key === key;

const without = (fits: (call: CallOfRun) => boolean) => (calls: Calls) => calls.filter((call) => !fits(call));
const changed =
  (fits: (call: CallOfRun) => boolean, change: (call: CallOfRun) => Partial<CallOfRun>) => (calls: Calls) =>
    calls.map((call) => (fits(call) ? { ...call, ...change(call) } : call));
const inReceipt = (name: string, change: (old: unknown) => unknown) =>
  changed(isOf(1), ({ receipt }) => ({ receipt: receipt && { ...receipt, [name]: change(receipt[name]) } }));

export const JOURNALS: readonly Titled[] = [
  {
    title: "a receipt that no call explains",
    calls: without(isOf(1)),
    finds: [["none doubled", /no call explains; a call with this body was answered with another receipt$/m]],
  },
  {
    title: "more receipts than calls",
    calls: without((call) => isOf(1)(call) || isOpen("never")(call)),
    finds: [
      ["sizes", /its chains have \+2 receipts beside the answered ones; up to 1 may be those of open calls/],
    ],
  },
  {
    title: "a receipt of a call that was refused",
    calls: changed(isOf(1), () => ({ status: 422, receipt: null, event_id: null })),
    finds: [["none doubled", /no call explains; a call with this body was refused$/m]],
  },
  {
    title: "a call that was open and is not told of",
    calls: without(isOpen("lost-2")),
    finds: [
      ["none doubled", /no call explains/],
      ["conversations", /turn 3 where 2 is expected/],
    ],
  },
  {
    title: "another turn",
    calls: inReceipt("turn", plus(1)),
    finds: [
      ["answers", /output_hash: the output has another hash/],
      ["none lost", /the chain has leaf \w+, the answer \w+/],
      ["conversations", /turn 3 where 2 is expected/],
    ],
  },
  {
    title: "another verdict",
    calls: inReceipt("verdict", () => "MODIFY"),
    finds: [["verdicts", /policy: the layer gives the verdict ALLOW/]],
  },
  {
    title: "a time that is an hour off",
    calls: inReceipt("issued_at", anHourLater),
    finds: [
      ["dates of receipts", /issued at \S+, but asked at \S+ and answered at \S+$/m],
      ["links", /issued at \S+, sequence \d+ at \S+$/m],
    ],
  },
  {
    title: "another link to the receipt before",
    calls: inReceipt("previous_hash", flipped),
    finds: [["links", /previous_hash is \S+, the leaf before is \S+/]],
  },
  {
    title: "another link to the turn before",
    calls: inReceipt("previous_turn_hash", flipped),
    finds: [["conversations", /previous_turn_hash is \S+, expected \S+/]],
  },
  {
    title: "a lower bound that is not published",
    calls: (calls) => {
      const stamped = calls.findLast(({ receipt }) => receipt !== null && receipt.recorded_after !== null);
      const change = { receipt: changedAt(stamped?.receipt, ["recorded_after", "seal_hash"], flipped) };
      return calls.map((call) => (call === stamped ? ({ ...call, ...change } as CallOfRun) : call));
    },
    finds: [["lower bounds", /it names seal \d+ as \S+, published is \S+/]],
  },
  {
    title: "another event id",
    calls: inReceipt("event_id", flipped),
    finds: [["answers", /event_id: the event id is not that of this place in the chain/]],
  },
  {
    title: "a body that was not sent",
    calls: changed(isOf(1), ({ body }) => ({ body: body.replace("agents/hammer", "agents/anvil") })),
    finds: [["answers", /input_hash: the enclosed request has another hash/]],
  },
  {
    title: "one key with two receipts",
    calls: changed(isOf(1), () => ({ idempotency_key: "key-1-1" })),
    finds: [["one key, one receipt", /one key was answered two receipts: chain \w+ sequence \d+, and chain/]],
  },
  {
    title: "one receipt of two keys",
    calls: (calls) => [
      ...calls,
      ...calls.filter(isOf(1)).map((call) => ({ ...call, idempotency_key: "other" })),
    ],
    finds: [["one key, one receipt", /two calls with different keys, or none, have this receipt/]],
  },
  {
    title: "a repeat with another signature",
    calls: (calls) => {
      const again = calls.filter(isOf(1)).slice(0, 1);
      const signed = again.map(({ receipt }) => ({
        ...receipt,
        signature: Buffer.alloc(32).toString("base64"),
      }));
      return [...calls, ...again.map((call, place) => ({ ...call, receipt: signed[place] ?? null }))];
    },
    finds: [["one key, one receipt", /two answers show two receipts of this place/]],
  },
  {
    title: "a 409 for a key that had one body",
    calls: (calls) => [
      ...calls,
      ...calls.filter(isOf(1)).map((call) => ({ ...call, status: 409, receipt: null, event_id: null })),
    ],
    finds: [["one key, one receipt", /line \d+ was refused by 409, and its key was used with no other body/]],
  },
  {
    title: "a turn that was answered before the earlier one was asked for",
    calls: changed(isOf(1), ({ asked_at }) => ({
      asked_at: asked_at - HOUR_MS,
      answered_at: asked_at - HOUR_MS,
    })),
    finds: [["conversations", /turn 2 was answered before an earlier turn was asked for/]],
  },
  {
    title: "a turn of another conversation",
    calls: changed(isOf(1), () => ({ interaction_id: "call-0" })),
    finds: [["conversations", /previous_turn_hash is \S+, expected \S+/]],
  },
  {
    title: "a line without a receipt",
    calls: changed(isOf(1), () => ({ receipt: null })),
    finds: [["answers", /^line \d+: this does not have the shape of a receipt/]],
  },
  {
    title: "a tenant that the run has not",
    calls: changed(isOf(1), () => ({ tenant: 7 })),
    finds: [["journal", /^line \d+ names no tenant/]],
  },
  {
    title: "another anchor",
    run: ({ tenants: [first, ...others] }) => ({
      tenants: [{ ...first, anchor: "0".repeat(32) }, ...others],
    }),
    finds: [
      ["histories", /chain \w+ is not shard 0 of tenant one/],
      ["answers", /it is no chain of the tenant's, or not its shard 0/],
    ],
  },
  {
    title: "another key of the log",
    run: () => ({ log_vkey: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW" }),
    finds: [
      ["checkpoints", /^the service names another key of the log than the run does$/m],
      [
        "checkpoints",
        /^the checkpoint of seal \d+: it is a checkpoint of \S+, which the policy does not name$/m,
      ],
    ],
  },
  {
    title: "a witness that cosigned nothing",
    run: () => ({
      witness_vkeys: ["harbor.example/witness+034ae5a7+BAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"],
    }),
    finds: [["cosignatures", /^no published checkpoint that was looked at has a line of a named witness$/]],
  },
  {
    title: "a witness with the key of a log",
    run: ({ logVkey }) => ({ witness_vkeys: [logVkey] }),
    finds: [["cosignatures", /^a witness's key: the key is no vkey of type 4$/m]],
  },
  {
    title: "what its readers found",
    run: () => ({ findings: [{ at: "2026-11-23T08:00:00.000Z", by: "reader 1", what: "a bundle fails" }] }),
    finds: [["readers of the run", /^2026-11-23T08:00:00\.000Z reader 1: a bundle fails$/]],
  },
];
