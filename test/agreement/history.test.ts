// The command line and the verifier in Python say the same of a receipt, the history of its chain and the public log.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../evidence/core/bytes.ts";
import { fingerprintOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { fileWith, readJson, receipts, vector } from "../tools/cli/command-line.ts";
import {
  ANCHOR,
  CHAIN,
  conversationOf,
  EVIDENCE,
  EVIDENCE_ELSEWHERE,
  EVIDENCE_OF_A_FORK,
  EVIDENCE_SEALED,
  entryOf,
  evidenceWithId,
  type Folders,
  foldersOf,
  HONEST,
  strange,
  type Told,
} from "./histories.ts";
import { hasPython } from "./python.ts";
import { verify } from "./python-program.ts";
import { serviceLayers } from "./rows.ts";

type Outcome = Record<string, boolean | null | undefined>;
interface Said {
  readonly status: number | null;
  /** Null where nothing was verified, since what the reader gave could not be read. */
  readonly checks: Outcome | null;
}
interface Given {
  readonly evidence?: object;
  readonly tenant?: string;
}

const NAMES = ["chain_history", "public_heads", "other_chains", "tenant"];
const GOOD = { chain_history: true, public_heads: true, other_chains: true, tenant: true };
const BROKEN = { chain_history: false, public_heads: false, other_chains: null };
/** A receipt that waits for its head is found in no log. */
const PENDING = { public_heads: null, other_chains: null };
/** The policy layer that the receipts name. */
const LAYER = serviceLayers.flatMap((layer) => ["--layer", layer]);
const FINGERPRINT = fingerprintOf(ANCHOR);

async function commandLine(
  { history, log }: Folders,
  { evidence = EVIDENCE_SEALED, tenant = FINGERPRINT }: Given,
) {
  const file = fileWith(JSON.stringify(evidence));
  const from = ["--history", history, "--metachain", log, "--tenant", tenant];
  return saidBy(await receipts("verify", file, ...from, ...LAYER, "--tsa-ca", "none", "--json"));
}

function python(
  { history, log }: Folders,
  { evidence = EVIDENCE_SEALED, tenant = FINGERPRINT }: Given,
): Said {
  const file = fileWith(JSON.stringify(evidence));
  return saidBy(verify(file, "--history", history, "--log", log, "--tenant", tenant, ...LAYER, "--json"));
}

function saidBy({ status, stdout }: { status: number | null; stdout: string }): Said {
  if (stdout === "") return { status, checks: null };
  const [{ checks }] = JSON.parse(stdout).files as [{ checks: { name: string; ok: boolean | null }[] }];
  return { status, checks: Object.fromEntries(checks.map(({ name, ok }) => [name, ok])) };
}

/** Both say this of the checks that the history allows. Of the others the command line makes more: it reads the roots, too. */
async function expectBoth(folders: Folders, expected: Outcome | null, given: Given = {}): Promise<void> {
  const held = ({ checks }: Said) => checks && Object.fromEntries(NAMES.map((name) => [name, checks[name]]));
  const said = await commandLine(folders, given);
  expect(held(said)).toEqual(expected);
  if (!hasPython) return;
  const inPython = python(folders, given);
  expect(held(inPython)).toEqual(expected);
  if (expected === null) expect(inPython).toEqual(said);
}

/** Ids that are none of the fourth receipt of the chain: the shard is the last three digits of the fourth group. */
const OTHER_IDS: readonly (readonly [string, (id: string) => string])[] = [
  ["names another chain of the tenant", (id) => id.replace(/003-(?=[0-9a-f]{12}$)/, "004-")],
  ["is in capitals", (id) => id.toUpperCase()],
  ["is one of another version", (id) => id.replace(/-8(?=[0-9a-f]{3}-)/, "-4")],
];

const entries = HONEST.entries ?? [];
const [first, second, third] = HONEST.heads;
if (first === undefined || second === undefined || third === undefined)
  throw new Error("there are four heads");
const another = { ...second, root: first.root };

describe("a receipt with the history of its chain and the public log", () => {
  test.each<[string, Partial<Told>, Outcome]>([
    ["that go together", {}, {}],
    ["whose label stands twice there", { entries: entries.with(100, entryOf(second)) }, {}],
    ["whose label stands there before its turn", { entries: entries.with(1, entryOf(another)) }, {}],
    ["whose label has another head first", { entries: entries.with(9, entryOf(another)) }, BROKEN],
    ["whose head is another there", { entries: entries.with(40, entryOf(another)) }, BROKEN],
    [
      "whose head stands elsewhere there",
      { entries: entries.with(40, strange(40)).with(41, entryOf(second)) },
      BROKEN,
    ],
    ["that lacks a head", { entries: entries.with(40, strange(40)) }, BROKEN],
    ["that lacks a later head", { entries: entries.with(260, strange(260)) }, {}],
    ["that is newer than the history", { heads: HONEST.heads.slice(0, -1) }, {}],
    ["that has a further head", { entries: entries.with(299, entryOf({ ...third, head_index: 4 })) }, {}],
    ["that has a stranger’s label twice, as an audit finds", { entries: entries.with(7, strange(8)) }, {}],
    ["that is older than the history", { entries: entries.slice(0, 265) }, {}],
    [
      "that is older than the receipt",
      { entries: entries.slice(0, 40) },
      { chain_history: null, public_heads: null, other_chains: null },
    ],
    ["that has no root yet", { entries: null }, { public_heads: null, other_chains: undefined }],
    ["whose newest roots have no entries yet", { ahead: 31 }, {}],
    [
      "of which the history is of no chain",
      { index: { ...HONEST.index, chains: [] } },
      { chain_history: null, other_chains: null },
    ],
    ["of which the history has no head", { heads: [] }, { chain_history: null, other_chains: null }],
    [
      "of which the history has no anchor",
      { index: { ...HONEST.index, tenant_anchor: null } },
      { other_chains: undefined, tenant: null },
    ],
  ])("%s", async (_, change, expected) => {
    await expectBoth(foldersOf({ ...HONEST, ...change }), { ...GOOD, ...expected });
  });

  test.each<[string, Given, Outcome]>([
    ["of another tenant", { tenant: fingerprintOf("6".repeat(32)) }, { tenant: false }],
    [
      "of a chain that is none of the tenant's",
      { evidence: EVIDENCE_ELSEWHERE },
      { ...PENDING, chain_history: null, tenant: false },
    ],
    ...OTHER_IDS.map(([name, idOf]): [string, Given, Outcome] => [
      `whose id ${name}`,
      { evidence: evidenceWithId(idOf) },
      { ...PENDING, chain_history: false, tenant: false },
    ]),
    ["that waits for its head", { evidence: EVIDENCE }, PENDING],
    ["that forks the chain", { evidence: EVIDENCE_OF_A_FORK }, { ...PENDING, chain_history: false }],
  ])("%s", async (_, given, expected) => {
    await expectBoth(foldersOf(HONEST), { ...GOOD, ...expected }, given);
  });
});

test.skipIf(!hasPython)("the turns of a conversation are held against the history one by one", async () => {
  const evidence = readJson<object>(vector("bundles/conversation.json"));
  const folders = foldersOf(HONEST);
  // The command line takes the published roots from the log, too, so their checks differ.
  const ofTurns = ({ checks }: Said) =>
    Object.entries(checks ?? {}).filter(([name]) => NAMES.includes(name.split("/").at(-1) ?? ""));
  const said = ofTurns(python(folders, { evidence }));
  expect(Object.fromEntries(said)).toMatchObject({
    "receipts/1/chain_history": null,
    "receipts/1/tenant": false,
  });
  expect(said).toEqual(ofTurns(await commandLine(folders, { evidence })));
});

test.skipIf(!hasPython).each<[string, object, Partial<Told>, string]>([
  ["with all of its turns", conversationOf([0, 1, 2, 3, 4, 5]), {}, "true"],
  ["without its last turn", conversationOf([0, 1, 2, 3, 4]), {}, "null turn_missing"],
  ["without a turn in between", conversationOf([0, 1, 3, 4, 5]), {}, "null turn_missing"],
  ["from its third turn on", conversationOf([2, 3, 4, 5]), {}, "true"],
  [
    "without its last turn, and a history from before it",
    conversationOf([0, 1, 2, 3, 4]),
    { heads: HONEST.heads.slice(0, 2) },
    "true",
  ],
  [
    "and a history from before its last turn",
    conversationOf([0, 1, 2, 3, 4, 5]),
    { heads: HONEST.heads.slice(0, 2) },
    "null too_new",
  ],
  [
    "and a log from before its last turn",
    conversationOf([0, 1, 2, 3, 4, 5]),
    { entries: entries.slice(0, 200) },
    "null too_new",
  ],
  [
    "without its last turn, and a log from before the turn before",
    conversationOf([0, 1, 2, 3, 4]),
    { entries: entries.slice(0, 20) },
    "null too_new",
  ],
  ["that waits for the head of its last turn", conversationOf([0, 1, 2, 3, 4, 5], [5]), {}, "null pending"],
  ["without its last turn, whose last is pending", conversationOf([0, 1, 2, 3, 4], [4]), {}, "null pending"],
  [
    "whose last turn is pending, and a history of no chain",
    conversationOf([0, 1, 2, 3, 4, 5], [5]),
    { index: { ...HONEST.index, chains: [] } },
    "null other_history",
  ],
  ["with two turns the other way round", conversationOf([0, 1, 3, 2, 4, 5]), {}, "null turn_missing"],
  [
    "with another head at its place",
    conversationOf([0, 1, 2, 3, 4, 5]),
    { entries: entries.with(40, entryOf(another)) },
    "null too_new",
  ],
  ["and a log without a root", conversationOf([0, 1, 2, 3, 4, 5]), { entries: null }, "null not_given"],
  [
    "and a history of no chain",
    conversationOf([0, 1, 2, 3, 4, 5]),
    { index: { ...HONEST.index, chains: [] } },
    "null other_history",
  ],
])("a conversation %s", async (_, evidence, change, expected) => {
  const folders = foldersOf({ ...HONEST, ...change });
  const file = fileWith(JSON.stringify(evidence));
  const whole = ({ stdout }: { stdout: string }) => {
    const [{ checks }] = JSON.parse(stdout).files as [
      { checks: { name: string; ok: unknown; reason?: string }[] },
    ];
    const found = checks.find(({ name }) => name === "whole");
    return `${found?.ok}${found?.reason === undefined ? "" : ` ${found.reason}`}`;
  };
  const from = ["--history", folders.history];
  expect({
    inPython: whole(verify(file, ...from, "--log", folders.log, "--json")),
    commandLine: whole(
      await receipts("verify", file, ...from, "--metachain", folders.log, "--tsa-ca", "none", "--json"),
    ),
  }).toEqual({ inPython: expected, commandLine: expected });
});

describe("no receipt is verified", () => {
  const otherShard = { ...HONEST.index, chains: [{ chain_id: CHAIN, shard: 4 }] };

  test.each<[string, Partial<Told>]>([
    ["where the entries lead to another root", { root: { merkle_root: first.root } }],
    ["where too many of the newest roots have no entries", { ahead: 32 }],
    ["where a leaf hash is another", { leaves: HONEST.leaves.with(7, strange(0).subarray(0, 32)) }],
    ["where leaves are missing", { leaves: HONEST.leaves.slice(0, -1) }],
    [
      "where a head has more receipts than there ever are, and a later one fewer",
      {
        heads: [
          { ...first, tree_size: Number.MAX_SAFE_INTEGER },
          { ...second, tree_size: 1 },
        ],
      },
    ],
    ["where a head is missing from the history", { heads: HONEST.heads.toSpliced(1, 1) }],
    ["where the chain is not that of the anchor and the shard", { index: otherShard }],
    ["where the index is none", { index: { chains: [] } }],
  ])("%s", async (_, change) => {
    await expectBoth(foldersOf({ ...HONEST, ...change }), null);
  });

  test.each<[string, (folders: Folders) => void]>([
    ["where the history has no index", ({ history }) => rmSync(join(history, "history.json"))],
    ["where the folder is no mirror", ({ log }) => rmSync(join(log, "v1/metachain/index.json"))],
    ["where a bundle of entries is missing", ({ log }) => rmSync(bundle(log))],
    [
      "where a bundle is no list of entries",
      ({ log }) => writeFileSync(bundle(log), new Uint8Array(256 * 66)),
    ],
    ["where a list of heads is empty", ({ history }) => writeFileSync(heads(history, 1), "[]")],
    [
      "where a tile under the second list of heads has another hash than it had under the first",
      ({ history }) => {
        writeFileSync(heads(history, 0), JSON.stringify(HONEST.heads.slice(0, 3)));
        writeFileSync(heads(history, 1), JSON.stringify(HONEST.heads.slice(3)));
        writeFileSync(lastTile(history, 24), concatBytes(...HONEST.leaves.slice(256, 280)));
        writeFileSync(lastTile(history, 44), concatBytes(...HONEST.leaves.slice(256).with(7, filler)));
      },
    ],
  ])("%s", async (_, damage) => {
    const folders = foldersOf(HONEST);
    damage(folders);
    await expectBoth(folders, null);
  });
  const bundle = (log: string): string => join(log, "v1/metachain/tile/entries/000");
  const heads = (history: string, file: number): string =>
    join(history, "chains", CHAIN, `heads/${file}.json`);
  const lastTile = (history: string, width: number): string =>
    join(history, "chains", CHAIN, `entries/001.p/${width}`);
  const filler = strange(0).subarray(0, 32);

  test("where the fingerprint is none", async () => {
    await expectBoth(foldersOf(HONEST), null, { tenant: "sha256:5" });
  });
});

describe.skipIf(!hasPython)("disclosure_receipts verify in Python", () => {
  test("leaves unmade what it was not given, and asks for the history of a tenant", () => {
    const { history, log } = foldersOf(HONEST);
    const file = fileWith(JSON.stringify(EVIDENCE));
    const { checks } = saidBy(verify(file, "--history", history, "--json"));
    expect(checks).toMatchObject({ chain_history: true, public_heads: null });
    expect(checks).not.toHaveProperty("tenant");
    const logAlone = saidBy(verify(fileWith(JSON.stringify(EVIDENCE_SEALED)), "--log", log, "--json"));
    expect(logAlone.checks).toMatchObject({ public_heads: true });
    expect(logAlone.checks).not.toHaveProperty("chain_history");
    expect(verify(file, "--log", log, "--tenant", FINGERPRINT)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--history"),
    });
  });
});
