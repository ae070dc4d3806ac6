// The folders whose mutants are tried, and the tests that are to kill them.

export interface MutatedFolder {
  readonly sources: string;
  /** Globs of tests. Without those of the network, of other processes, and of fuzzing, which takes its inputs by chance. */
  readonly tests: readonly string[];
}

export const FOLDERS: Readonly<Record<string, MutatedFolder>> = {
  core: { sources: "core/*.ts", tests: ["test/core/*.test.ts"] },
  "core/merkle": { sources: "core/merkle/*.ts", tests: ["test/core/merkle/*.test.ts"] },
  "core/log": { sources: "core/log/*.ts", tests: ["test/core/log/*.test.ts"] },
  "core/formats": {
    sources: "core/formats/*.ts",
    tests: ["test/core/formats/*.test.ts", "test/core/verify/vectors.test.ts"],
  },
  "core/policy": { sources: "core/policy/*.ts", tests: ["test/core/policy/*.test.ts"] },
  "core/timestamps": { sources: "core/timestamps/**/*.ts", tests: ["test/core/timestamps/*.test.ts"] },
  "core/verify": {
    sources: "core/verify/*.ts",
    tests: ["test/core/verify/*.test.ts", "test/reader/*.test.ts"],
  },
  // The words of its pages, below, are for people.
  reader: { sources: "reader/*.ts", tests: ["test/reader/*.test.ts"] },
};
