// Where the programs that tests start keep what Node made of their sources: the next start takes half the work.
import { join } from "node:path";

const CACHE = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "disclosure-receipts");

/** A part of a program's environment. Node compares each source with what it kept, so nothing old is ever run. */
export const COMPILED = { NODE_COMPILE_CACHE: join(CACHE, "compiled") };
