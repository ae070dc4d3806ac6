// The folders whose mutants are tried, and the tests that are to kill them.

export interface MutatedFolder {
  readonly sources: string;
  /** Globs of tests. Without those of the network, of other processes, and of fuzzing, which takes its inputs by chance. */
  readonly tests: readonly string[];
}

export const FOLDERS: Readonly<Record<string, MutatedFolder>> = {
  "evidence/core": { sources: "evidence/core/*.ts", tests: ["test/evidence/core/*.test.ts"] },
  "evidence/core/merkle": {
    sources: "evidence/core/merkle/*.ts",
    tests: ["test/evidence/core/merkle/*.test.ts"],
  },
  "evidence/core/log": { sources: "evidence/core/log/*.ts", tests: ["test/evidence/core/log/*.test.ts"] },
  "evidence/core/formats": {
    sources: "evidence/core/formats/*.ts",
    tests: ["test/evidence/core/formats/*.test.ts", "test/evidence/core/verify/vectors.test.ts"],
  },
  "evidence/core/policy": {
    sources: "evidence/core/policy/*.ts",
    tests: ["test/evidence/core/policy/*.test.ts"],
  },
  "evidence/core/timestamps": {
    sources: "evidence/core/timestamps/**/*.ts",
    tests: ["test/evidence/core/timestamps/*.test.ts"],
  },
  "evidence/core/verify": {
    sources: "evidence/core/verify/*.ts",
    tests: ["test/evidence/core/verify/*.test.ts", "test/evidence/reader/*.test.ts"],
  },
  // The words of its pages, below, are for people.
  "evidence/reader": { sources: "evidence/reader/*.ts", tests: ["test/evidence/reader/*.test.ts"] },
};
