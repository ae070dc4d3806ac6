// Receipts that no verifier should take for evidence at all.
import { BASE, changed, damagedText, EVENT, MAX_PATH_LENGTH, OTHER_NODE, TOKEN } from "./damage-base.ts";
import { change, type Draft, type Edit, type Json, print, read, remove, set } from "./edit.ts";

/** A file is of one kind: with the members of two, one reader would verify one of them, and another the other. */
export function mixedEntries(): Draft[] {
  const [report, bundle, seal] = [`receipts/${BASE}.json`, "bundles/conversation.json", "seals/2.json"];
  const mixed = (name: string, reason: string, ...files: string[]): Draft => {
    const file = `damaged/mixed-${name}.json`;
    const made = { [file]: print(Object.assign({}, ...files.map(read)) as Json) };
    const anchors = "authorities/service.pem";
    return { file, kind: "mixed", expected: "unreadable", failing: [], unmade: [], reason, anchors, made };
  };
  return [
    mixed("report-and-bundle", "a bundle with the members of a report", report, bundle),
    mixed("bundle-and-report", "a report with the members of a bundle", bundle, report),
    mixed("report-and-root", "a report with the members of a published root", report, seal),
    mixed("bundle-and-root", "a bundle with the members of a published root", bundle, seal),
  ];
}

export function unreadableEntries(): Draft[] {
  const unreadable = (name: string, reason: string, edit: Edit) => ({
    ...changed(`unreadable-${name}`, [], reason, edit),
    expected: "unreadable" as const,
    unmade: [],
  });
  const text = print(read(`receipts/${BASE}.json`));
  const unreadableText = (name: string, reason: string, damage: (text: string) => string) => ({
    ...damagedText(`unreadable-${name}`, [], reason, damage(text)),
    expected: "unreadable" as const,
    unmade: [],
  });
  const root = "/merkle_proof/merkle_root";
  const upper = change<string>(root, (node) => `0x${node.slice(2).toUpperCase()}`);
  const longPath = Array.from({ length: MAX_PATH_LENGTH + 1 }, () => OTHER_NODE);
  return [
    unreadable("hex-upper-case", "hex in upper case", upper),
    unreadable(
      "hex-prefix",
      "a node without 0x",
      change<string>(root, (node) => node.slice(2)),
    ),
    unreadable(
      "hex-short",
      "a digit too few",
      change<string>(root, (node) => node.slice(0, -1)),
    ),
    unreadable(
      "hex-letter",
      "a letter that is no hex digit",
      change<string>(root, (node) => `${node.slice(0, -1)}g`),
    ),
    unreadable("node-number", "a number where a node must be", set(`${EVENT}/path/0`, 5)),
    unreadable("path-too-long", "more nodes than any tree has levels", set(`${EVENT}/path`, longPath)),
    unreadable("leaf_index-negative", "a negative index", set(`${EVENT}/leaf_index`, -1)),
    unreadable("leaf_index-fraction", "a fraction as index", set(`${EVENT}/leaf_index`, 3.5)),
    unreadable("leaf_index-text", "an index in quotes", set(`${EVENT}/leaf_index`, "3")),
    unreadable("tree_size-zero", "a tree without leaves", set(`${EVENT}/tree_size`, 0)),
    unreadable("status", "a status that there is not", set("/merkle_proof/status", "final")),
    unreadable("covers", "a timestamp of something else", set("/tsa_timestamp/covers", "leaf_hash")),
    unreadable("token-no-base64", "a token that is not base64", set(TOKEN, "%%%%")),
    unreadable(
      "token-line-break",
      "base64 in lines",
      change<string>(TOKEN, (token) => `${token.slice(0, 64)}\n${token.slice(64)}`),
    ),
    unreadable("no-proof", "no merkle_proof", remove("/merkle_proof")),
    unreadable("no-event-proof", "no event_inclusion_proof", remove(EVENT)),
    unreadable("no-receipt", "an empty list of receipts", set("/receipts", [])),
    unreadable(
      "two-receipts",
      "two receipts and one proof",
      change<Json[]>("/receipts", (list) => [...list, ...list]),
    ),
    unreadable("receipt-list", "a list where the receipt must be", set("/receipts/0", [])),
    unreadableText("doubled-member", "a member twice: two readers could read two receipts", (whole) =>
      whole.replace('"verdict": "MODIFY"', '"verdict": "ALLOW",\n      "verdict": "MODIFY"'),
    ),
    unreadableText("doubled-member-escaped", "a member twice, once in escapes", (whole) =>
      whole.replace('"verdict": "MODIFY"', '"\\u0076erdict": "ALLOW",\n      "verdict": "MODIFY"'),
    ),
    unreadableText("lone-surrogate", "half a character", (whole) =>
      whole.replace('"verifiability": "verifiable"', '"verifiability": "\\ud800"'),
    ),
    unreadableText("number-too-large", "a number that a double can't hold", (whole) =>
      whole.replace('"leaf_index": 3,', '"leaf_index": 9007199254740993,'),
    ),
    unreadableText("cut", "the end is missing", (whole) => whole.slice(0, -4)),
    unreadableText("byte-order-mark", "a byte order mark in front", (whole) => `\ufeff${whole}`),
  ];
}
