// docs/receipt-format.md is a contract: what it quotes is recomputed here, past our own code, with node:crypto.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseBase64 } from "../../../../evidence/core/bytes.ts";
import type { JsonValue } from "../../../../evidence/core/canonical-json.ts";
import { parseTimestampToken } from "../../../../evidence/core/timestamps/timestamp-token.ts";
import { evidenceVectors } from "../../../support/evidence.ts";
import { readEvidence, readReceipt, readSeal } from "../../../support/vector-files.ts";

const page = readFileSync(new URL("../../../../docs/receipt-format.md", import.meta.url), "utf8");

const sha256 = (...parts: (Uint8Array | string)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const leafOf = (entry: Uint8Array | string): Buffer => sha256(Uint8Array.of(0), entry);
const nodeOf = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Uint8Array.of(1), left, right);
const digest = (hash: Buffer): string => `sha256:${hash.toString("hex")}`;
const node = (hash: Buffer): string => `0x${hash.toString("hex")}`;
const bytesOf = (text: string | undefined): Buffer => Buffer.from(text?.slice(2) ?? "", "hex");

/** JCS for ASCII and integers, as the page says. */
const canonical = (value: JsonValue): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

const withoutCode = ({ auth_mechanism: _a, key_id: _k, signature: _s, ...rest }: Record<string, unknown>) =>
  canonical(rest as JsonValue);

const coreOf = (name: string): string =>
  withoutCode(readReceipt(`receipts/${name}.json`).receipts[0] as unknown as Record<string, unknown>);

/** Of the first turn of a conversation. */
function receiptLeafHash(name: string): Buffer {
  const coreHash = sha256(coreOf(name));
  const label = sha256(Buffer.concat([Buffer.from("disclosure-receipt/1/first-turn\n"), coreHash]));
  return leafOf(Buffer.concat([label, coreHash]));
}

const answer = readReceipt("receipts/reminder.json");
const [receipt] = answer.receipts;
const { event_inclusion_proof: event, cross_tenant_proof: cross } = answer.merkle_proof;
if (receipt === undefined || cross === null) throw new Error("the example is not sealed");

function example(): [string, string][] {
  const request = canonical(readEvidence("requests/reminder.json"));
  const { event_id, policy, turn, verdict, chain_id, sequence } = receipt as typeof receipt & object;
  const check = sha256(`disclosure-receipt/1/event\n${chain_id}\n${sequence}`);
  const hex = check.toString("hex");
  const variant = (8 | (Number.parseInt(hex.charAt(15), 16) >> 2)).toString(16);
  const id = `${hex.slice(0, 12)}8${hex.slice(12, 15)}${variant}000${sequence.toString(16).padStart(12, "0")}`;
  const coreHash = sha256(coreOf("reminder"));
  const turnLabel = sha256(
    Buffer.concat([Buffer.from("disclosure-receipt/1/turn-after\n"), receiptLeafHash("greeting")]),
  );
  const leaf = leafOf(Buffer.concat([turnLabel, coreHash]));
  const chainRoot = nodeOf(bytesOf(event.path[0]), leaf);
  const { head_index = 0 } = cross?.leaf ?? {};
  const labelled = canonical({ chain_id, head_index });
  const head = canonical({ chain_id, head_index, root: node(chainRoot), tree_size: 3 });
  const entry = Buffer.concat([sha256(labelled), sha256(head)]);
  const root = nodeOf(nodeOf(bytesOf(cross?.path[0]), leafOf(entry)), bytesOf(cross?.path[1]));
  const token = parseBase64(readSeal("seals/1.json").tsa_timestamp.timestamp_token ?? "");
  return [
    ["JCS(request)", request],
    ["input_hash", digest(sha256(request))],
    ["policy.digest", digest(sha256(canonical(readEvidence("layers/service.json"))))],
    ["output_hash", digest(sha256(canonical({ event_id, policy, turn, verdict })))],
    ["previous_hash", digest(receiptLeafHash("chat-message"))],
    ["previous_turn", digest(receiptLeafHash("greeting"))],
    ["event_id check", check.toString("hex")],
    ["event_id", id.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")],
    ["JCS(core)", coreOf("reminder")],
    ["core_hash", coreHash.toString("hex")],
    ["turn_label", turnLabel.toString("hex")],
    ["leaf_hash", node(leaf)],
    ["path[0]", event.path[0] ?? ""],
    ["chain root", node(chainRoot)],
    ["JCS(name)", labelled],
    ["label", entry.subarray(0, 32).toString("hex")],
    ["JCS(head)", head],
    ["commitment", entry.subarray(32).toString("hex")],
    ["metachain leaf", node(leafOf(entry))],
    ["cross path[0]", cross?.path[0] ?? ""],
    ["cross path[1]", cross?.path[1] ?? ""],
    ["merkle_root", node(root)],
    ["genTime", parseTimestampToken(token).tstInfo.genTime],
  ];
}

test("the worked example of the page is what its own rules give", () => {
  const [, block = ""] = /## A worked example[^`]*[\s\S]*?```\n([\s\S]*?)```/.exec(page) ?? [];
  const quoted = block
    .trimEnd()
    .split("\n")
    .map((line) => [line.slice(0, 17).trimEnd(), line.slice(17)]);
  expect(quoted).toEqual(example());
});

test("the worked example is what the vectors say", () => {
  const lines = new Map(example());
  expect(lines.get("input_hash")).toBe(receipt?.input_hash);
  expect(lines.get("policy.digest")).toBe(receipt?.policy.digest);
  expect(lines.get("output_hash")).toBe(receipt?.output_hash);
  expect(lines.get("previous_hash")).toBe(receipt?.previous_hash);
  expect(lines.get("previous_turn")).toBe(receipt?.previous_turn_hash);
  expect(lines.get("event_id")).toBe(receipt?.event_id);
  expect(lines.get("leaf_hash")).toBe(event.leaf_hash);
  expect(lines.get("chain root")).toBe(event.root);
  expect(lines.get("merkle_root")).toBe(readSeal("seals/1.json").merkle_root);
});

test("the authentication codes of the vectors are what the page says, under the key they were made with", () => {
  const { secret } = readEvidence("mac-key.json") as { secret: string };
  const dayKey = (day: string): Buffer =>
    createHmac("sha256", Buffer.from(secret, "base64"))
      .update(`disclosure-receipt/1/mac-key\n${day}`)
      .digest();
  const codeOf = (keyId: string | null | undefined, label: string, hash: Buffer): string =>
    createHmac("sha256", dayKey(keyId?.slice(-10) ?? ""))
      .update(label)
      .update(hash)
      .digest("base64");
  expect(receipt?.key_id.slice(-11)).toBe(`/${receipt?.issued_at.slice(0, 10)}`);
  expect(receipt?.signature).toBe(
    codeOf(receipt?.key_id, "disclosure-receipt/1/receipt\n", bytesOf(event.leaf_hash)),
  );
  const whole = sha256(withoutCode(answer as unknown as Record<string, unknown>));
  expect(answer.signature).toBe(codeOf(answer.key_id, "disclosure-receipt/1/response\n", whole));
});

test("the page explains each check that a vector names", () => {
  const names = evidenceVectors.flatMap(({ failing, unmade }) => [...failing, ...unmade]);
  for (const name of new Set(names.map((path) => path.replace(/^.*\//, "")))) {
    expect(page).toContain(`**\`${name}\`**`);
  }
});
