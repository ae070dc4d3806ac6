import { appendFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Journal } from "../../../../clients/client/queue/journal.ts";
import { formatLine, parseJournal } from "../../../../clients/client/queue/journal-lines.ts";
import { testFolder } from "../../../host/local/folder.ts";

const fileIn = (folder: string): string => join(folder, "journal");
const textsOf = (journal: Journal): string[] => journal.entries.map(([, text]) => text);

async function open(folder: string): Promise<Journal> {
  return (await Journal.open(folder)).journal;
}

/** Reads the folder as a process would that starts after a crash; the journal that is open knows nothing of it. */
const afterCrash = (folder: string): string[] => [
  ...parseJournal(readFileSync(fileIn(folder), "utf8")).entries.values(),
];

describe("the journal", () => {
  test("has what was put in and not taken out, in order, after a restart", async () => {
    const folder = testFolder();
    const first = await open(folder);
    const [a, , c] = await Promise.all(["a", "b", "c", "ü\n{}"].map((text) => first.put(text)));
    first.take(a ?? 0);
    first.take(c ?? 0);
    await first.close();
    const second = await open(folder);
    expect(textsOf(second)).toEqual(["b", "ü\n{}"]);
    await second.close();
  });

  test("has on disk what a put resolved for", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    for (const text of ["a", "b", "c"]) {
      await journal.put(text);
      expect(afterCrash(folder)).toContain(text);
    }
    await journal.close();
  });

  test("writes what comes in the very moment when the last write ends", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    const texts = Array.from({ length: 200 }, (_, i) => `entry ${i}`);
    for (const text of texts) await journal.put(text);
    expect(afterCrash(folder)).toEqual(texts);
    await journal.close();
  });

  test("holds nothing of what was sent once all is taken out", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    for (const number of [await journal.put("call of Mrs Maier"), await journal.put("another")])
      journal.take(number);
    await journal.put("last").then((number) => journal.take(number));
    await journal.close();
    expect(readFileSync(fileIn(folder), "utf8")).toBe("");
  });

  test("leaves the folder alone once it is closed, whatever is still taken out", async () => {
    const folder = testFolder();
    const before = await open(folder);
    // More than a journal holds before it is written anew.
    const long = "x".repeat(400_000);
    await Promise.all(["a", "b", "c"].map((name) => before.put(name + long)));
    await before.close();
    const closed = await open(folder);
    const [texts, [first]] = [textsOf(closed), closed.entries];
    await closed.close();
    const next = await open(folder);
    // The second put waits until the first has written the journal anew.
    for (const name of ["of the next", "process"]) await next.put(name);
    closed.take(first?.[0] ?? 0);
    await closed.close();
    expect(afterCrash(folder)).toEqual([...texts, "of the next", "process"]);
    await next.close();
  });

  test("is readable by its owner alone", async () => {
    const folder = testFolder();
    await (await open(folder)).close();
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
  });

  test("does not grow for ever, and loses nothing when it is written anew", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    const keep = await journal.put("the first");
    const long = "x".repeat(20_000);
    for (let i = 0; i < 200; i++) journal.take(await journal.put(`${long} ${i}`));
    const last = await journal.put("the last");
    await journal.close();
    expect(statSync(fileIn(folder)).size).toBeLessThan(2_000_000);
    const next = await open(folder);
    expect(textsOf(next)).toEqual(["the first", "the last"]);
    expect(keep).toBeLessThan(last);
    await next.close();
  });

  test("gives a number to one entry only, within a process", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    const numbers: number[] = [];
    for (let i = 0; i < 3; i++) {
      numbers.push(await journal.put(`${i}`));
      journal.take(numbers.at(-1) ?? 0);
    }
    await journal.close();
    expect(new Set(numbers).size).toBe(3);
  });
});

describe("a journal that a crash cut", () => {
  test("at any byte has every entry before the cut, and takes new ones", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    const texts = ["one", "zwei – ü", "three"];
    const ends: number[] = [];
    for (const text of texts) {
      await journal.put(text);
      ends.push(statSync(fileIn(folder)).size);
    }
    await journal.close();
    const whole = readFileSync(fileIn(folder));
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(fileIn(folder), whole.subarray(0, cut));
      const { journal: next, damaged } = await Journal.open(folder);
      expect(textsOf(next)).toEqual(texts.slice(0, ends.filter((end) => end <= cut).length));
      expect(damaged).toBe(0);
      await next.put("new");
      await next.close();
      expect(afterCrash(folder).at(-1)).toBe("new");
    }
  });

  test("or that a bad disk damaged, keeps the damaged lines aside and reads the others", async () => {
    const folder = testFolder();
    const lines = ["a", "b", "c"].map((text, i) => formatLine(["put", i + 1, text]));
    writeFileSync(fileIn(folder), lines.join("").replace('"b"', '"B"'));
    const { journal, damaged } = await Journal.open(folder);
    expect([textsOf(journal), damaged]).toEqual([["a", "c"], 1]);
    expect(readFileSync(join(folder, "damaged.txt"), "utf8")).toContain('"B"');
    await journal.close();
  });

  test("full of zeros at its end, as a power cut leaves a file, has the entries before", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    await journal.put("a");
    await journal.close();
    appendFileSync(fileIn(folder), new Uint8Array(4096));
    const next = await open(folder);
    expect(textsOf(next)).toEqual(["a"]);
    await next.close();
  });

  test("changed in any one byte never shows an entry that was not put in", () => {
    const whole = Buffer.from(["alpha", "beta"].map((text, i) => formatLine(["put", i + 1, text])).join(""));
    const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }));
    const check = ([place, by]: [number, number]) => {
      const bytes = Buffer.from(whole);
      bytes[place] = (bytes[place] ?? 0) ^ by;
      const { entries } = parseJournal(bytes.toString("utf8"));
      for (const text of entries.values()) expect(["alpha", "beta"]).toContain(text);
      expect(entries.size).toBeLessThan(2);
    };
    fc.assert(fc.property(change, check));
  });
});

describe("a disk that fails", () => {
  /** From now on, as often as `times`, what is asked of any open file fails so. */
  async function fail(method: "write" | "datasync" | "sync" | "truncate", times: number): Promise<void> {
    const handle = await openFile(tmpdir());
    const prototype = Object.getPrototypeOf(handle);
    await handle.close();
    const spy = vi.spyOn(prototype, method);
    for (let i = 0; i < times; i++) spy.mockRejectedValueOnce(new Error(`no ${method}`));
  }
  afterEach(() => void vi.restoreAllMocks());

  test.each(["write", "datasync"] as const)("by its %s rejects that put, and no other", async (method) => {
    const folder = testFolder();
    const journal = await open(folder);
    await journal.put("before");
    await fail(method, 1);
    await expect(journal.put("refused")).rejects.toThrow(`no ${method}`);
    await journal.put("after");
    expect(textsOf(journal)).toEqual(["before", "after"]);
    expect(afterCrash(folder)).toEqual(["before", "after"]);
    await journal.close();
  });

  test("brings nothing back that was refused, not even where a shorter batch follows", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    await fail("datasync", 2);
    const puts = [journal.put("first of one batch")];
    puts.push(...["one", "two", "six"].map((text) => journal.put(text)));
    const outcomes = await Promise.allSettled(puts);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "rejected"]);
    await journal.put("ten");
    const { entries, damaged, torn } = parseJournal(readFileSync(fileIn(folder), "utf8"));
    expect([[...entries.values()], damaged, torn]).toEqual([["ten"], [], []]);
    await journal.close();
  });

  test("leaves what could not be taken out to be taken out with the next write", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    const number = await journal.put("sent");
    await journal.put("waits");
    await fail("write", 1);
    journal.take(number);
    expect(textsOf(journal)).toEqual(["waits"]);
    await journal.put("after");
    expect(afterCrash(folder)).toEqual(["waits", "after"]);
    await journal.close();
  });

  test("holds nothing any more once all is taken out, though that can't be written", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    const numbers = await Promise.all(["a", "b"].map((text) => journal.put(text)));
    await fail("write", 2);
    for (const number of numbers) journal.take(number);
    await journal.close();
    expect(readFileSync(fileIn(folder), "utf8")).toBe("");
  });

  test("while the journal is written anew loses nothing, before or after the new file has its name", async () => {
    for (const failures of [1, 2]) {
      const folder = testFolder();
      const journal = await open(folder);
      await journal.put("x".repeat(600_000));
      // The first flush is the new file's, the second the folder's.
      if (failures === 1) await fail("sync", 1);
      else {
        const handle = await openFile(tmpdir());
        const prototype = Object.getPrototypeOf(handle);
        const { sync } = prototype;
        await handle.close();
        vi.spyOn(prototype, "sync").mockImplementationOnce(sync).mockRejectedValueOnce(new Error("no sync"));
      }
      await journal.put("y".repeat(600_000));
      const isKept = await journal.put("z").then(
        () => true,
        () => false,
      );
      // Nothing is promised while the file's name is not safe.
      expect(isKept).toBe(failures === 1);
      await journal.put("last");
      const lengths = afterCrash(folder).map((text) => text.length);
      expect(lengths).toEqual([600_000, 600_000, ...(isKept ? [1] : []), 4]);
      await journal.close();
      vi.restoreAllMocks();
    }
  });

  test("on which no journal can be written anew still gives back what it holds", async () => {
    const folder = testFolder();
    const before = await open(folder);
    for (const text of ["a", "ü"]) await before.put(text);
    await before.close();
    appendFileSync(fileIn(folder), '0badcafe ["put",3,"torn');
    await fail("write", 1);
    const journal = await open(folder);
    expect(textsOf(journal)).toEqual(["a", "ü"]);
    expect(readdirSync(folder).filter((name) => name.includes("draft"))).toEqual([]);
    journal.take(1);
    await journal.put("after");
    expect(afterCrash(folder)).toEqual(["ü", "after"]);
    await journal.close();
  });

  test("rejects every put once the file is closed, and never hangs", async () => {
    const folder = testFolder();
    const journal = await open(folder);
    await journal.close();
    await expect(journal.put("a")).rejects.toMatchObject({ code: "EBADF" });
    journal.take(1);
    await expect(journal.put("b")).rejects.toMatchObject({ code: "EBADF" });
    expect(afterCrash(folder)).toEqual([]);
  });

  test("as a folder that is none is an error of opening", async () => {
    const folder = testFolder();
    writeFileSync(join(folder, "file"), "");
    await expect(Journal.open(join(folder, "file"))).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(Journal.open(join(folder, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

test("a journal that was emptied under way is read as empty", async () => {
  const folder = testFolder();
  const journal = await open(folder);
  await journal.put("a");
  await journal.close();
  truncateSync(fileIn(folder), 0);
  const next = await open(folder);
  expect(next.entries).toEqual([]);
  await next.close();
});
