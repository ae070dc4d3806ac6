// `admin show`: one receipt by its event id, or the receipts of one conversation, for whoever answers a caller's question.
import {
  type FoundReceipt,
  findByEventId,
  findByInteraction,
} from "../../../service/reports/find-receipts.ts";
import { Exit, type ExitCode } from "../command.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, green, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import { firstOf, readTenantId, refuseMore } from "./arguments.ts";
import { inSnakeCase } from "./snake-case.ts";
import { onTarget, readAdminArguments } from "./target.ts";

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, {});
  const { first, rest } = firstOf(positionals, "an event id, or a tenant and a conversation,");
  const [interactionId, ...surplus] = rest;
  refuseMore(surplus);
  if (interactionId !== undefined) readTenantId(first);
  await onTarget(values, async (operator) => {
    if (interactionId === undefined) {
      const found = await findByEventId(operator, first);
      if (values.json === true) terminal.printJson(inSnakeCase(found));
      else printOne(found, terminal);
    } else {
      const receipts = await findByInteraction(operator, first, interactionId);
      if (values.json === true) terminal.printJson(inSnakeCase({ receipts }));
      else printTable(terminal, [HEADINGS.map(dim), ...receipts.map(rowOf)]);
    }
  });
  return Exit.holds;
}

function printOne(found: FoundReceipt, terminal: Terminal): void {
  const { receipt } = found;
  terminal.print("receipt ", bold(receipt?.eventId ?? `${found.sequence} of chain ${found.chainId}`));
  const facts: [string, StyledText][] = [
    ["tenant", found.tenantId],
    ["chain", found.chainId],
    ["sequence", String(found.sequence)],
    ["turn", receipt === null ? GONE : String(receipt.turn)],
    ["issued", receipt?.issuedAt ?? GONE],
    ["verdict", verdictOf(found)],
    ["findings", findingsOf(found)],
    ["wording", receipt === null ? GONE : (receipt.wordingId ?? "none of the layer's")],
    ["seal", sealOf(found)],
    ["state", stateOf(found)],
  ];
  printTable(
    terminal,
    facts.map(([name, value]) => [dim(name), value]),
  );
}

const HEADINGS = ["turn", "event id", "issued", "verdict", "seal", "state", "findings"];
const GONE = "removed";

const rowOf = (found: FoundReceipt): StyledText[] => [
  String(found.receipt?.turn ?? GONE),
  found.receipt?.eventId ?? GONE,
  found.receipt?.issuedAt ?? GONE,
  verdictOf(found),
  sealOf(found),
  stateOf(found),
  findingsOf(found),
];

function verdictOf({ receipt }: FoundReceipt): StyledText {
  if (receipt === null) return GONE;
  if (receipt.verdict === "ALLOW") return green(receipt.verdict);
  return receipt.verdict === "BLOCK" ? red(receipt.verdict) : yellow(receipt.verdict);
}

const findingsOf = ({ receipt }: FoundReceipt): string =>
  receipt === null || receipt.findings.length === 0 ? "none" : receipt.findings.join(", ");

function sealOf({ seal }: FoundReceipt): StyledText {
  if (seal === null) return yellow("not sealed yet");
  return seal.isPublished ? `${seal.index}, published` : yellow(`${seal.index}, not published yet`);
}

function stateOf({ erasure, removal }: FoundReceipt): StyledText {
  if (removal !== null)
    return yellow(`removed ${removal.removed_at}, under a retention of ${removal.months} months`);
  if (erasure === null) return "whole";
  return yellow(`identifiers erased ${erasure.erased_at} by ${erasure.erased_by} (${erasure.ground})`);
}
