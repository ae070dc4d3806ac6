// Others on the machine: what they left in a queue's folder, and what they may read of it.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Journal } from "../../../../clients/client/queue/journal.ts";
import { testFolder } from "../../../host/local/folder.ts";
import { disclosure } from "../../../support/api-client.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";
import { leaveBehind, start } from "./queues.ts";

// The pauses between tries are by chance; here they have no length.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

/** On Windows the folder's own permissions decide, and a link needs rights. */
describe.skipIf(process.platform === "win32")("where others may be", () => {
  async function refused(folder: string, expected: RegExp, shared = false): Promise<void> {
    const { queue, served, problems } = await start(() => false, { folder, shared });
    expect(await queue.add(disclosure())).toBe(false);
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    expect(served.service.recorded).toHaveLength(1);
    expect(problems.map(({ code }) => code)).toEqual(["queue_disk_failed"]);
    expect(problems[0]?.message).toMatch(expected);
    expect(problems[0]?.message).not.toContain("\n");
  }

  test.each([0o777, 0o770, 0o702])(
    "with the mode %o is not used, and the owner is told what to do",
    async (mode) => {
      const folder = testFolder();
      const addedAt = new Date().toISOString();
      leaveBehind(folder, [{ request: disclosure(), idempotencyKey: "planted", addedAt }]);
      chmodSync(folder, mode);
      await refused(
        folder,
        /others may write in .*: take out what is not yours, then give it the mode 0700$/,
      );
      expect(readdirSync(folder)).toEqual(["journal"]);
    },
  );

  test("a folder within a shared one is judged by itself", async () => {
    const folder = testFolder();
    mkdirSync(join(folder, "0"));
    chmodSync(join(folder, "0"), 0o777);
    await refused(folder, /others may write in .*0: /, true);
  });

  test.runIf(process.getuid?.() === 0)("a folder of somebody else is not used", async () => {
    const folder = testFolder();
    chownSync(folder, 65_534, 65_534);
    await refused(folder, /belongs to user 65534, not 0: name one that the queue can make itself$/);
  });

  test.skipIf(process.platform === "win32")(
    "has no file that others can read, whatever the umask",
    async () => {
      const folder = join(testFolder(), "queue");
      const before = process.umask(0);
      onTestFinished(() => void process.umask(before));
      const { queue } = await start(() => true, { folder });
      expect(await queue.add(disclosure())).toBe(true);
      const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
      expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(["journal", "lock.sqlite"]));
      expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    },
  );

  const openJournal = async (folder: string): Promise<Journal> => (await Journal.open(folder)).journal;

  test("a draft that somebody left is not taken, and what it leads to is not written", async () => {
    const [folder, elsewhere] = [testFolder(), join(testFolder(), "file")];
    writeFileSync(elsewhere, "somebody's");
    symlinkSync(elsewhere, join(folder, "journal.draft"));
    writeFileSync(join(folder, "journal.draft-of-a-dead-process"), "call of Mrs Maier", { mode: 0o666 });
    const journal = await openJournal(folder);
    await journal.put("a");
    expect(readFileSync(elsewhere, "utf8")).toBe("somebody's");
    expect(readdirSync(folder)).toEqual(["journal"]);
    expect(statSync(join(folder, "journal")).mode & 0o777).toBe(0o600);
    await journal.close();
  });

  test("a link in the place of the journal is not followed", async () => {
    const [folder, elsewhere] = [testFolder(), join(testFolder(), "file")];
    writeFileSync(elsewhere, "somebody's\n");
    symlinkSync(elsewhere, join(folder, "journal"));
    await expect(openJournal(folder)).rejects.toMatchObject({ code: "ELOOP" });
    expect(readFileSync(elsewhere, "utf8")).toBe("somebody's\n");
  });

  test("a link in the place of the lines kept aside is not followed, and no line is lost", async () => {
    const [folder, elsewhere] = [testFolder(), join(testFolder(), "file")];
    writeFileSync(elsewhere, "somebody's\n");
    writeFileSync(join(folder, "journal"), "no line of a journal\n");
    symlinkSync(elsewhere, join(folder, "damaged.txt"));
    const journal = await openJournal(folder);
    await journal.close();
    expect(readFileSync(elsewhere, "utf8")).toBe("somebody's\n");
    expect(readFileSync(join(folder, "journal"), "utf8")).toBe("no line of a journal\n");
  });
});
