// The log in files: what a run publishes, in which order, what it refuses to publish, and that no seal waits for it.
import { HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { METACHAIN_ID } from "../../../contract/table.ts";
import { type Tile, tilePath, tilesBetween } from "../../../evidence/core/log/tiles.ts";
import { planStep } from "../../../service/log/log-publication.ts";
import { leafKey, logPartition } from "../../../service/table/keys.ts";
import type { Interceptor } from "../../support/faults.ts";
import { LEAF_HASH, LEFT_PATH } from "../../support/leaf-items.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { entryBytesAt, growMetachain } from "../../support/metachain-entries.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { damagesOf, deleteItem, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { checkTiles, filesOf } from "../../support/whole-tiles.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const mth = treeOf((index) => leafHash(entryBytesAt(index)));
const contentOf = (size: number) => ({ size, mth, entryAt: entryBytesAt });
const filesAt = (size: number): string[] => [...filesOf(contentOf(size)).keys()];

const readBytesOf = (ledger: Ledger) => (key: string) =>
  ledger.newProcess().roots.logFile(key.replace("v1/metachain/", ""));

/** S3 takes no file of the log. */
const noTiles: Interceptor = async (call, send) => {
  if (call.name === "PutObject" && keyOf(call.input).includes("/tile/")) throw new Error("no");
  return send();
};

/** The key of an object; of an item, none. */
function keyOf(input: object): string {
  const { Key } = input as { Key?: unknown };
  return typeof Key === "string" ? Key : "";
}

/** The files that a process put, in order. */
function puts(): { paths: string[]; note: Interceptor } {
  const paths: string[] = [];
  const note: Interceptor = (call, send) => {
    const [, path] = keyOf(call.input).split("v1/metachain/");
    if (call.name === "PutObject" && path?.startsWith("tile/")) paths.push(path);
    return send();
  };
  return { paths, note };
}

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

describe.concurrent("a run that publishes a seal", () => {
  test("publishes its entries and tiles as they are defined, at every size", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    for (const size of [1, 2, 255, 256, 257, 513]) {
      await sealAt(ledger, size);
      await checkTiles(contentOf(size), readBytesOf(ledger));
      expect(await progressOf(ledger)).toEqual([size, size]);
    }
  });

  test("writes a file once, in this order: entries, then tiles from the lowest level up", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    const first = puts();
    await sealAt(ledger, 300, ledger.newProcess(first.note));
    expect(first.paths).toEqual([
      "tile/entries/000",
      "tile/entries/001.p/44",
      "tile/0/000",
      "tile/0/001.p/44",
      "tile/1/000.p/1",
    ]);
    const second = puts();
    await sealAt(ledger, 301, ledger.newProcess(second.note));
    expect(second.paths).toEqual(["tile/entries/001.p/45", "tile/0/001.p/45"]);
  });

  test("gives a file its type, its lock, and a year in caches", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    await sealAt(ledger, 1);
    for (const path of filesAt(1)) {
      const input = { Bucket: ledger.name, Key: `v1/metachain/${path}` };
      expect(await ledger.clients.s3.send(new HeadObjectCommand(input))).toMatchObject({
        ObjectLockMode: "COMPLIANCE",
        ContentType: "application/octet-stream",
        CacheControl: "public, max-age=31536000, immutable",
      });
    }
  });

  test("leaves the files of real chains, as the oracle makes them out of the table", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    const caller = await ledger.newTenant("tenant", 2);
    await Promise.all(["call-1", "call-2"].map((id) => ledger.newProcess().attest(caller, requestOf(id))));
    await ledger.newProcess().seal();
    const { seals, tiledSize } = await ledger.check();
    expect([tiledSize, seals[0]?.seal.tree_size]).toEqual([2, 2]);
  });
});

describe.concurrent("no seal waits for its files:", () => {
  test("it is published while S3 takes none, the run fails after that, and the next publishes them", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    const { roots } = ledger.newProcess();
    for (const size of [3, 5]) {
      await growMetachain(ledger.newProcess(), size);
      const run = ledger.newProcess(noTiles).seal();
      await expect(run).rejects.toMatchObject({ code: "publication_unavailable" });
      ledger.now += MINUTE;
    }
    expect((await roots.head()).size).toBe(2);
    await ledger.newProcess().seal();
    // Both seals get their own: a reader of either finds what its size needs.
    for (const size of [3, 5]) await checkTiles(contentOf(size), readBytesOf(ledger));
  });

  test("other bytes under a path are a conflict, which is counted, and the seal is public", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    const Key = "v1/metachain/tile/0/000.p/2";
    await ledger.clients.s3.send(new PutObjectCommand({ Bucket: ledger.name, Key, Body: "forged" }));
    await growMetachain(ledger.newProcess(), 2);
    const process = ledger.newProcess();
    await expect(process.seal()).rejects.toMatchObject({
      code: "publication_conflict",
      evidence: { path: "tile/0/000.p/2" },
    });
    expect(process.counted.publicationConflicts).toBe(1);
    expect((await process.roots.head()).size).toBe(1);
  });

  test("a write of the same file that is under way leaves the outcome open", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    const { roots } = ledger.newProcess(async (call, send) => {
      if (call.name !== "PutObject" || call.nth > 1) return send();
      throw Object.assign(new Error("try again"), { name: "ConditionalRequestConflict" });
    });
    const publish = () => roots.publishLogFile("tile/0/000", Uint8Array.of(1), ledger.clock());
    await expect(publish()).rejects.toMatchObject({ code: "publication_unavailable" });
    await publish();
    await publish();
    expect(await roots.logFile("tile/0/000")).toEqual(Uint8Array.of(1));
  });
});

describe.concurrent("nothing is published where", () => {
  const itemAt = (index: number) => [logPartition(METACHAIN_ID), leafKey(METACHAIN_ID, index).sk.S] as const;

  /** Two seals, the second without its files. */
  async function newWorld(): Promise<Ledger> {
    const ledger = await stack.newLedger({ isSigned: false });
    await sealAt(ledger, 3);
    await growMetachain(ledger.newProcess(), 6);
    await ledger
      .newProcess(noTiles)
      .seal()
      .catch(() => {});
    return ledger;
  }

  test.each(["chain_id", "root", "tree_size", LEAF_HASH, LEFT_PATH])(
    "the %s of an entry is damaged, be it of this seal or of an earlier one in the same tile",
    async (attribute) => {
      const ledger = await newWorld();
      // Not the newest entry: the sealer itself reads that one.
      for (const index of [1, 4]) {
        const whole = await readItem(ledger, itemAt(index));
        for (const { how, item } of damagesOf(whole, attribute).slice(0, 2)) {
          await writeItem(ledger, item);
          const { paths, note } = puts();
          const run = ledger.newProcess(note).seal();
          await expect(run, how).rejects.toMatchObject({ code: "ledger_corrupt" });
          expect(paths, how).toEqual([]);
        }
        await writeItem(ledger, whole);
      }
      await ledger.newProcess().seal();
      await checkTiles(contentOf(6), readBytesOf(ledger));
    },
  );

  test("an entry is missing", async () => {
    const ledger = await newWorld();
    const whole = await readItem(ledger, itemAt(1));
    await deleteItem(ledger, itemAt(1));
    const { paths, note } = puts();
    await expect(ledger.newProcess(note).seal()).rejects.toMatchObject({ code: "ledger_corrupt" });
    expect(paths).toEqual([]);
    await writeItem(ledger, whole);
  });

  test("the public root is another than the table's", async () => {
    const ledger = await newWorld();
    const seal = await ledger.newProcess().roots.seal(1);
    const body = JSON.stringify({ ...seal, merkle_root: `0x${"f".repeat(64)}` });
    const { paths, note } = puts();
    const process = ledger.newProcess(async (call, send) => {
      if (keyOf(call.input) !== "v1/metachain/roots/1") return note(call, send);
      return { ...(await send()), Body: { transformToString: async () => body } };
    });
    await expect(process.seal()).rejects.toMatchObject({ code: "publication_conflict" });
    expect(paths).toEqual([]);
  });
});

describe("a deployment that has seals already", () => {
  test("gets the files of its newest seal, and after that those of each", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    const process = ledger.newProcess(noTiles);
    for (let size = 1; size <= 20; size++) {
      await growMetachain(ledger.newProcess(), size);
      await process.seal().catch(() => {});
    }
    const { paths, note } = puts();
    await ledger.newProcess(note).seal();
    expect(paths).toEqual(["tile/entries/000.p/20", "tile/0/000.p/20"]);
    await checkTiles(contentOf(20), readBytesOf(ledger));
    await sealAt(ledger, 21);
    await checkTiles(contentOf(21), readBytesOf(ledger));
  });

  test("gets them in bounded steps, each with full tiles only until the last, and lacks none in the end", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 64 }), (steps, most) => {
        const written: Tile[] = [];
        let [size, progress] = [0, { size: 0, full: 0 }];
        for (const step of steps) {
          size += step;
          while (progress.size < size) {
            const { tiles, ...next } = planStep(progress, size, most);
            expect(tiles.filter(({ level }) => level === 0).length).toBeLessThanOrEqual(most);
            if (next.size < size) expect(tiles.every(({ width }) => width === 256)).toBe(true);
            expect(next.full).toBeGreaterThan(progress.full);
            written.push(...tiles);
            progress = next;
          }
        }
        const paths = written.map(tilePath);
        expect(new Set(paths).size).toBe(paths.length);
        expect(new Set(paths)).toEqual(new Set([...paths, ...tilesBetween(0, size).map(tilePath)]));
      }),
      { numRuns: 30 },
    );
  });
});
