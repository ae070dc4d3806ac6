// `inspect`: shows what a piece of evidence says, in words. It verifies nothing.
import { DisclosureError } from "../../../evidence/core/errors.ts";
import type { BundleEvidence } from "../../../evidence/core/formats/evidence.ts";
import { type ShownReceipt, shownReceiptSchema } from "../../../evidence/core/formats/receipt.ts";
import { timestampOf } from "../../../evidence/core/verify/verify-bundle.ts";
import { type Evidence, parseEvidence } from "../../../evidence/reader/evidence.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { describeErasures } from "../../../evidence/reader/text/erasure.ts";
import { textIn } from "../../../evidence/reader/text/text.ts";
import { shippedWording } from "../../../evidence/reader/wording.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { readBytes } from "../files/read-file.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, type Terminal } from "../output/terminal.ts";
import {
  type DescribedSection,
  describeChain,
  describeDisclosure,
  describeProof,
  describeRenewal,
  describeSeal,
  describeTimestamp,
} from "./describe.ts";

const OPTIONS = { turn: { type: "string" } } as const;
const TURN = /^[1-9]\d{0,9}$/;

const HELP = `Usage: disclosure-receipts inspect FILE [--turn N]

Shows what a receipt, a report, a bundle or a published root says: what was
disclosed, when, and in which wording (by its digest, from the policy layers
that come with this program), its place in the chain, the proof and the
timestamp. - is standard input.

  --turn N   of a bundle, this turn in full; without it, a line a turn

It verifies nothing; verify does.

Exit status: 0, or 2 if the file could not be read.`;

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError("inspect takes one file");
  if (values.turn !== undefined && !TURN.test(values.turn)) throw new UsageError("--turn is a number from 1");
  const evidence = await naming(file, async () => parseEvidence(await readBytes(file, MAX_FILE_BYTES)));
  if (evidence.kind !== "bundle" && values.turn !== undefined) throw new UsageError("--turn is for a bundle");
  if (evidence.kind !== "bundle") printSections(sectionsOf(evidence), terminal);
  else if (values.turn === undefined) printTimeline(evidence.bundle, terminal);
  else printSections(sectionsOfTurn(evidence.bundle, Number(values.turn)), terminal);
  for (const sentence of describeErasures(textIn("en"), evidence)) terminal.print(sentence);
  terminal.note(
    dim(
      "This is what the file says. It says nothing about whether it holds: disclosure-receipts verify does.",
    ),
  );
  return Exit.holds;
}

function sectionsOf(evidence: Exclude<Evidence, { kind: "bundle" }>): DescribedSection[] {
  if (evidence.kind === "seal") {
    const { seal } = evidence;
    return [describeSeal(seal), describeTimestamp(seal.tsa_timestamp, seal.merkle_root)];
  }
  const {
    receipts,
    merkle_proof: proof,
    tsa_timestamp: timestamp,
    evidence_chain: head,
    renewal,
  } = evidence.receipt;
  const [receipt] = receipts ?? [];
  return [
    ...(receipt === undefined ? [] : describeReceipt(readReceipt(receipt), head)),
    describeProof(proof),
    ...(timestamp === undefined ? [] : [describeTimestamp(timestamp, proof.merkle_root)]),
    ...(renewal === undefined ? [] : [describeRenewal(renewal)]),
  ];
}

const describeReceipt = (
  receipt: ShownReceipt,
  head?: Parameters<typeof describeChain>[1],
): DescribedSection[] => [describeDisclosure(receipt), describeChain(receipt, head)];

function sectionsOfTurn(bundle: BundleEvidence, turn: number): DescribedSection[] {
  const place = bundle.receipts.findIndex((receipt) => receipt.turn === turn);
  const proof = bundle.proofs[place];
  if (proof === undefined) throw new UsageError(`the bundle has no turn ${turn}`);
  const { evidence_chain, merkle_proof } = proof;
  const index = merkle_proof.cross_tenant_proof?.seal_index;
  const seal = bundle.seals.find((candidate) => candidate.index === index);
  return [
    ...describeReceipt(readReceipt(bundle.receipts[place]), evidence_chain),
    describeProof(merkle_proof),
    ...(seal === undefined ? [] : [describeTimestamp(timestampOf(bundle, seal), seal.merkle_root)]),
  ];
}

function printTimeline({ interaction_id, receipts }: BundleEvidence, terminal: Terminal): void {
  terminal.print(bold(`Conversation ${interaction_id}`));
  printTable(
    terminal,
    receipts
      .map(readReceipt)
      .map(({ turn, issued_at, disclosure, verdict }) => [
        `turn ${turn}`,
        issued_at,
        disclosure.modality,
        disclosure.disclosure_method,
        verdict,
        shippedWording(disclosure.subject_hash)?.id ?? disclosure.subject_hash,
      ]),
  );
}

function printSections(sections: readonly DescribedSection[], terminal: Terminal): void {
  for (const { title, lines } of sections) {
    terminal.print(bold(title));
    printTable(
      terminal,
      lines.map(([label, text]) => [dim(label), text]),
    );
  }
}

function readReceipt(raw: unknown): ShownReceipt {
  const { data, error } = shownReceiptSchema.safeParse(raw);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw new DisclosureError(
    "malformed",
    `${issue?.path.join(".") || "the receipt"} is not as the format says`,
  );
}

export const command: Command = { help: HELP, run };
