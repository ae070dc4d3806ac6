// What is left on the disk after an erasure: the engine's file and the bucket's, searched for the identifiers.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { erase } from "../../../service/erasure/erase.ts";
import { isSecondEngine } from "../../support/engine.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { AGENT, CALL, newWorld, ORDER, OTHER } from "./erased.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** The files under the stack's folder that hold this text. */
function filesWith(text: string): string[] {
  const files = readdirSync(stack.folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(stack.folder, name))
    .filter((file) => statSync(file).isFile());
  return files.filter((file) => readFileSync(file).includes(text));
}

test.skipIf(isSecondEngine)(
  "after an erasure no file of the table or the bucket holds an identifier",
  async () => {
    const { ledger } = await newWorld(stack);
    expect([filesWith(CALL).length, filesWith(AGENT).length]).not.toContain(0);
    await erase(ledger.newProcess().table, ORDER);
    await stack.stopEngine();
    expect([filesWith(CALL), filesWith(AGENT)]).toEqual([[], []]);
    expect(filesWith(OTHER).length).toBeGreaterThan(0);
  },
);
