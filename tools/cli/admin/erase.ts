// `admin erase`: erases the identifiers of one conversation. Its receipts and their proofs stay as they are.
import { interactionIdSchema } from "../../../evidence/core/formats/attestation-request.ts";
import {
  ERASURE_GROUNDS,
  type ErasureGround,
  erasureSchema,
} from "../../../evidence/core/formats/erasure.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import {
  type ErasureOrder,
  type ErasureOutlook,
  type ErasureResult,
  erase,
  foreseeErasure,
} from "../../../service/erasure/erase.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { shellWord } from "../output/shell-word.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, type Terminal } from "../output/terminal.ts";
import { firstOf, onlyOne, readTenantId } from "./arguments.ts";
import { onTarget, pasteable, readAdminArguments, type TargetValues } from "./target.ts";

const OPTIONS = {
  by: { type: "string" },
  ground: { type: "string" },
  "dry-run": { type: "boolean" },
} as const;

/** Said by every run: who answers the person must know it. docs/data-protection.md has the same points. */
export const STAYS: readonly (readonly [what: string, until: string])[] = [
  [
    "point-in-time recovery",
    "35 days: a table restored from before holds the identifiers; erase them there again",
  ],
  ["Idempotency-Keys", "up to 24 hours: hashes, no identifiers"],
  ["logs of a bridge", "90 days, or its own logRetentionDays: a digest of the id beside the event ids"],
  ["what was fetched", "requests, reports and bundles that the tenant or others saved: tell them"],
  [
    "receipts",
    "their hashes, times and verdicts; input_hash confirms an id to whoever guesses it and the agent's",
  ],
];

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  const { first: tenantId, rest } = firstOf(positionals, "a tenant");
  const order: ErasureOrder = {
    tenantId: readTenantId(tenantId),
    interactionId: readInteractionId(onlyOne(rest, "an interaction id")),
    erased_by: readRole(values.by),
    ground: readGround(values.ground),
  };
  await onTarget(values, async ({ table, registry }) => {
    await registry.get(order.tenantId);
    const outlook = await foreseeErasure(table, order);
    const result = values["dry-run"] === true ? null : await eraseIt(table, order, outlook, terminal);
    if (values.json === true) terminal.printJson(jsonOf(order, outlook, result));
    else print(order, outlook, result, values, terminal);
  });
  return Exit.holds;
}

function eraseIt(
  table: Parameters<typeof erase>[0],
  order: ErasureOrder,
  { turns }: ErasureOutlook,
  terminal: Terminal,
): Promise<ErasureResult> {
  const progress = terminal.progress(turns, "turns");
  return erase(table, order, () => progress.step(1));
}

function readInteractionId(text: string): string {
  const { data, error } = interactionIdSchema.safeParse(text);
  if (data !== undefined) return data;
  throw new UsageError(`the interaction id ${error.issues[0]?.message ?? "can't be read"}`);
}

function readRole(text: string | undefined): string {
  if (text !== undefined && erasureSchema.shape.erased_by.safeParse(text).success) return text;
  throw new UsageError(
    '--by names your role, as "data protection officer": 1 to 64 letters, digits, spaces, ".", "_" and "-". Reports show it, so name no person',
  );
}

function readGround(text: string | undefined): ErasureGround {
  const ground = ERASURE_GROUNDS.find((name) => name === text);
  if (ground !== undefined) return ground;
  throw new UsageError(`--ground is one of ${ERASURE_GROUNDS.join(", ")}`);
}

const jsonOf = (order: ErasureOrder, outlook: ErasureOutlook, result: ErasureResult | null): object => ({
  tenant: order.tenantId,
  dry_run: result === null,
  turns: outlook.turns,
  last_issued_at: outlook.lastIssuedAt,
  erasure: result?.erasure ?? outlook.begun,
  receipts_verified: result?.receipts ?? null,
  stays: Object.fromEntries(STAYS),
});

function print(
  order: ErasureOrder,
  { turns, lastIssuedAt, begun }: ErasureOutlook,
  result: ErasureResult | null,
  values: TargetValues,
  terminal: Terminal,
): void {
  const erasure = result?.erasure ?? begun;
  terminal.print(bold(result === null ? "would erase" : "erased"), ` a conversation of ${order.tenantId}`);
  printTable(terminal, [
    [dim("turns"), `${turns}, the newest of ${lastIssuedAt}`],
    [
      dim("removed"),
      "the requests, with the interaction id and the agent's identity, and what leads from the id to them",
    ],
    ...(erasure === null
      ? []
      : [
          [dim("tombstone"), `${erasure.erased_at}, by ${erasure.erased_by}, ground: ${erasure.ground}`],
          [dim("new id"), erasure.interaction_id],
        ]),
    ...(result === null
      ? []
      : [[dim("proofs"), `${count(result.receipts, "receipt")} verified up to the chain's root`]]),
  ]);
  printStays(terminal);
  if (begun !== null) terminal.note("An earlier run was cut off; its tombstone and its new id count.");
  if (result === null) {
    terminal.note(`Nothing was written. To erase: ${eraseCommand(order, values)}`);
    return;
  }
  terminal.note(
    "The bundle is found under the new id, without requests; for 20 minutes the old id takes no call.",
  );
}

/** The command of the order, as a person can paste it. */
export function eraseCommand(
  { erased_by, ground, tenantId, interactionId }: ErasureOrder,
  values: TargetValues,
): string {
  // The id came with a call, and may hold a semicolon.
  const [id, by] = [interactionId, erased_by].map(shellWord);
  return pasteable(`erase ${tenantId} ${id} --by ${by} --ground ${ground}`, values);
}

function printStays(terminal: Terminal): void {
  terminal.print("What stays, and for how long");
  printTable(
    terminal,
    STAYS.map(([what, until]) => [dim(what), until]),
  );
}
