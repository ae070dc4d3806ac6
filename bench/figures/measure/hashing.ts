// Hashing by core/ beside Node's own hash and openssl's, on inputs of the same length.
import { execFileSync } from "node:child_process";
import { hash, randomBytes } from "node:crypto";
import { canonicalBytes } from "../../../core/canonical-json.ts";
import { HASH_BYTES, hashBytes, hashLeaf, hashNode } from "../../../core/merkle/hash.ts";
import { appendLeaves } from "../../../core/merkle/merkle-tree.ts";
import { sha256 as inJavaScript } from "../../../core/merkle/sha256.ts";
import { DISCLOSURE } from "../../disclosure.ts";
import { columnsOf, type Figure, type Measure } from "../result.ts";

/** As long as a node's two children with their prefix. */
const NODE_BYTES = 65;
const ENTRY_BYTES = 64;
const LEAVES = 10_000;
const ROUNDS = 5;
const ROUND_MS = { whole: 400, short: 60 };
const BATCH = 500;
const MS_PER_SECOND = 1_000;
const LAST_NUMBER = /([\d.]+)k\s*$/m;
const BYTES_PER_K = 1_000;

/** Work that is `count` hashes. */
interface HashingWork {
  readonly name: string;
  readonly count: number;
  readonly run: () => unknown;
}

const [left, right, message] = [randomBytes(HASH_BYTES), randomBytes(HASH_BYTES), randomBytes(NODE_BYTES)];
const entry = randomBytes(ENTRY_BYTES);
const leaves = randomBytes(LEAVES * HASH_BYTES);
const repeat = (run: () => unknown) => (): void => {
  for (let i = 0; i < BATCH; i++) run();
};

const WORKS: readonly HashingWork[] = [
  { name: "a node, by core", count: BATCH, run: repeat(() => hashNode(left, right)) },
  { name: "an entry's leaf, by core", count: BATCH, run: repeat(() => hashLeaf(entry)) },
  { name: "a tree over leaf hashes, by core", count: LEAVES, run: () => appendLeaves(null, leaves) },
  {
    name: "a request as canonical JSON, by core",
    count: BATCH,
    run: repeat(() => hashBytes(canonicalBytes(DISCLOSURE))),
  },
  { name: "65 bytes, in JavaScript", count: BATCH, run: repeat(() => inJavaScript(message)) },
  { name: "65 bytes, by Node", count: BATCH, run: repeat(() => hash("sha256", message, "buffer")) },
  // Node makes a text of it several times as fast as a buffer.
  { name: "65 bytes, by Node as text", count: BATCH, run: repeat(() => hash("sha256", message, "binary")) },
];

export const measure: Measure = async ({ isQuick, progress }) => {
  const ms = isQuick ? ROUND_MS.short : ROUND_MS.whole;
  const rows: [name: string, perSecond: number | null][] = WORKS.map((work) => {
    progress(work.name);
    return [work.name, Math.max(...Array.from({ length: ROUNDS }, () => perSecond(work, ms)))];
  });
  const openssl = opensslRate(isQuick);
  if (openssl !== null) rows.push(["65 bytes, by openssl speed", openssl.rate]);
  return {
    columns: COLUMNS,
    rows,
    figures: figuresOf(new Map(rows)),
    skipped: openssl === null ? ["openssl speed, for openssl is not here"] : [],
    versions: openssl === null ? {} : { openssl: openssl.version },
  };
};

const COLUMNS = columnsOf(["what", "text"], ["hashes", "/s"]);

function perSecond({ count, run }: HashingWork, ms: number): number {
  const start = performance.now();
  let runs = 0;
  while (performance.now() - start < ms) {
    run();
    runs++;
  }
  return ((runs * count) / (performance.now() - start)) * MS_PER_SECOND;
}

/** The rate of the fastest code at hand; null where openssl is not here. */
function opensslRate(isQuick: boolean): { rate: number; version: string } | null {
  try {
    const version = execFileSync("openssl", ["version"], { encoding: "utf8" }).split(" ")[1] ?? "unknown";
    const words = ["speed", "-seconds", isQuick ? "1" : "3", "-bytes", String(NODE_BYTES), "-evp", "sha256"];
    const text = execFileSync("openssl", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return { rate: (Number(LAST_NUMBER.exec(text)?.[1]) * BYTES_PER_K) / NODE_BYTES, version };
  } catch {
    return null;
  }
}

function figuresOf(rates: ReadonlyMap<string, number | null>): Figure[] {
  const of = (name: string, other: string): number | null => {
    const [one, by] = [rates.get(name) ?? null, rates.get(other) ?? null];
    return one === null || by === null ? null : one / by;
  };
  const openssl = "65 bytes, by openssl speed";
  return [
    {
      key: "node-of-openssl",
      what: "a node by core, of openssl's rate",
      value: of("a node, by core", openssl),
      unit: "share",
    },
    {
      key: "node-of-node",
      what: "a node by core, of Node's own rate at its best",
      value: of("a node, by core", "65 bytes, by Node as text"),
      unit: "share",
    },
    {
      key: "tree-of-openssl",
      what: "a leaf of a tree by core, of openssl's rate",
      value: of("a tree over leaf hashes, by core", openssl),
      unit: "share",
    },
  ];
}
