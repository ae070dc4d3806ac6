// An audit of which a part can't be read: what it found by then is told, and comes before what can't be read.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signedCheckpoint } from "../../support/note-signers.ts";
import { ANCHORS, metachainFolder, newFolder, readJson, receipts } from "./command-line.ts";
import { entryOf, writeLog } from "./published-log.ts";
import { LOG, signedLog, treeAt } from "./signed-log.ts";

const POLICY = "v1/policy/index.json";
const rootAt = (index: number): string => `v1/metachain/roots/${index}`;

/** A folder in the place of a file, which no reader can read. */
function unreadable(folder: string, path: string): string {
  rmSync(join(folder, path), { force: true });
  mkdirSync(join(folder, path), { recursive: true });
  return folder;
}

const withoutRoot = (index: number): string => {
  const folder = metachainFolder();
  rmSync(join(folder, rootAt(index)));
  return folder;
};

/** A log whose newest checkpoint is over other entries than root 1 is. */
const forkedFolder = (): string => {
  const another = treeAt(300, (index) => entryOf(index === 7 ? 7_000 : index));
  return writeLog(newFolder(), signedLog([1, 300, 600]).set("checkpoint", signedCheckpoint(LOG, another)));
};

describe.concurrent("an audit that can't read all", () => {
  test.each([
    ["the wording policy", POLICY],
    ["a later root", rootAt(3)],
  ])("tells the faults before %s, and ends with 1", async (_, path) => {
    const folder = unreadable(withoutRoot(1), path);
    const { status, stdout, stderr } = await receipts("audit", folder, "--tsa-ca", ANCHORS);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^The audit is not whole: .* can't be read$/m),
    ]);
    expect(stdout).toMatch(/^ {2}gaps +1 root is missing$/m);
    expect(stdout).toMatch(/^ {2}wording policy +was not read to its end$/m);
    expect(stdout).toMatch(/^verdict: the metachain does not hold$/m);
    expect(stdout).toMatch(
      path === POLICY ? /^ {2}head +is the last root$/m : /^ {2}head +was not reached$/m,
    );
    const json = await receipts("audit", folder, "--tsa-ca", ANCHORS, "--json");
    const reason = expect.stringContaining("can't be read");
    expect([json.status, JSON.parse(json.stdout)]).toMatchObject([1, { verdict: "does_not_hold", reason }]);
  });

  test("ends with 2 where nothing was found", async () => {
    const folder = unreadable(metachainFolder(), POLICY);
    const { status, stdout, stderr } = await receipts("audit", folder, "--tsa-ca", ANCHORS);
    expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining("can't be read")]);
  });

  test.each([
    ["the wording policy", POLICY],
    ["the newest root", rootAt(2)],
  ])("writes the proof of a fork without %s", async (_, path) => {
    const fork = join(newFolder(), "fork.json");
    const folder = unreadable(forkedFolder(), path);
    const { status, stdout } = await receipts("audit", folder, "--log-key", LOG.vkey, "--fork", fork);
    expect([status, stdout]).toEqual([1, expect.stringContaining("signed two histories")]);
    expect(existsSync(fork)).toBe(true);
    expect((await receipts("verify", fork, "--log-key", LOG.vkey)).status).toBe(1);
  });

  test("keeps in its state what it found", async () => {
    const [state, folder] = [join(newFolder(), "state.json"), unreadable(withoutRoot(1), POLICY)];
    await receipts("audit", folder, "--state", state);
    expect(readJson(state)).toMatchObject({ next: 4, tally: { fault_count: 1 } });
  });
});
