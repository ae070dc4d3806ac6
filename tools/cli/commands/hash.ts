// `hash`: recomputes the hashes that anyone can recompute without a key.

import type { JsonObject } from "../../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { attestationRequestSchema, hashInput } from "../../../evidence/core/formats/attestation-request.ts";
import { PLAIN_ERRORS } from "../../../evidence/core/formats/plain-errors.ts";
import { hashOutput, type ReceiptCore } from "../../../evidence/core/formats/receipt.ts";
import { formatDigest } from "../../../evidence/core/merkle/hash.ts";
import { hashWording } from "../../../evidence/core/policy/policy-layer.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { readRequest } from "../files/json-file.ts";
import { readWording } from "../files/wording.ts";
import type { Terminal } from "../output/terminal.ts";

const OPTIONS = { file: { type: "string" } } as const;

const HELP = `Usage: disclosure-receipts hash input FILE
       disclosure-receipts hash output FILE
       disclosure-receipts hash wording TEXT
       disclosure-receipts hash wording --file FILE

Prints sha256: and 64 hex digits.

  input     of an attestation request: what a receipt says as input_hash
  output    of a receipt, alone or in the answer that it came in: what it
            should say as output_hash
  wording   of the text that was disclosed: what a request says as
            subject_hash
  --file    read the text from a file, without the line break that ends it;
            - is standard input

The text is hashed in Unicode NFC and otherwise as it is: case, spaces and
punctuation count.

Exit status: 0, or 2 if there is nothing that could be hashed.`;

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [what, subject, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`${more[0]} is one argument too many; put a text in quotes`);
  if (what === "wording") terminal.print(await digestOfWording(subject, values.file));
  else if (values.file !== undefined) throw new UsageError("--file is for a wording");
  else if (what !== "input" && what !== "output") throw new UsageError(unknownKind(what));
  else if (subject === undefined) throw new UsageError("a file is missing");
  else if (what === "input") terminal.print(digestOfInput(await readRequest(subject), terminal));
  else terminal.print(digestOfOutput(await readRequest(subject)));
  return Exit.holds;
}

const unknownKind = (what: string | undefined): string =>
  what === undefined ? "hash takes input, output or wording" : `${what} is neither input, output nor wording`;

async function digestOfWording(text: string | undefined, file: string | undefined): Promise<string> {
  if ((text === undefined) === (file === undefined)) throw new UsageError("give either a text or --file");
  return formatDigest(hashWording(text ?? (await readWording(file ?? ""))));
}

function digestOfInput(request: JsonObject, terminal: Terminal): string {
  const { error } = attestationRequestSchema.safeParse(request, PLAIN_ERRORS);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) {
    const place = issue.path.join(".") || "the request";
    terminal.note(`note: no service accepts this request: ${place}: ${issue.message}`);
  }
  return hashInput(request);
}

/** `value` is the answer to an attestation, a report, or a receipt alone. */
function digestOfOutput(value: JsonObject): string {
  // The hash of one of many would be taken for that of another.
  if (Array.isArray(value.receipts) && value.receipts.length > 1)
    throw new DisclosureError("malformed", "this holds several receipts: give a file with one");
  const outcome = (Array.isArray(value.receipts) ? value.receipts[0] : value) as Partial<ReceiptCore> | null;
  const { event_id, policy, turn, verdict } = outcome ?? {};
  if (event_id === undefined || policy === undefined || turn === undefined || verdict === undefined) {
    throw new DisclosureError("malformed", "a receipt has event_id, policy, turn and verdict");
  }
  return hashOutput({ event_id, policy, turn, verdict });
}

export const command: Command = { help: HELP, run };
