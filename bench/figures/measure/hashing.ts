// Hashing by evidence/core/ beside Node's own hash and openssl's, on inputs of the same length.
import { execFileSync } from "node:child_process";
import { hash, randomBytes } from "node:crypto";
import { SECOND_MS } from "../../../contract/time.ts";
import { canonicalBytes } from "../../../evidence/core/canonical-json.ts";
import { appendEntries, ENTRY_BYTES } from "../../../evidence/core/log/entry.ts";
import { HASH_BYTES, hashBytes, hashLeaf, hashNode } from "../../../evidence/core/merkle/hash.ts";
import { sha256 as inJavaScript } from "../../../evidence/core/merkle/sha256.ts";
import { DISCLOSURE } from "../../disclosure.ts";
import { opensslVersion } from "../openssl.ts";
import { columnsOf, figureOf, type Measure, ratioOf } from "../result.ts";
import { timeOf } from "../timed.ts";

/** As long as a node's two children with their prefix. */
const NODE_BYTES = 65;
const LEAVES = 10_000;
const MS = { whole: 2_000, short: 60 };
const BATCH = 500;
const LAST_NUMBER = /([\d.]+)k\s*$/m;
const BYTES_PER_K = 1_000;

const [left, right, message] = [randomBytes(HASH_BYTES), randomBytes(HASH_BYTES), randomBytes(NODE_BYTES)];
const entry = randomBytes(ENTRY_BYTES);
const entries = randomBytes(LEAVES * ENTRY_BYTES);

/** The clock takes longer than a hash: so many are a run. */
const repeat = (run: () => unknown) => (): void => {
  for (let i = 0; i < BATCH; i++) run();
};
const A_NODE = "a node, by core";
const A_TREE = "a tree over entries, by core";
const BY_NODE = "65 bytes, by Node as text";
const BY_OPENSSL = "65 bytes, by openssl speed";
/** The name, the hashes of a run, and the run. */
const WORKS: readonly (readonly [name: string, count: number, run: () => unknown])[] = [
  [A_NODE, BATCH, repeat(() => hashNode(left, right))],
  ["an entry's leaf, by core", BATCH, repeat(() => hashLeaf(entry))],
  [A_TREE, LEAVES, () => void appendEntries(null, entries)],
  ["a request as canonical JSON, by core", BATCH, repeat(() => hashBytes(canonicalBytes(DISCLOSURE)))],
  ["65 bytes, in JavaScript", BATCH, repeat(() => inJavaScript(message))],
  ["65 bytes, by Node", BATCH, repeat(() => hash("sha256", message, "buffer"))],
  // Node makes a text of it several times as fast as a buffer.
  [BY_NODE, BATCH, repeat(() => hash("sha256", message, "binary"))],
];

export const measure: Measure = async ({ isQuick, progress }) => {
  const rates = new Map<string, number>();
  for (const [name, count, run] of WORKS) {
    progress(name);
    const { least } = await timeOf(run, { ms: isQuick ? MS.short : MS.whole });
    rates.set(name, (count / least) * SECOND_MS);
  }
  const openssl = opensslVersion();
  if (openssl !== null) rates.set(BY_OPENSSL, opensslRate(isQuick));
  const share = (what: string, one: string, other: string) =>
    figureOf(what, ratioOf(rates.get(one), rates.get(other)), "share");
  return {
    columns: columnsOf("what: text", "hashes: /s"),
    rows: [...rates],
    figures: [
      share("a node by core, of openssl's rate", A_NODE, BY_OPENSSL),
      share("a node by core, of Node's own rate at its best", A_NODE, BY_NODE),
      share("a leaf of a tree by core, of openssl's rate", A_TREE, BY_OPENSSL),
    ],
    skipped: openssl === null ? ["openssl speed, for openssl is not here"] : [],
    versions: openssl === null ? {} : { openssl },
  };
};

/** The rate of the fastest code at hand. */
function opensslRate(isQuick: boolean): number {
  const words = ["speed", "-seconds", isQuick ? "1" : "3", "-bytes", String(NODE_BYTES), "-evp", "sha256"];
  const text = execFileSync("openssl", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return (Number(LAST_NUMBER.exec(text)?.[1]) * BYTES_PER_K) / NODE_BYTES;
}
