// Evidence made to harm or to confuse, as rows of the table: what each reader could understand differently, or choke on.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { MAX_TOKEN_BYTES } from "../../evidence/core/formats/metachain.ts";
import { MAX_PATH_LENGTH } from "../../evidence/core/formats/shapes.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { nodeHash } from "../support/rfc9162.ts";
import {
  EVIDENCE_DAY,
  evidenceFile,
  type Row,
  serviceLayers,
  UNREADABLE,
  type Verdict,
  verdictOf,
} from "./rows.ts";

const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MEBIBYTE = 1024 * 1024;
const NODE = `0x${"5".repeat(64)}`;
const BIDI = "\u202e\u2066\u200b\u001b[2J\u009b31m<script>alert(1)</script>";

/** The first receipt of a chain, with its report's proofs. */
const REPORT = readFileSync(evidenceFile("receipts/greeting.json"), "utf8");

const UNMADE = ["input_hash", "published_root"];
const GOOD: Verdict = verdictOf([], UNMADE);
const OF_A_PROOF = ["evidence_chain", "published_root", "timestamp"];
const failing = (...names: string[]): Verdict => verdictOf(names, UNMADE);

interface Report {
  receipts: Record<string, unknown>[];
  merkle_proof: { event_inclusion_proof: { path: string[] } };
  tsa_timestamp: { timestamp_token: string };
  [name: string]: unknown;
}

/** The report with something done to it. */
function changed(change: (report: Report) => void): string {
  const report = JSON.parse(REPORT) as Report;
  change(report);
  return JSON.stringify(report);
}

const withMember = (text: string): string => REPORT.replace("{", `{${text},`);
const inReceipt = (text: string): string =>
  REPORT.replace(/"receipts": *\[\s*\{/, (start) => `${start}${text},`);
const nested = (depth: number): string => `"deep":${"[".repeat(depth)}${"]".repeat(depth)}`;
const ERASURE = { erased_at: "2026-11-22T10:00:00.000Z", erased_by: "officer", ground: "request" };
const withErasure = (change: object): string =>
  withMember(`"erasure":${JSON.stringify({ ...ERASURE, ...change })}`);
const withToken = (bytes: number): string =>
  changed(({ tsa_timestamp }) => {
    tsa_timestamp.timestamp_token = Buffer.alloc(bytes, 0x30).toString("base64");
  });
const withPath = (length: number): string =>
  changed(({ merkle_proof }) => {
    merkle_proof.event_inclusion_proof.path = Array(length).fill(NODE);
  });
const withSequence = (text: string): string =>
  REPORT.replace(/"sequence": *0(?=[,\s])/g, `"sequence":${text}`).replace(
    /"leaf_index": *0(?=[,\s])/,
    `"leaf_index":${text}`,
  );

const LEAF = new Uint8Array(32).fill(0x33);
const OTHER = new Uint8Array(32).fill(0x55);
const NO_LEAF: Verdict = verdictOf(["event_inclusion"], OF_A_PROOF);

/** All holds together but the place of the leaf. */
function bareProof(leaf_index: number, tree_size: number, path: string[], rootBytes: Uint8Array): string {
  const [leaf_hash, root] = [formatNode(LEAF), formatNode(rootBytes)];
  const event_inclusion_proof = { leaf_hash, leaf_index, tree_size, path, root };
  return JSON.stringify({
    merkle_proof: { status: "pending", merkle_root: root, event_inclusion_proof, cross_tenant_proof: null },
  });
}

const CASES: readonly (readonly [name: string, content: string | Uint8Array, expected: Verdict])[] = [
  ["nothing", "", UNREADABLE],
  ["null", "null", UNREADABLE],
  ["a list", `[${REPORT}]`, UNREADABLE],
  ["a text", JSON.stringify(REPORT), UNREADABLE],
  ["more behind it", `${REPORT}{}`, UNREADABLE],
  ["a comment", `${REPORT}// good`, UNREADABLE],
  ["a byte order mark", `\ufeff${REPORT}`, UNREADABLE],
  ["UTF-16", Buffer.from(REPORT, "utf16le"), UNREADABLE],
  ["bytes that are no UTF-8", Buffer.concat([Buffer.from(withMember('"a":"')), Buffer.of(0xff)]), UNREADABLE],
  ["a control in a text", withMember('"a":"\u0001"'), UNREADABLE],
  ["NaN", withMember('"a":NaN'), UNREADABLE],
  ["Infinity", withMember('"a":-Infinity'), UNREADABLE],
  ["17 MiB of white space", " ".repeat(17 * MEBIBYTE), UNREADABLE],
  // What two readers could understand differently.
  ["a member twice", withMember('"event_id":"x"'), UNREADABLE],
  ["a member twice, once in escapes", withMember('"\\u0065vent_id":"x"'), UNREADABLE],
  ["a lone surrogate", withMember('"a":"\\ud800"'), UNREADABLE],
  ["a lone surrogate in a name", withMember('"\\udc00":1'), UNREADABLE],
  ["a pair of surrogates", withMember('"a":"\\ud83d\\ude00"'), GOOD],
  ["an integer that a double can't hold", withMember('"a":9007199254740993'), UNREADABLE],
  ["a number beyond all doubles", withMember('"a":1e400'), UNREADABLE],
  ["an erasure", withErasure({}), GOOD],
  ["an erasure by a role in other letters", withErasure({ erased_by: "Büro" }), UNREADABLE],
  ["an erasure on a ground that there is not", withErasure({ ground: "whim" }), UNREADABLE],
  ["an erasure without its time", withErasure({ erased_at: null }), UNREADABLE],
  ["zero with a sign", withSequence("-0"), GOOD],
  ["an integer with a fraction", withSequence("0.0"), GOOD],
  ["an integer with an exponent", withSequence("0e0"), GOOD],
  // A mark of PEM in a text is no certificate.
  ["the mark of PEM in a member", withMember('"note":"-----BEGIN PGP MESSAGE-----"'), GOOD],
  // Members that mean something to a language.
  ["__proto__ outside of the receipt", withMember('"__proto__":{"merkle_proof":1}'), GOOD],
  [
    "constructor and toString",
    withMember('"constructor":{"prototype":1},"toString":1,"hasOwnProperty":1'),
    GOOD,
  ],
  [
    "__proto__ in the receipt, which is hashed",
    inReceipt('"__proto__":{"verdict":"ALLOW"}'),
    failing("leaf_hash"),
  ],
  ["__proto__ for the proof", REPORT.replace('"merkle_proof"', '"__proto__"'), UNREADABLE],
  // Too much of it.
  ["nesting to the limit", withMember(nested(31)), GOOD],
  ["nesting beyond the limit", withMember(nested(32)), UNREADABLE],
  ["nesting of a million", withMember(nested(1_000_000)), UNREADABLE],
  ["nesting without an end", '{"a":'.repeat(1_000_000), UNREADABLE],
  ["a token as long as may be", withToken(MAX_TOKEN_BYTES), failing("timestamp")],
  ["a token that is too long", withToken(MAX_TOKEN_BYTES + 3), UNREADABLE],
  ["a token of 5 MB", withToken(5 * MEBIBYTE), UNREADABLE],
  ["a token of 10 MB", withToken(10 * MEBIBYTE), UNREADABLE],
  ["a path as long as may be", withPath(MAX_PATH_LENGTH), failing("event_inclusion")],
  ["a path that is too long", withPath(MAX_PATH_LENGTH + 1), UNREADABLE],
  ["a path of 100,000 hashes", withPath(100_000), UNREADABLE],
  ["a path of a million hashes", withPath(1_000_000), UNREADABLE],
  // Paths that do lead to the root, and must not: the place says how many nodes there are.
  ["a path that goes on where it should end", bareProof(0, 1, [NODE], nodeHash(OTHER, LEAF)), NO_LEAF],
  ["a path that ends too early", bareProof(0, 3, [NODE], nodeHash(LEAF, OTHER)), NO_LEAF],
  ["a leaf outside of its tree", bareProof(1, 1, [], LEAF), NO_LEAF],
  ["a leaf far outside of its tree", bareProof(Number.MAX_SAFE_INTEGER, 1, [], LEAF), NO_LEAF],
  ["no receipt", changed((report) => report.receipts.pop()), UNREADABLE],
  ["two receipts", changed((report) => report.receipts.push(report.receipts[0] ?? {})), UNREADABLE],
  // What a screen or a terminal would obey.
  [
    "controls in every text of the receipt",
    changed((report) => {
      for (const receipt of report.receipts) for (const name of Object.keys(receipt)) receipt[name] = BIDI;
    }),
    {
      ...failing(
        "receipt_format",
        "event_id",
        "input_hash",
        "output_hash",
        "policy",
        "leaf_hash",
        "links",
        "evidence_chain",
        "merkle_root",
        "recorded_after",
      ),
      unmade: ["published_root"],
    },
  ],
  ["controls in names", withMember(`${JSON.stringify(BIDI)}:${JSON.stringify(BIDI)}`), GOOD],
];

function rowOf(name: string, content: string | Uint8Array, expected: Verdict, i: number): Row {
  const file = join(folder, `${i}.json`);
  writeFileSync(file, content);
  const anchors = evidenceFile("authorities/service.pem");
  return {
    kind: "receipt",
    name,
    reason: "",
    file,
    anchors,
    layers: serviceLayers,
    published: {},
    now: EVIDENCE_DAY,
    expected,
  };
}

export const hostileRows: readonly Row[] = CASES.map(([name, content, expected], i) =>
  rowOf(name, content, expected, i),
);
