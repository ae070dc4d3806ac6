// The benches by name, in the order in which `npm run bench` runs them. docs/performance.md says how each one measures.

export interface BenchEntry {
  readonly name: string;
  readonly title: string;
  /** Files and folders that it measures: a figure is old where they, or its own program, changed since its commit. */
  readonly measures: readonly string[];
  /** Packages whose versions matter. */
  readonly packages?: readonly string[];
  /** True for one that takes an hour by itself: it runs where its name is given. */
  readonly isLong?: boolean;
}

/** The module of a bench, from the root of the repository. It exports `measure`. */
export const moduleOf = ({ name }: BenchEntry): string => `bench/figures/measure/${name}.ts`;

const SDK = ["@aws-sdk/client-dynamodb"];
const HASHES = ["@noble/hashes"];
const LEDGER = [
  "evidence/core/formats",
  "evidence/core/merkle",
  "service/attestations",
  "service/ledger",
  "service/table",
];
const LOCAL_PROCESS = [...LEDGER, "lambdas/attest.ts", "lambdas/middleware", "host/local", "host/server"];
const VERIFIER = [
  "evidence/core/canonical-json.ts",
  "evidence/core/formats",
  "evidence/core/merkle",
  "evidence/core/timestamps",
  "evidence/core/verify",
];

export const BENCHES: readonly BenchEntry[] = [
  {
    name: "attest",
    title: "attestations against the engine's own ceiling",
    measures: [...LOCAL_PROCESS, "bench/figures/ceiling.ts", "bench/figures/callers.ts"],
    packages: SDK,
  },
  {
    name: "hour",
    title: "the local process under 64 callers for an hour",
    measures: [...LOCAL_PROCESS, "bench/figures/callers.ts"],
    packages: SDK,
    isLong: true,
  },
  {
    name: "tessera",
    title: "until an inclusion proof can be had, beside Tessera's POSIX log",
    measures: [...LOCAL_PROCESS, "bench/figures/callers.ts", "bench/figures/tessera"],
    packages: SDK,
  },
  {
    name: "throughput",
    title: "both runtimes with a Region's latencies put in between",
    measures: [...LEDGER, "service/limits", "bench/throughput"],
    packages: SDK,
  },
  {
    name: "cost",
    title: "what a call asks of AWS, from which the page's costs are computed",
    measures: [
      ...LEDGER,
      "service/reports",
      "service/seals",
      "service/log",
      "service/sealing",
      "lambdas",
      "bench/cost",
      "bench/prices.json",
    ],
    packages: SDK,
  },
  {
    name: "proof",
    title: "proof assembly in chains of 10^3 to 10^6 receipts",
    measures: [
      "evidence/core/merkle",
      "service/reports",
      "service/ledger",
      "service/table",
      "host/local/dynamodb",
    ],
    packages: SDK,
  },
  {
    name: "seal",
    title: "sealing 1 to 100,000 chains that have news",
    measures: [
      "service/seals",
      "service/log",
      "service/sealing",
      "service/table",
      "lambdas/seal.ts",
      "bench/figures/seal-world.ts",
    ],
    packages: SDK,
  },
  {
    name: "million",
    title: "what readers and the operator do with a chain of a million receipts",
    measures: ["tools/cli", "evidence/reader", "service/reports", "host/local/dynamodb"],
    packages: SDK,
  },
  {
    name: "verify",
    title: "verifying reports in Node, in a browser, in Python and with openssl",
    measures: [...VERIFIER, "clients/python/src/disclosure_receipts/verify"],
    packages: HASHES,
  },
  {
    name: "client",
    title: "the client's own part of a call, and the queue on disk",
    measures: ["clients/client", ...VERIFIER],
    packages: HASHES,
  },
  {
    name: "timestamps",
    title: "verifying a timestamp token, beside pkijs and `openssl ts -verify`",
    measures: ["evidence/core/timestamps"],
    packages: ["pkijs", "asn1js"],
  },
  {
    name: "hashing",
    title: "hashing against the processor",
    measures: ["evidence/core/merkle", "evidence/core/canonical-json.ts"],
    packages: HASHES,
  },
  {
    name: "log-walk",
    title: "a year of the public log, read entry by entry",
    measures: ["evidence/core/log", "evidence/core/merkle"],
    packages: HASHES,
  },
  {
    name: "history",
    title: "the history of a chain of a million receipts, walked by a reader",
    measures: ["evidence/core/log/chain-history.ts", "evidence/core/merkle"],
    packages: HASHES,
  },
  {
    name: "starts",
    title: "cold starts: from the start of a process to its first answer",
    measures: ["lambdas", "host/server", "service", "evidence/core", "build/bundle.ts"],
    packages: ["esbuild", ...SDK],
  },
  {
    name: "engine",
    title: "the local engine by itself",
    measures: ["host/local/dynamodb", "host/local/dynamodb.ts"],
  },
  {
    name: "worst-evidence",
    title: "what the worst evidence that we can think of costs a reader",
    measures: [...VERIFIER, "bench/worst"],
    packages: HASHES,
  },
];
