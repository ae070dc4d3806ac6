// How far the files of the log have come, as the table notes it: set ahead, set back, damaged or deleted, it leaves no file out.
import { afterAll, describe, expect, test } from "vitest";
import type { Interceptor } from "../../support/faults.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { entryBytesAt, growMetachain } from "../../support/metachain-entries.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { readItem, writeItem } from "../../support/tamper.ts";
import type { TestProcess } from "../../support/test-process.ts";
import { checkTiles } from "../../support/whole-tiles.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const mth = treeOf((index) => leafHash(entryBytesAt(index)));
const contentOf = (size: number) => ({ size, mth, entryAt: entryBytesAt });
const readBytesOf = (ledger: Ledger) => (key: string) =>
  ledger.newProcess().roots.logFile(key.replace("v1/metachain/", ""));

/** S3 takes none of these files. */
const without =
  (isLost: (key: string) => boolean): Interceptor =>
  async (call, send) => {
    const { Key } = call.input as { Key?: unknown };
    if (call.name === "PutObject" && isLost(String(Key))) throw new Error("no");
    return send();
  };
const noTiles = without((key) => key.includes("/tile/"));

/** A seal over `size` entries, or more than one, one after the other. */
async function sealAt(ledger: Ledger, size: number, process = ledger.newProcess()): Promise<TestProcess> {
  await growMetachain(ledger.newProcess(), size);
  await process.seal();
  ledger.now += MINUTE;
  return process;
}

const PROGRESS = ["sealer", "tiles"] as const;
const progressOf = async (ledger: Ledger): Promise<number[]> => {
  const { size, full } = await readItem(ledger, PROGRESS);
  return [Number(size?.N), Number(full?.N)];
};
const setProgress = (ledger: Ledger, size: number, full = size) =>
  writeItem(ledger, {
    pk: { S: PROGRESS[0] },
    sk: { S: PROGRESS[1] },
    size: { N: String(size) },
    full: { N: String(full) },
  });

describe.concurrent("the progress", () => {
  test.each([
    ["back to the start", 0, 0, 8],
    ["back, between two seals", 4, 4, 8],
    ["ahead, within the log", 7, 7, 8],
    // It is looked at by the first seal that passes it.
    ["ahead of the log", 300, 300, 310],
    ["ahead in its full tiles", 5, 256, 260],
  ])("set %s leaves no file out", async (_, size, full, end) => {
    const ledger = await stack.newLedger({ isSigned: false });
    for (const at of [2, 5]) await sealAt(ledger, at);
    await setProgress(ledger, size, full);
    await sealAt(ledger, end);
    await checkTiles(contentOf(end), readBytesOf(ledger));
    expect(await progressOf(ledger)).toEqual([end, end]);
  });

  test.each(["size", "full"])("with a damaged %s is not believed, and is written anew", async (attribute) => {
    const ledger = await stack.newLedger({ isSigned: false });
    await sealAt(ledger, 2);
    const whole = await readItem(ledger, PROGRESS);
    await writeItem(ledger, { ...whole, [attribute]: { N: "-1" } });
    const { disbelieved } = await sealAt(ledger, 3);
    expect(disbelieved).toEqual(["the progress of the log's files"]);
    expect(await progressOf(ledger)).toEqual([3, 3]);
  });

  test("set ahead to a seal whose files are not there is mended by the next run, which seals nothing", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    await sealAt(ledger, 2);
    await growMetachain(ledger.newProcess(), 5);
    await ledger
      .newProcess(noTiles)
      .seal()
      .catch(() => {});
    await setProgress(ledger, 5);
    const process = ledger.newProcess();
    await process.seal();
    expect(process.disbelieved).toEqual(["the progress of the log's files"]);
    await checkTiles(contentOf(5), readBytesOf(ledger));
  });

  test.each(["tile/0/001.p/4", "tile/1/000.p/1", "tile/entries/001.p/4", "tile/0/000", "tile/entries/000"])(
    "set ahead over %s, which no run has written, leaves no file out",
    async (path) => {
      const ledger = await stack.newLedger({ isSigned: false });
      const lacking = without((key) => key === `v1/metachain/${path}`);
      await growMetachain(ledger.newProcess(), 260);
      await ledger
        .newProcess(lacking)
        .seal()
        .catch(() => {});
      await setProgress(ledger, 260);
      await ledger.newProcess().seal();
      await checkTiles(contentOf(260), readBytesOf(ledger));
    },
  );

  test("moves once where two runs overlap, and no run writes over the other's files", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    await growMetachain(ledger.newProcess(), 3);
    await ledger
      .newProcess(noTiles)
      .seal()
      .catch(() => {});
    await Promise.all([1, 2, 3].map(() => ledger.newProcess().seal()));
    await checkTiles(contentOf(3), readBytesOf(ledger));
    expect(await progressOf(ledger)).toEqual([3, 3]);
  });
});
