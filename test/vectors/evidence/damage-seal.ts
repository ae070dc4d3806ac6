// The seals of the index: the published ones, and seal 2 with each thing wrong.
import { ANCHORS, OTHER_NODE, TOKEN } from "./damage-base.ts";
import {
  at,
  beside,
  change,
  type Draft,
  type Edit,
  type Json,
  otherHex,
  print,
  read,
  remove,
  set,
  swap,
} from "./edit.ts";

const BOTH_ANCHORS = "authorities/service-and-other.pem";
const ADDITIONAL = "/additional_timestamps";

export function sealEntries(): Draft[] {
  return [...goodSeals(), ...treeChanges(), ...timestampChanges(), ...statements(), ...unreadables()];
}

function goodSeals(): Draft[] {
  const good = (index: number): Draft => ({
    file: `seals/${index}.json`,
    kind: "seal",
    failing: [],
    unmade: [],
    reason: index === 0 ? "the first seal" : `follows seal ${index - 1}`,
    anchors: ANCHORS,
    ...(index > 0 && { previous: `seals/${index - 1}.json` }),
  });
  const { anchors: _anchors, previous: _previous, ...bare } = good(2);
  return [
    ...[0, 1, 2, 3].map(good),
    { ...bare, unmade: ["previous_seal", "timestamp"], reason: "a seal and nothing beside it" },
  ];
}

function changed(
  name: string,
  failing: string[],
  reason: string,
  edit: Edit,
  overrides: Partial<Draft> = {},
): Draft {
  const value = read("seals/2.json");
  edit(value);
  const file = `damaged/seal-${name}.json`;
  const made = { [file]: print(value) };
  const context = { anchors: ANCHORS, previous: "seals/1.json" };
  return { file, kind: "seal", failing, unmade: [], reason, ...context, made, ...overrides };
}

function treeChanges(): Draft[] {
  const path = (name: string, reason: string, edit: Edit) =>
    changed(`consistency_path-${name}`, ["consistency"], reason, edit);
  const list = "/consistency_path";
  const both = ["previous_seal", "consistency"];
  return [
    changed("index", ["previous_seal"], "another index", set("/index", 3)),
    changed("index-zero", ["previous_seal"], "a later seal as the first", set("/index", 0)),
    changed("merkle_root", ["consistency", "timestamp"], "another root", otherHex("/merkle_root")),
    changed("tree_size", ["consistency"], "another size", set("/tree_size", 12)),
    changed("tree_size-smaller", ["consistency"], "smaller than the seal before", set("/tree_size", 2)),
    changed("previous_root", both, "another previous root", otherHex("/previous_root")),
    changed("previous_root-null", both, "no previous root", set("/previous_root", null)),
    changed("previous_tree_size", both, "another previous size", set("/previous_tree_size", 2)),
    changed("previous_tree_size-zero", both, "nothing before it", set("/previous_tree_size", 0)),
    ...[0, 1, 2, 3].map((i) => path(`${i}`, `node ${i} of the path was changed`, otherHex(`${list}/${i}`))),
    path("first-dropped", "the path lacks its first node", remove(`${list}/0`)),
    path("last-dropped", "the path lacks its last node", remove(`${list}/3`)),
    path("empty", "the path has no node", set(list, [])),
    path(
      "longer",
      "the path has a node too many",
      change<string[]>(list, (nodes) => [...nodes, OTHER_NODE]),
    ),
    path("swapped", "two nodes of the path changed places", swap(list, 1, 2)),
    {
      ...changed("previous-skipped", ["previous_seal"], "a seal was left out", () => {}),
      previous: "seals/0.json",
    },
    beside(
      changed("previous-forked", ["previous_seal"], "the seal before is another than this one extends", () => {}),
      "previous",
      "damaged/seal-forked-previous.json",
      forkedPrevious(),
    ),
    {
      ...changed(
        "sealed_at-earlier",
        ["previous_seal"],
        "older than the seal before",
        set("/sealed_at", "2026-01-01T00:00:00.000Z"),
      ),
    },
    changed(
      "sealed_at-later",
      ["timestamp"],
      "younger than its token",
      set("/sealed_at", "2036-01-01T00:00:00.000Z"),
    ),
  ];
}

function forkedPrevious(): Json {
  const seal = read("seals/1.json");
  set("/merkle_root", OTHER_NODE)(seal);
  return seal;
}

function timestampChanges(): Draft[] {
  const tokenOf = (file: string) => at(read(file), "/timestamp_token");
  const additional = (token: unknown): Edit =>
    set(ADDITIONAL, [
      {
        status: "included",
        timestamp_token: token as string,
        tsa_url: "https://tsa.example",
        covers: "merkle_root",
      },
    ]);
  const other = tokenOf("authorities/other-token.json");
  const wrongRoot = at(read("seals/1.json"), TOKEN);
  const pending = { status: "pending", timestamp_token: null, tsa_url: null, covers: "merkle_root" };
  const one = "additional_timestamps";
  return [
    changed(
      "timestamp-of-another-root",
      ["timestamp"],
      "the token of the seal before",
      set(TOKEN, wrongRoot),
    ),
    changed(
      "timestamp-by-another-authority",
      [],
      "a sound token of an authority whose certificate the reader hasn't got",
      set(TOKEN, other),
      { unmade: ["timestamp"] },
    ),
    changed(
      "timestamp-early",
      ["timestamp"],
      "the token is older than the seal",
      set(TOKEN, tokenOf("authorities/early-token.json")),
      {
        anchors: "authorities/early.pem",
      },
    ),
    changed("timestamp-pending", [], "without a token yet", set("/tsa_timestamp", pending), {
      unmade: ["timestamp"],
    }),
    changed("additional", [], "a second authority, which the reader trusts too", additional(other), {
      anchors: BOTH_ANCHORS,
    }),
    changed(
      "additional-by-another-authority",
      [],
      "a second authority, whose certificate the reader hasn't got",
      additional(other),
      { unmade: [one] },
    ),
    changed("additional-of-another-root", [one], "a second token, over another root", additional(wrongRoot)),
    changed("additional-pending", [], "a second token still to come", set(ADDITIONAL, [pending]), {
      unmade: [one],
    }),
  ];
}

/** What a seal says and nothing public proves. */
function statements(): Draft[] {
  const stated = (name: string, reason: string, edit: Edit) => changed(`stated-${name}`, [], reason, edit);
  const size = stated(
    "tree_size-of-equal-shape",
    "another size, whose path takes the same turns: the next seal and every receipt under this one tell",
    set("/tree_size", 7),
  );
  return [
    stated("receipt_count", "receipt_count is stated, not proven", set("/receipt_count", 800)),
    stated("tsa_url", "tsa_url is stated, not proven", set("/tsa_timestamp/tsa_url", "https://tsa.example")),
    stated(
      "sealed_at",
      "sealed_at is stated: it only may not be before the last seal's, nor 5 minutes after the token's time",
      change<string>("/sealed_at", (time) => `${time.slice(0, -2)}${time.endsWith("0Z") ? "1" : "0"}Z`),
    ),
    size,
    {
      file: "seals/3.json",
      kind: "seal",
      failing: ["previous_seal"],
      unmade: [],
      reason: "the seal before stated another size",
      anchors: ANCHORS,
      previous: size.file,
    },
  ];
}

function unreadables(): Draft[] {
  const unreadable = (name: string, reason: string, edit: Edit) => ({
    ...changed(`unreadable-${name}`, [], reason, edit),
    expected: "unreadable" as const,
  });
  return [
    unreadable("merkle_root", "a root that is no hex", set("/merkle_root", `0x${"z".repeat(64)}`)),
    unreadable("tree_size", "a tree without entries", set("/tree_size", 0)),
    unreadable("sealed_at", "a time without milliseconds", set("/sealed_at", "2026-01-01T00:00:00Z")),
    unreadable("path", "no path", remove("/consistency_path")),
    unreadable("additional", "a token where a list must be", set(ADDITIONAL, "token")),
  ];
}
