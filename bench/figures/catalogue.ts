// The benches by name: what each measures, and how. `npm run bench` runs them in this order.

export interface BenchEntry {
  readonly name: string;
  readonly title: string;
  /** For the page of results: how it is measured, in sentences. */
  readonly how: string;
  /** Packages whose versions matter. */
  readonly packages?: readonly string[];
  /** Files or folders from the root that the bench runs beside its own TypeScript. */
  readonly others?: readonly string[];
  /** True for one that takes an hour by itself: it runs where its name is given. */
  readonly isLong?: boolean;
}

/** A program with tables and results of its own, which the one command runs too. */
export interface PageProgram {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  /** Its words for a whole run, a short run, and for keeping the result. */
  readonly whole: readonly string[];
  readonly quick: readonly string[];
  readonly write: readonly string[];
}

/** The module of a bench, from the root of the repository. It exports `measure`. */
export const moduleOf = ({ name }: BenchEntry): string => `bench/figures/measure/${name}.ts`;

const SDK = ["@aws-sdk/client-dynamodb"];

export const BENCHES: readonly BenchEntry[] = [
  {
    name: "attest",
    title: "attestations against the engine's own ceiling",
    how: `The local process (\`npm start\`, its engine in a thread of it) takes attestations over HTTP from callers in another
process, each of which sends its next call when it has the answer, with an \`Idempotency-Key\`, in conversations of four turns.
The ceiling: transactions of the same items, planned and written as text beforehand, as full as DynamoDB allows (33 receipts),
sent straight to an engine of its own in a process of its own: one after the other on each chain, and four at once. Service and
ceiling are measured in turns on one disk; the ratio is the median of the turns'.`,
    packages: SDK,
  },
  {
    name: "hour",
    title: "the local process under 64 callers for an hour",
    how: `As \`attest\`, with 64 callers of one tenant and one chain for an hour without a pause, sealed as \`npm start\` does it meanwhile. This
bench runs where its name is given, and not among all.`,
    packages: SDK,
    isLong: true,
  },
  {
    name: "tessera",
    title: "until an inclusion proof can be had, beside Tessera's POSIX log",
    how: `The same callers send the same bodies to the local process and to an HTTP server around
[Tessera](https://github.com/transparency-dev/tessera)'s POSIX log on the same disk (\`bench/figures/tessera\`), in turns. A call
ends when its answer is there, and each answer holds an inclusion proof: ours under the chain's root, Tessera's under a signed
checkpoint that is on disk. Tessera has its batches of 256 and the shortest waits that it allows. It is built for many
entries a checkpoint and not for a short wait; it hashes no request, keeps no conversation and knows no repeat of a call.`,
    packages: SDK,
    others: ["bench/figures/tessera"],
  },
  {
    name: "proof",
    title: "proof assembly in chains of 10^3 to 10^6 receipts",
    how: `Reports of receipts taken by chance (seeded) out of chains of a thousand to a million receipts in one data folder, which
\`npx node bench/figures/million.ts\` builds once with the service's own planner and the local process's own seals. The report is
assembled by the service's code in this process, the engine is a thread of it; over HTTP, the whole gateway comes on top. The
folder's ledger is read once beforehand: the disk's own time is no part of this.`,
    packages: SDK,
  },
  {
    name: "seal",
    title: "sealing 1 to 100,000 chains that have news",
    how: `The sealer's handler in a process with a heap of 512 MB at most, beside an engine, an object store, a key service and two
authorities in another process. First seals are of chains that were never sealed, next seals of the same chains with one more
receipt each. A run that is cut off by its budget is followed by the next, until all are sealed. Calls are the requests that the
process sends; memory is its resident set at its highest.`,
    packages: SDK,
  },
  {
    name: "million",
    title: "what readers and the operator do with a chain of a million receipts",
    how: `The command line, as a process of its own, against the data folder of \`proof\` served by the local process: time from its
start to its end, and its resident set at the highest. A report is the median of 50 that are read over HTTP, from all over the
chain; \`verify\` reads the published root beside it. Every report that is exported is a call and a file, which makes hours of a
million: \`export\` is of 10,000 receipts out of the middle of the chain, with the history of all of it. What grows with the
chain there is the history, 32 bytes a receipt.`,
    packages: SDK,
  },
  {
    name: "verify",
    title: "verifying reports in Node, in a browser, in Python and with openssl",
    how: `Different receipts of one chain under one root of a thousand chains, each with its published seal; the token is verified once
for all that share it. Processor time of one core, the best of several runs. The browser is a headless Chromium with the code that
Node runs, built as the verifier page is; its time is that of the page's whole process. Python is the package of \`python/\`, and
reads the JSON in the same time. openssl verifies the token alone, in a process each time, whose start is taken off.`,
    packages: ["@noble/hashes"],
    others: ["bench/figures/verify_reports.py"],
  },
  {
    name: "client",
    title: "the client's own part of a call, and the queue on disk",
    how: `The local process records calls; the client then makes the same calls and is given those answers at once, so that what is left
is its own work. The queue has a service in front of it that answers at once. Medians.`,
    packages: ["@noble/hashes"],
  },
  {
    name: "timestamps",
    title: "verifying a timestamp token, beside pkijs and `openssl ts -verify`",
    how: `The tokens of \`test/vectors/timestamps\`. Of openssl, a whole process less one that only starts, the least of many.`,
    packages: ["pkijs", "asn1js"],
  },
  {
    name: "hashing",
    title: "hashing against the processor",
    how: `Trees and entries by \`core/\`, which hashes with Node's OpenSSL in Node and with JavaScript in browsers, beside both of these
hashes and \`openssl speed\`, on inputs of the same length in one run.`,
    packages: ["@noble/hashes"],
  },
  {
    name: "log-walk",
    title: "a year of the public log, read entry by entry",
    how: `A log with an entry for each minute of a year: every entry bundle is read, every leaf and tile hashed, every label looked for,
and the root taken at every seal's size. Processor time.`,
    packages: ["@noble/hashes"],
  },
  {
    name: "history",
    title: "the history of a chain of a million receipts, walked by a reader",
    how: "By how many heads it was sealed under. Processor time, the best of three walks.",
    packages: ["@noble/hashes"],
  },
  {
    name: "starts",
    title: "cold starts: from the start of a process to its first answer",
    how: `Each bundle as it is deployed, in a fresh process: a function's until it is loaded, a web server's until it answers its health
check. Medians. The aims are those of the functions that a caller waits for: the others run by a schedule, or at a deployment.`,
    packages: ["esbuild", ...SDK],
  },
  {
    name: "engine",
    title: "the local engine by itself",
    how: "Requests over HTTP to the engine in a thread of this process, in rounds.",
  },
  {
    name: "worst-evidence",
    title: "what the worst evidence that we can think of costs a reader",
    how: `Processor time of reading and verifying, the best of three after one that warms up. Files of 2 MB as the command line and
the page take them, bodies of 320 KiB as \`POST /v1/verify-inclusion\` takes them.`,
    packages: ["@noble/hashes"],
  },
];

export const PAGE_PROGRAMS: readonly PageProgram[] = [
  {
    name: "throughput",
    title: "both runtimes with a Region's latencies put in between (docs/throughput.md)",
    file: "bench/throughput.ts",
    whole: ["--whole"],
    quick: ["--aims"],
    write: ["--write"],
  },
  {
    name: "cost",
    title: "what a deployment costs, from counted calls (docs/cost.md)",
    file: "bench/cost.ts",
    whole: ["--measure"],
    quick: [],
    write: ["--write"],
  },
];
