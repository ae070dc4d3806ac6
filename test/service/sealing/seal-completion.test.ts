// Seals with too few tokens: what is published at once, what waits, and what comes later without a hand on the seal.
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, describe, expect, test } from "vitest";
import { rootPath, timestampPath } from "../../../contract/metachain-paths.ts";
import { completeSeals } from "../../../service/sealing/seal-completion.ts";
import type { Interceptor } from "../../support/faults.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { AUTHORITIES, requestOf, stampedRoot, TSA_URL } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const [FIRST = "", SECOND = ""] = AUTHORITIES;
const DAY = 24 * HOUR;

/** These authorities answer nobody. */
const without =
  (...urls: string[]): Interceptor =>
  (call, send) =>
    urls.includes(call.input.url ?? "") ? Promise.reject(new Error("no answer")) : send();

async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const attester = ledger.newProcess();
  return { ledger, caller, attester, attest: () => attester.attest(caller, requestOf("call")) };
}

async function readObject({ clients, name }: Ledger, Key: string): Promise<string | null> {
  try {
    const { Body } = await clients.s3.send(new GetObjectCommand({ Bucket: name, Key }));
    return (await Body?.transformToString()) ?? null;
  } catch {
    return null;
  }
}

/** How often the authorities were asked in one run. */
async function askedIn(ledger: Ledger, down: readonly string[] = []): Promise<number> {
  const process = ledger.newProcess(without(...down));
  await process.seal();
  return process.calls.steps.filter(({ name }) => name === "Stamp").length;
}

/** Runs with everybody down until a seal is published without a token. */
async function publishTokenless(ledger: Ledger): Promise<void> {
  for (let run = 0; run < 3; run++) {
    await ledger.newProcess(without(FIRST, SECOND)).seal();
    ledger.now += MINUTE;
  }
}

describe("a seal", () => {
  test("is published with a token of each authority, the first of them as its own", async () => {
    const { ledger, attest } = await newWorld();
    await attest();
    const [seal] = (await ledger.newProcess().seal()).published;
    expect(seal?.tsa_timestamp.tsa_url).toBe(FIRST);
    expect(seal?.additional_timestamps.map(({ tsa_url }) => tsa_url)).toEqual([SECOND]);
    expect(await askedIn(ledger)).toBe(0);
    expect((await ledger.check()).seals).toMatchObject([{ tokens: 2 }]);
  });

  test("is published at once with one token, and the other is published beside it later", async () => {
    const { ledger, attest } = await newWorld();
    await attest();
    const { outcome } = await ledger.newProcess(without(FIRST)).seal();
    const published = await readObject(ledger, rootPath(0));
    expect([outcome, (await ledger.check()).seals[0]?.tokens]).toEqual(["published", 1]);

    ledger.now += MINUTE;
    await ledger.newProcess().seal();
    expect((await ledger.check()).seals).toMatchObject([{ tokens: 2 }]);
    expect(await readObject(ledger, rootPath(0))).toBe(published);
    const token = JSON.parse((await readObject(ledger, timestampPath(0, 0))) ?? "");
    expect([token.tsa_url, stampedRoot(token)]).toEqual([FIRST, JSON.parse(published ?? "").merkle_root]);
  });

  test("waits two minutes for a first token, and is published without one then", async () => {
    const { ledger, caller, attester, attest } = await newWorld();
    const { event_id } = await attest();
    for (let run = 0; run < 2; run++) {
      const waiting = await ledger.newProcess(without(FIRST, SECOND)).seal();
      expect(waiting).toMatchObject({ outcome: "awaiting_timestamp", published: [] });
      expect((await attester.report(caller, event_id)).merkle_proof.status).toBe("pending");
      ledger.now += MINUTE;
    }
    const { published } = await ledger.newProcess(without(FIRST, SECOND)).seal();
    expect(published).toMatchObject([{ index: 0, tsa_timestamp: { status: "pending" } }]);
    const report = await attester.report(caller, event_id);
    expect([report.merkle_proof.status, report.tsa_timestamp.status]).toEqual(["included", "pending"]);
    await ledger.check();
  });

  test("that waits gets its token in the next run, and goes before the news behind it", async () => {
    const { ledger, attest } = await newWorld();
    await attest();
    await ledger.newProcess(without(FIRST, SECOND)).seal();
    ledger.now += MINUTE;
    await attest();
    const { published } = await ledger.newProcess().seal();
    expect(published.map(({ index, receipt_count }) => [index, receipt_count])).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect((await ledger.check()).seals).toMatchObject([{ tokens: 2 }, { tokens: 2 }]);
  });

  test("that is complete is never asked for again", async () => {
    const { ledger, attest } = await newWorld();
    await attest();
    await publishTokenless(ledger);
    expect(await askedIn(ledger, [SECOND])).toBe(2);
    expect(await askedIn(ledger)).toBe(1);
    expect(await askedIn(ledger)).toBe(0);
    expect((await ledger.check()).seals).toMatchObject([{ tokens: 2 }]);
  });
});

describe("a later token", () => {
  test("is locked, immutable and public like a root", async () => {
    const { ledger, attest } = await newWorld();
    await attest();
    await ledger.newProcess(without(FIRST)).seal();
    await ledger.newProcess().seal();
    const object = { Bucket: ledger.name, Key: timestampPath(0, 0) };
    expect(await ledger.clients.s3.send(new HeadObjectCommand(object))).toMatchObject({
      ObjectLockMode: "COMPLIANCE",
      ContentType: "application/json",
      CacheControl: expect.stringContaining("immutable"),
    });
    const overwrite = new PutObjectCommand({ ...object, Body: "{}" });
    await expect(ledger.clients.s3.send(overwrite)).rejects.toMatchObject({ name: "AccessDenied" });
  });

  test("makes the reports of its seal's receipts included, and bundles carry it", async () => {
    const { ledger, caller, attester, attest } = await newWorld();
    const { event_id } = await attest();
    await publishTokenless(ledger);
    await ledger.newProcess().seal();
    const report = await attester.report(caller, event_id);
    expect(report.tsa_timestamp).toMatchObject({ status: "included", tsa_url: TSA_URL });
    expect(stampedRoot(report.tsa_timestamp)).toBe(report.merkle_proof.merkle_root);

    const { seals, later_timestamps } = await attester.interaction(caller, "call");
    expect(seals).toMatchObject([{ tsa_timestamp: { status: "pending" } }]);
    expect(later_timestamps).toMatchObject([
      { seal_index: 0, tsa_timestamp: report.tsa_timestamp },
      { seal_index: 0, tsa_timestamp: { tsa_url: SECOND } },
    ]);
  });

  test("that another run published first is taken over, and no authority counts twice", async () => {
    const { ledger, attest } = await newWorld();
    await attest();
    await publishTokenless(ledger);
    const slow = ledger.newProcess(async (call, send) => {
      if (call.name === "PutObject" && call.nth === 1) await ledger.newProcess().seal();
      return send();
    });
    await slow.seal();
    await ledger.newProcess().seal();
    expect((await ledger.check()).seals).toMatchObject([{ tokens: 2 }]);
    expect(await readObject(ledger, timestampPath(0, 2))).toBeNull();
    expect(await askedIn(ledger)).toBe(0);
  });

  test.each([FIRST, SECOND])("is not missing for good where a run without %s overlapped", async (url) => {
    const { ledger, attest } = await newWorld();
    await attest();
    await publishTokenless(ledger);
    const slow = ledger.newProcess(async (call, send) => {
      if (call.name === "PutObject" && call.nth === 1) await ledger.newProcess(without(url)).seal();
      return send();
    });
    await slow.seal();
    await ledger.newProcess().seal();
    await ledger.check();
    const texts = await Promise.all([0, 1].map((n) => readObject(ledger, timestampPath(0, n))));
    const urls = texts.map((text) => JSON.parse(text ?? "{}").tsa_url);
    expect(urls.sort()).toEqual([...AUTHORITIES].sort());
  });
});

describe("the list of seals that lack tokens", () => {
  test("is worked off a part a run, those without any token first", async () => {
    const { ledger, attest } = await newWorld();
    const shortSeals = 25;
    for (let i = 0; i < shortSeals; i++) {
      await attest();
      await ledger.newProcess(without(SECOND)).seal();
      ledger.now += MINUTE;
    }
    await attest();
    await publishTokenless(ledger);
    await ledger.newProcess(without(SECOND)).seal();
    const tokensOf = async () => (await ledger.check()).seals.map(({ tokens }) => tokens);
    expect(new Set(await tokensOf())).toEqual(new Set([1]));
    expect(await askedIn(ledger)).toBe(20);
    expect((await tokensOf()).filter((tokens) => tokens === 2)).toHaveLength(20);
    await ledger.newProcess().seal();
    expect(new Set(await tokensOf())).toEqual(new Set([2]));
  });

  test.each([
    ["one token short is given up after a day", [SECOND], DAY],
    ["without a token is given up after a week", [FIRST, SECOND], 7 * DAY],
  ])("a seal that is %s", async (_, down, age) => {
    const { ledger, attest } = await newWorld();
    await attest();
    for (let run = 0; run < 3; run++) {
      await ledger.newProcess(without(...down)).seal();
      ledger.now += MINUTE;
    }
    ledger.now += age - 3 * MINUTE;
    expect(await askedIn(ledger, down)).toBe(down.length);
    ledger.now += MINUTE;
    expect(await askedIn(ledger)).toBe(0);
    expect(await readObject(ledger, timestampPath(0, 0))).toBeNull();
  });

  test("of a seal without any is not given up after a day, whatever was noted by a run that overlapped", async () => {
    const { ledger, attest, attester } = await newWorld();
    await attest();
    await publishTokenless(ledger);
    await attester.seals.recordMissing(0, "incomplete");
    ledger.now += 2 * DAY;
    expect(await askedIn(ledger, [FIRST, SECOND])).toBe(2);
    expect(await attester.seals.incomplete()).toEqual({ tokenless: [0], incomplete: [] });
  });

  test("is read oldest first", async () => {
    const { seals } = (await newWorld()).attester;
    for (const size of [10, 9, 200, 3]) await seals.recordMissing(size, "incomplete");
    expect((await seals.incomplete()).incomplete).toEqual([3, 9, 10, 200]);
  });

  test("leaves a seal alone that is not public yet", async () => {
    const { ledger, attest } = await newWorld();
    await attest();
    const failing = ledger.newProcess((call, send) =>
      call.input.url === SECOND || (call.name === "PutObject" && call.nth === 2)
        ? Promise.reject(new Error("no answer"))
        : send(),
    );
    await expect(failing.seal()).rejects.toMatchObject({ code: "publication_unavailable" });
    const { calls, gather, roots, seals } = ledger.newProcess();
    expect(await seals.incomplete()).toEqual({ tokenless: [], incomplete: [0] });
    await completeSeals({ gather, roots, seals, clock: ledger.clock });
    expect(calls.steps.filter(({ name }) => name === "Stamp")).toEqual([]);
    await ledger.newProcess().seal();
    expect((await ledger.check()).seals).toMatchObject([{ tokens: 2 }]);
  });

  test("lets no damaged seal stop the others, and the run fails loudly", async () => {
    const { ledger, attest } = await newWorld();
    for (let i = 0; i < 2; i++) {
      await attest();
      await ledger.newProcess(without(FIRST)).seal();
      ledger.now += MINUTE;
    }
    const failing = ledger.newProcess((call, send) =>
      call.name === "PutObject" && call.nth === 1 ? Promise.reject(new Error("no S3")) : send(),
    );
    await expect(failing.seal()).rejects.toMatchObject({ code: "publication_unavailable" });
    expect((await ledger.check()).seals).toMatchObject([{ tokens: 1 }, { tokens: 2 }]);
    await ledger.newProcess().seal();
    expect((await ledger.check()).seals).toMatchObject([{ tokens: 2 }, { tokens: 2 }]);
  });
});
