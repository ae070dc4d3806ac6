// Which checkpoint shows a tree: the one that came with the evidence, the seal's own, or the newest one of the log.
import { describe, expect, test } from "vitest";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { formatNoteKey } from "../../../evidence/core/log/note.ts";
import { parsePolicy, policyOfLog } from "../../../evidence/core/log/tlog-policy.ts";
import { formatNode } from "../../../evidence/core/merkle/hash.ts";
import { Checkpoints } from "../../../evidence/reader/checkpoints.ts";
import type { LogSource } from "../../../evidence/reader/metachain.ts";
import { newLog, newWitness, signCheckpoint } from "../../support/log-signer.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { filesOf } from "../../support/whole-tiles.ts";

const SECONDS = 1_790_000_000;
const [SIZE, LATER] = [5, 300];
const [log, witness] = [newLog("log.example"), newWitness("witness.example")];
const entryAt = (index: number): Uint8Array => Buffer.alloc(64, index);
const mth = treeOf((index) => leafHash(entryAt(index)));
const TILES = filesOf({ size: LATER, mth, entryAt });
const tree = { sealIndex: 3, size: SIZE, root: formatNode(mth(0, SIZE)) };
const noteOf = (size: number, isCosigned: boolean): string =>
  signCheckpoint(log, { size, root: mth(0, size) }, isCosigned ? [[witness, SECONDS]] : []);

const alone = policyOfLog(log.key);
const witnessed = parsePolicy(
  `log ${formatNoteKey(log.key)}\nwitness w ${formatNoteKey(witness.key)}\nquorum w\n`,
);

/** A log with these notes and all its tiles, and the paths that were asked for. */
function sourceOf(notes: Readonly<Record<string, string>>): LogSource & { readonly asked: string[] } {
  const asked: string[] = [];
  const logFile = async (path: string) => {
    asked.push(path);
    return notes[path] === undefined ? (TILES.get(path) ?? null) : Buffer.from(notes[path]);
  };
  return { name: "a log", logFile, asked };
}
const OWN = "checkpoints/3";
const NEWEST = "checkpoint";

async function outcomeOf(checkpoints: Checkpoints, carried: string | null = null, isAlone = false) {
  const { check, checkpoint } = await checkpoints.examine(tree, carried, isAlone);
  return { ok: check.ok, size: checkpoint?.treeSize, isLater: checkpoint?.isLater };
}

describe("the checkpoint of a tree", () => {
  test("has no quorum before the witness's time has come by the reader's clock", async () => {
    const outcomeAt = (seconds: number) =>
      outcomeOf(new Checkpoints(witnessed, null, new Date(seconds * 1_000)), noteOf(SIZE, true));
    expect(await outcomeAt(SECONDS - 300)).toMatchObject({ ok: true });
    expect(await outcomeAt(SECONDS - 301)).toMatchObject({ ok: null });
  });

  test("is the one that came with the evidence; no file is asked for", async () => {
    const source = sourceOf({ [OWN]: noteOf(SIZE, false) });
    const { check, checkpoint } = await new Checkpoints(witnessed, source).examine(
      tree,
      noteOf(SIZE, true),
      false,
    );
    expect(check.ok).toBe(true);
    expect(checkpoint).toEqual({
      origin: "log.example",
      treeSize: SIZE,
      isLater: false,
      cosignatures: [{ witness: "w", time: new Date(SECONDS * 1_000).toISOString() }],
      hasQuorum: true,
      liars: 1,
    });
    expect(source.asked).toEqual([]);
  });

  test("is the seal's own where none came with the evidence", async () => {
    const source = sourceOf({ [OWN]: noteOf(SIZE, false), [NEWEST]: noteOf(LATER, false) });
    expect(await outcomeOf(new Checkpoints(alone, source))).toEqual({ ok: true, size: SIZE, isLater: false });
    expect(source.asked).toEqual([OWN]);
  });

  test("is the newest one where the seal has none, as the tiles show", async () => {
    const source = sourceOf({ [NEWEST]: noteOf(LATER, false) });
    const checkpoints = new Checkpoints(alone, source);
    const later = { ok: true, size: LATER, isLater: true };
    expect(await outcomeOf(checkpoints)).toEqual(later);
    const asked = source.asked.length;
    expect(await outcomeOf(checkpoints)).toEqual(later);
    expect(source.asked).toHaveLength(asked);
  });

  test.each([
    ["cosigned by the quorum that its own lacks", true, { ok: true, size: LATER, isLater: true }],
    ["without it, too, so that its own is shown", false, { ok: null, size: SIZE, isLater: false }],
  ])("is the newest one %s", async (_, isCosigned, expected) => {
    const source = sourceOf({ [OWN]: noteOf(SIZE, false), [NEWEST]: noteOf(LATER, isCosigned) });
    expect(await outcomeOf(new Checkpoints(witnessed, source))).toEqual(expected);
    expect(await outcomeOf(new Checkpoints(witnessed, source), noteOf(SIZE, false))).toEqual(expected);
  });

  test("is not looked for in the log where evidence is examined alone, or there is no log", async () => {
    const source = sourceOf({ [OWN]: noteOf(SIZE, true) });
    const none = { ok: null, size: undefined, isLater: undefined };
    expect(await outcomeOf(new Checkpoints(alone, source), null, true)).toEqual(none);
    expect(source.asked).toEqual([]);
    expect(await outcomeOf(new Checkpoints(alone, null))).toEqual(none);
    const { check } = await new Checkpoints(alone, null).examine(tree, null, false);
    expect(check.detail).toBe("no signed checkpoint of seal 3 is at hand");
  });

  test("is at hand in no log that has neither, or lacks the tiles", async () => {
    const none = { ok: null, size: undefined, isLater: undefined };
    expect(await outcomeOf(new Checkpoints(alone, sourceOf({})))).toEqual(none);
    const { logFile } = sourceOf({ [NEWEST]: noteOf(LATER, false) });
    const bare = { name: "a log", logFile: async (path: string) => (TILES.has(path) ? null : logFile(path)) };
    expect(await outcomeOf(new Checkpoints(alone, bare))).toEqual(none);
    const down = () => Promise.reject(new DisclosureError("publication_unavailable", "no answer in time"));
    const silent = { name: "a log", logFile: async (path: string) => (path === OWN ? null : down()) };
    expect(await outcomeOf(new Checkpoints(alone, silent))).toEqual(none);
  });

  test("throws where the seal's own can't be read for want of an answer", async () => {
    const down = () => Promise.reject(new DisclosureError("publication_unavailable", "no answer in time"));
    const examining = new Checkpoints(alone, { name: "a log", logFile: down }).examine(tree, null, false);
    await expect(examining).rejects.toMatchObject({ code: "publication_unavailable" });
  });

  test("refutes the evidence where the newest one is of another history", async () => {
    const forked = treeOf((index) => leafHash(entryAt(index + 1)));
    const note = signCheckpoint(log, { size: LATER, root: forked(0, LATER) });
    expect((await outcomeOf(new Checkpoints(alone, sourceOf({ [NEWEST]: note })))).ok).toBe(false);
  });

  test("is none for a receipt that is not sealed", async () => {
    const source = sourceOf({ [OWN]: noteOf(SIZE, false) });
    const { check, checkpoint } = await new Checkpoints(alone, source).examine(null, null, false);
    expect([check.ok, check.detail, checkpoint]).toEqual([
      null,
      "the root was not yet published when this was made",
      null,
    ]);
    expect(source.asked).toEqual([]);
  });
});
