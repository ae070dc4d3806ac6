// What no vector has, for an honest service never gave it: evidence that is hashed as it should be, and says what is
// rare or wrong. Every verifier finds the same.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import type { Receipt, ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { evidenceFor, forgeReceipts, linkTo } from "../support/lying-service.ts";
import { answersTo, ask, everywhere, useClock } from "./everyone.ts";
import { EVIDENCE_DAY, evidenceFile, type Row, serviceLayers } from "./rows.ts";

useClock();
const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The day of the vectors: an earlier one would change the verdict, too. */
const EARLIER = "2026-11-22T00:00:00.000Z";
const OTHER_ROOT = `0x${"5".repeat(64)}`;

/** A receipt with a member that the format doesn't know, which is hashed all the same. */
const withMember = (value: unknown): object =>
  evidenceFor(forgeReceipts([{ unknown_member: value } as Partial<ReceiptCore>]), 0);

const withEventId = (event_id: string): object => evidenceFor(forgeReceipts([{ event_id }]), 0);

/** A receipt whose caller stated this time. */
const withStatedTime = (disclosed_at: string): object => {
  const [{ disclosure }] = forgeReceipts([{}]) as [Receipt];
  return evidenceFor(forgeReceipts([{ disclosure: { ...disclosure, disclosed_at } }]), 0);
};

interface Turn {
  readonly receipt: Receipt;
  /** The receipts of its chain, as far as the tree that proves it goes. */
  readonly chain: readonly Receipt[];
}

function bundleOf(turns: readonly Turn[]): object {
  const proofs = turns.map(({ receipt, chain }) => {
    const { event_id, merkle_proof } = evidenceFor(chain, chain.indexOf(receipt));
    const [head = receipt] = chain.slice(-1);
    const evidence_chain = { chain_id: head.chain_id, head_hash: linkTo(head), sequence: chain.length - 1 };
    return { event_id, merkle_proof, evidence_chain };
  });
  const receipts = turns.map(({ receipt }) => receipt);
  return { interaction_id: "call-1", receipts, requests: receipts.map(() => null), proofs, seals: [] };
}

const conversation = (...lies: Partial<ReceiptCore>[]): object => {
  const chain = forgeReceipts([{}, ...lies]);
  return bundleOf(chain.map((receipt) => ({ receipt, chain })));
};

/** Two receipts at one place of a chain, each with a good proof, in a conversation whose turns follow each other. */
function forkedConversation(): object {
  const [first, second] = forgeReceipts([{}, {}]) as [Receipt, Receipt];
  const event_id = formatEventId(first.chain_id, { shard: 0, sequence: 1 });
  const [, , fork] = forgeReceipts([{}, {}, { sequence: 1, event_id, previous_hash: linkTo(first) }]);
  if (fork === undefined) throw new Error("three lies make three receipts");
  const [chain, forked] = [
    [first, second],
    [first, fork],
  ];
  return bundleOf([
    { receipt: first, chain },
    { receipt: second, chain },
    { receipt: fork, chain: forked },
  ]);
}

function sealWith(change: object): object {
  const seal = JSON.parse(readFileSync(evidenceFile("seals/3.json"), "utf8"));
  const { previous_root: merkle_root, previous_tree_size: tree_size } = seal;
  const tsa_timestamp = { status: "pending", timestamp_token: null, tsa_url: null, covers: "merkle_root" };
  return { ...seal, merkle_root, tree_size, consistency_path: [], tsa_timestamp, ...change };
}

const NUMBERS = [1e-7, 1.5e-7, 1e-6, 0.000012345, 0.1, 4.35, -0.5, 123456.789, 333333333.3333333, 5e-324];
const TEXT = '\u0000\b\t\n\f\r\u001f"\\/\u007f\u0080\u2028\ufb33\u{1f600}';
/** By UTF-16 units the face comes before the letter, by code points behind it. */
const NAMES = { "\ufb33": 1, "\u{1f600}": 2, é: 3, a: 4, A: 5, "": 6, "10": 7, "9": 8 };

const CASES: readonly (readonly [Row["kind"], name: string, evidence: object, ...failing: string[]])[] = [
  ["receipt", "numbers that JCS writes in its own way", withMember(NUMBERS)],
  ["receipt", "the largest integers", withMember([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])],
  ["receipt", "a text that JCS escapes in its own way", withMember(TEXT)],
  ["receipt", "names that JCS sorts in its own way", withMember(NAMES)],
  ["receipt", "a stated time of the year 0, which had a leap day", withStatedTime("0000-02-29T23:59:59Z")],
  ["receipt", "a stated time of the last year", withStatedTime("9999-12-31T23:59:59.999Z")],
  [
    "receipt",
    "a stated time on no calendar",
    withStatedTime("1900-02-29T00:00:00Z"),
    "receipt_format",
    "event_id",
    "input_hash",
    "output_hash",
    "policy",
    "links",
    "recorded_after",
  ],
  ["receipt", "an event id of zeros", withEventId("00000000-0000-0000-0000-000000000000"), "event_id"],
  ["receipt", "the largest event id", withEventId("ffffffff-ffff-ffff-ffff-ffffffffffff"), "event_id"],
  ["bundle", "two receipts of one millisecond", conversation({})],
  [
    "bundle",
    "a receipt that is older than the one before",
    conversation({ issued_at: EARLIER }),
    "chain_links",
    "turn_links",
    "one_history",
  ],
  ["bundle", "a chain that forks", forkedConversation(), "chain_links", "turn_links", "one_history"],
  ["seal", "nothing new under it", sealWith({})],
  ["seal", "nothing new under it, and another root", sealWith({ merkle_root: OTHER_ROOT }), "consistency"],
  ["seal", "nothing new under it, and a path", sealWith({ consistency_path: [OTHER_ROOT] }), "consistency"],
  ["seal", "less under it", sealWith({ tree_size: 1 }), "consistency"],
];

const rows = CASES.map(([kind, name, evidence, ...failing], i): Row => {
  const file = join(folder, `${i}.json`);
  writeFileSync(file, JSON.stringify(evidence));
  return {
    kind,
    name,
    reason: "",
    file,
    layers: serviceLayers,
    published: {},
    now: EVIDENCE_DAY,
    expected: { verdict: failing.length === 0 ? "holds_so_far" : "does_not_hold", failing, unmade: [] },
  };
});

describe("every verifier says", () => {
  test.each(ask(rows))("$expected.verdict of a $kind with $name", async (row) => {
    const answers = await answersTo(row);
    expect(answers).toEqual(everywhere(answers.commandLine));
    const { verdict, failing } = answers.commandLine;
    expect({ verdict, failing, unmade: [] }).toEqual(row.expected);
  });
});
