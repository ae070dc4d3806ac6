// A folder that the reader gives to the page, without a browser: a chain's history next to a receipt.
import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../../../evidence/core/formats/tenant-anchor.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { checkFiles, type Question } from "../../../tools/web/check-files.ts";
import { overviewOf } from "../../../tools/web/checked.ts";
import {
  type FoundFile,
  MAX_FOLDER_ENTRIES,
  MAX_HISTORY_BYTES,
  takeFolder,
} from "../../../tools/web/given-history.ts";
import { Session, type Shown } from "../../../tools/web/session.ts";
import { checkWithout, type Stopped } from "../../../tools/web/worker.ts";
import { ANCHOR, EVIDENCE, HONEST, historyFilesOf } from "../../agreement/histories.ts";
import { readBytes } from "../../support/vector-files.ts";
import { CHAIN, OTHER_CHAIN, vectorHistory } from "../../support/vector-history.ts";
import { check, entryNamed, evidenceNamed, metachain, sourceOf, vectorSource } from "./files.ts";

const INDEX = "history/history.json";
const BUNDLE = `chains/${CHAIN}/entries/000.p/10`;
const served = {
  metachain,
  serviceAnchors: parseCertificatesPem(new TextDecoder().decode(readBytes("authorities/service.pem"))),
};
const reminder = vectorSource("receipts/reminder.json");

const found = (path: string, bytes: Uint8Array): FoundFile => ({
  path,
  file: new File([bytes as Uint8Array<ArrayBuffer>], path.replace(/^.*\//, "")),
});

const folderOf = (files: ReadonlyMap<string, Uint8Array>, name = "history") => ({
  name,
  files: [...files].map(([path, bytes]) => found(`${name}/${path}`, bytes)),
  problem: null,
});

async function checkWith(files: ReadonlyMap<string, Uint8Array>, sources = [reminder]) {
  const { history } = await takeFolder(folderOf(files));
  return check(sources, { ...served, history });
}

const checksOf = (checked: Awaited<ReturnType<typeof check>>, name = "reminder.json") =>
  Object.fromEntries(
    (evidenceNamed(checked, name).examination.turns[0]?.checks ?? [])
      .filter((each) => each.name === "chain_history" || each.name === "public_heads")
      .map(({ name, ok }) => [name, ok]),
  );

describe("a receipt next to the history of its chain", () => {
  test("is found in it, while the public log stays open", async () => {
    const checked = await checkWith(vectorHistory(CHAIN));
    expect(checksOf(checked)).toEqual({ chain_history: true, public_heads: null });
    const { verdict } = evidenceNamed(checked, "reminder.json");
    expect([verdict.outcome, verdict.open.map(({ name }) => name)]).toEqual([
      "holds_so_far",
      ["public_heads"],
    ]);
    expect(entryNamed(checked, INDEX)).toMatchObject({ kind: "history", use: "used" });
    expect(overviewOf(checked)).toEqual({ outcome: "holds_so_far", count: 1, all: 1 });
  });

  test("is refuted where the history has another receipt at its place", async () => {
    const proof = JSON.parse(new TextDecoder().decode(await reminder.read()));
    proof.merkle_proof.event_inclusion_proof.leaf_index = 3;
    const text = new TextEncoder().encode(JSON.stringify(proof));
    const moved = { name: "moved.json", size: text.length, read: async () => text };
    const checked = await checkWith(vectorHistory(CHAIN), [moved]);
    expect(checksOf(checked, "moved.json")).toMatchObject({ chain_history: false });
  });

  test("leaves the check open where the history is of another chain, which is named a stray", async () => {
    const checked = await checkWith(vectorHistory(OTHER_CHAIN));
    expect(checksOf(checked)).toEqual({ chain_history: null, public_heads: null });
    expect(entryNamed(checked, INDEX)).toMatchObject({ kind: "history", use: "stray" });
  });
});

describe("a receipt next to a history of the tenant that the reader expects", () => {
  const evidence = sourceOf("own.json", JSON.stringify(EVIDENCE));
  const tenantCheck = async (files: ReadonlyMap<string, Uint8Array>, fingerprint: string | null) => {
    const { history } = await takeFolder(folderOf(files));
    const checked = await check([evidence], { history, fingerprint });
    expect(checked.fingerprint).toBe(fingerprint);
    const { examination, verdict } = evidenceNamed(checked, "own.json");
    const [found] = examination.turns.flatMap(({ checks }) => checks.filter(({ name }) => name === "tenant"));
    return [found?.ok, verdict.failed.map(({ name }) => name)];
  };

  test("is the tenant's by the fingerprint, or refuted, or neither without an anchor", async () => {
    const own = fingerprintOf(ANCHOR);
    expect(await tenantCheck(historyFilesOf(HONEST), own)).toEqual([true, []]);
    expect(await tenantCheck(historyFilesOf(HONEST), fingerprintOf("6".repeat(32)))).toEqual([
      false,
      ["tenant"],
    ]);
    const unnamed = { ...HONEST, index: { ...HONEST.index, tenant_anchor: null } };
    expect(await tenantCheck(historyFilesOf(unnamed), own)).toEqual([null, []]);
    expect(await tenantCheck(historyFilesOf(HONEST), null)).toEqual([undefined, []]);
  });

  test("is checked anew with another fingerprint, and the fingerprint is forgotten with the files", async () => {
    const shown: Shown[] = [];
    const surroundings = { metachain: null, fetchAnchors: async () => [], isSecure: true };
    const session = new Session(
      (question) => checkFiles(question, surroundings, () => {}),
      null,
      (news) => void shown.push(news),
    );
    const failed = () =>
      evidenceNamed(shown.at(-1)?.checked ?? expect.unreachable(), "own.json").verdict.failed.map(
        ({ name }) => name,
      );
    await session.add([evidence], folderOf(historyFilesOf(HONEST)));
    expect(failed()).toEqual([]);
    await session.expectTenant(fingerprintOf("6".repeat(32)));
    expect(failed()).toEqual(["tenant"]);
    await session.expectTenant(null);
    expect(failed()).toEqual([]);
    await session.expectTenant(fingerprintOf("6".repeat(32)));
    session.startOver();
    await session.add([evidence], folderOf(historyFilesOf(HONEST)));
    expect(failed()).toEqual([]);
  });
});

describe("a history that can't be used", () => {
  test("does not hold where a leaf was changed, and no receipt is held against it", async () => {
    const files = vectorHistory(CHAIN);
    const bundle = Uint8Array.from(files.get(BUNDLE) ?? expect.unreachable());
    bundle[80] = (bundle[80] ?? 0) ^ 1;
    const checked = await checkWith(files.set(BUNDLE, bundle));
    expect(entryNamed(checked, INDEX)).toMatchObject({
      problem: {
        reason: "history_broken",
        detail: expect.stringContaining("head 1 is not the root of its 3 receipts"),
      },
    });
    expect(checksOf(checked)).toEqual({});
    expect(evidenceNamed(checked, "reminder.json").verdict.outcome).toBe("holds");
    expect(overviewOf(checked)).toEqual({ outcome: "does_not_hold", count: 1, all: 2 });
  });

  test("is incomplete where a tile is missing", async () => {
    const files = vectorHistory(CHAIN);
    files.delete(BUNDLE);
    const checked = await checkWith(files);
    expect(entryNamed(checked, INDEX)).toMatchObject({
      problem: { reason: "history_malformed", detail: `history lacks leaves of chain ${CHAIN}` },
    });
    expect(overviewOf(checked)).toEqual({ outcome: "unreadable", count: 1, all: 2 });
  });

  test("is listed where it takes too long, and the receipt is checked without it", async () => {
    const { history } = await takeFolder(folderOf(vectorHistory(CHAIN)));
    const digest = history?.file.digest ?? expect.unreachable();
    const run = async (question: Question): Promise<Stopped | Awaited<ReturnType<typeof check>>> =>
      question.stopped.has(digest)
        ? check([reminder], { ...served, ...question })
        : { reason: "too_slow", begun: [digest] };
    const asked = {
      files: [],
      history,
      origin: null,
      fingerprint: null,
      isSample: false,
      checkedAt: new Date(),
      stopped: new Map(),
    };
    const checked = (await checkWithout(new Map(), asked, run)) ?? expect.unreachable();
    expect(entryNamed(checked, INDEX)).toMatchObject({ kind: "unreadable", problem: { reason: "too_slow" } });
    expect(evidenceNamed(checked, "reminder.json").verdict.outcome).toBe("holds");
    const never =
      (await checkWithout(new Map(), asked, async () => ({ reason: "failed", begun: [] }))) ??
      expect.unreachable();
    expect(entryNamed(never, INDEX)).toMatchObject({ kind: "unreadable", problem: { reason: "failed" } });
  });
});

describe("a folder", () => {
  const refusalOf = async (files: readonly FoundFile[]) =>
    (await takeFolder({ name: "given", files, problem: null })).history?.content;
  const NOTHING = new Uint8Array();
  const sized = (path: string, size: number): FoundFile => {
    const { file } = found(path, NOTHING);
    return { path, file: Object.defineProperty(file, "size", { value: size }) };
  };

  test("is refused by name beyond the limits, with two histories, and with nothing to check in it", async () => {
    const many = Array.from({ length: MAX_FOLDER_ENTRIES + 1 }, (_, i) => found(`given/${i}.json`, NOTHING));
    expect(await refusalOf(many)).toBe("folder_too_large");
    const large = [
      found("given/history.json", NOTHING),
      sized("given/chains/a/entries/000", MAX_HISTORY_BYTES + 1),
    ];
    expect(await refusalOf(large)).toBe("folder_too_large");
    const two = [found("given/a/history.json", NOTHING), found("given/b/history.json", NOTHING)];
    expect(await refusalOf(two)).toBe("two_histories");
    expect(await refusalOf([found("given/photo.png", NOTHING)])).toBe("no_evidence");
    expect(await refusalOf([sized("given/history.json", 9 * 1024 * 1024)])).toBe("too_large");
  });

  test("gives the history in it and the evidence beside it, and a later one takes the history's place", async () => {
    const shown: Shown[] = [];
    const surroundings = { metachain: null, fetchAnchors: async () => [], isSecure: true };
    const session = new Session(
      (question) => checkFiles(question, surroundings, () => {}),
      null,
      (news) => void shown.push(news),
    );
    const inFolder = new Map([...vectorHistory(OTHER_CHAIN)].map(([path, bytes]) => [`kept/${path}`, bytes]));
    inFolder.set("reminder.json", await reminder.read());
    await session.add([], folderOf(inFolder, "case"));
    const first = shown.at(-1)?.checked ?? expect.unreachable();
    expect(first.entries.flatMap(({ files }) => files.map(({ name }) => name))).toEqual([
      "reminder.json",
      "case/kept/history.json",
    ]);
    await session.add([], folderOf(vectorHistory(CHAIN)));
    const second = shown.at(-1)?.checked ?? expect.unreachable();
    expect(second.entries.flatMap(({ files }) => files.map(({ name }) => name))).toEqual([
      "reminder.json",
      INDEX,
    ]);
    expect(checksOf(second)).toEqual({ chain_history: true, public_heads: null });
    session.startOver();
    await session.add([reminder]);
    expect(checksOf(shown.at(-1)?.checked ?? expect.unreachable())).toEqual({});
  });
});
