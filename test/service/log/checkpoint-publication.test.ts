// The signed checkpoints: what a run publishes and in which order, that nothing waits for them, and how they catch up.
import { HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, describe, expect, test } from "vitest";
import { formatNoteKey, parseNote } from "../../../evidence/core/log/note.ts";
import { openCheckpoint } from "../../../evidence/core/log/open-checkpoint.ts";
import { parsePolicy } from "../../../evidence/core/log/tlog-policy.ts";
import { Witnesses } from "../../../service/log/witnesses.ts";
import type { Interceptor } from "../../support/faults.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { newLog, newWitness } from "../../support/log-signer.ts";
import { growMetachain } from "../../support/metachain-entries.ts";
import {
  readObject,
  SIGNING,
  sealAt,
  signedSizesOf,
  signingRefused,
} from "../../support/signed-metachain.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { TestWitness } from "../../support/test-witness.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const countOf = (process: TestProcess, name: string): number =>
  process.calls.steps.filter((step) => step.name === name).length;

const codesOf = ({ faults }: TestProcess): unknown[] =>
  faults.map((fault) => (fault as { code?: unknown }).code);

describe.concurrent("a run that publishes a seal", () => {
  test("signs its tree as a checkpoint and as a COSE root, at every size, and names the log in the head", async () => {
    const ledger = await stack.newLedger();
    const sizes = [1, 2, 255, 256, 257];
    const process = ledger.newProcess();
    await sealAt(ledger, sizes, process);
    expect(await signedSizesOf(ledger, sizes)).toEqual(sizes);
    expect([countOf(process, "Sign"), countOf(process, "GetPublicKey")]).toEqual([2 * sizes.length, 1]);
    const { key } = ledger.key.log;
    const log = { origin: key.name, vkey: formatNoteKey(key), checkpoint: "/v1/metachain/checkpoint" };
    expect((await process.roots.head()).log).toEqual(log);
    expect(process.faults).toEqual([]);
  });

  test("writes its files, then its checkpoint, its signed root and the newest checkpoint, each with its type", async () => {
    const ledger = await stack.newLedger();
    const keys: string[] = [];
    const note: Interceptor = (call, send) => {
      const { Key } = call.input as { Key?: string };
      if (call.name === "PutObject") keys.push((Key ?? "").replace("v1/metachain/", ""));
      return send();
    };
    await sealAt(ledger, [1], ledger.newProcess(note));
    const from = keys.indexOf("tile/0/000.p/1") + 1;
    // The head gets its log after the first seal.
    expect(keys.slice(from)).toEqual(["v1/metachain", "checkpoints/0", "signed-roots/0", "checkpoint"]);
    const text = "text/plain; charset=utf-8";
    const locked = { ObjectLockMode: "COMPLIANCE", CacheControl: "public, max-age=31536000, immutable" };
    for (const [path, expected] of [
      ["checkpoints/0", { ...locked, ContentType: text }],
      ["signed-roots/0", { ...locked, ContentType: "application/octet-stream" }],
      ["checkpoint", { CacheControl: "public, max-age=5", ContentType: text }],
    ] as const) {
      const input = { Bucket: ledger.name, Key: `v1/metachain/${path}` };
      expect(await ledger.clients.s3.send(new HeadObjectCommand(input))).toMatchObject(expected);
    }
  });

  test("signs and writes nothing more while nothing is sealed", async () => {
    const ledger = await stack.newLedger();
    await sealAt(ledger, [1], ledger.newProcess());
    const process = ledger.newProcess();
    await process.seal();
    expect(process.calls.steps.filter(({ name }) => SIGNING.has(name))).toEqual([]);
  });

  test("overlaps with others, and each seal has one checkpoint", async () => {
    const ledger = await stack.newLedger();
    await sealAt(ledger, [2, 3], ledger.newProcess(signingRefused));
    const processes = [1, 2, 3].map(() => ledger.newProcess());
    await Promise.all(processes.map((process) => process.seal()));
    expect(await signedSizesOf(ledger, [2, 3])).toEqual([2, 3]);
    expect(processes.map(({ counted }) => counted.publicationConflicts)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe.concurrent("the identity of the log", () => {
  test("is fixed by the first run, before anything is sealed", async () => {
    const ledger = await stack.newLedger();
    const process = ledger.newProcess();
    await process.seal();
    expect((await process.roots.head()).log?.origin).toBe("ledger.test/v1/metachain");
    expect(await readObject(ledger, "checkpoint")).toBeNull();
  });

  test("comes into the head as soon as the key service answers", async () => {
    const ledger = await stack.newLedger();
    const silent: Interceptor = (call, send) =>
      call.name === "GetPublicKey" ? Promise.reject(new Error("no answer")) : send();
    const process = ledger.newProcess(silent);
    await sealAt(ledger, [1], process);
    expect((await process.roots.head()).log).toBeNull();
    expect(codesOf(process)).toEqual(["signing_unavailable"]);
    await ledger.newProcess().seal();
    expect((await process.roots.head()).log).not.toBeNull();
    expect(await signedSizesOf(ledger, [1])).toEqual([1]);
  });

  test("never changes: nothing is signed under another origin, or by another key", async () => {
    const ledger = await stack.newLedger();
    await sealAt(ledger, [1], ledger.newProcess());
    const renamed = ledger.newProcess(undefined, { origin: "other.test/v1/metachain" });
    const otherKey = newLog(ledger.key.log.key.name).key.publicKey;
    const rekeyed = ledger.newProcess(async (call, send) => {
      const answer = await send();
      if (call.name !== "GetPublicKey") return answer;
      const { PublicKey } = answer as { PublicKey: Uint8Array };
      return { ...answer, PublicKey: Uint8Array.of(...PublicKey.subarray(0, 12), ...otherKey) };
    });
    for (const process of [renamed, rekeyed]) {
      await growMetachain(process, 2);
      await process.seal();
      expect(codesOf(process)).toEqual(["misconfigured"]);
      expect([countOf(process, "Sign"), process.counted.checkpointFailures]).toEqual([0, 1]);
    }
    expect((await renamed.roots.head()).size).toBe(2);
    expect(await signedSizesOf(ledger, [1, 2])).toEqual([1]);
  });
});

describe.concurrent("nothing waits for a checkpoint:", () => {
  test("receipts, seals, files and reports come while the key service refuses, and then all checkpoints", async () => {
    const ledger = await stack.newLedger();
    const caller = await ledger.newTenant("tenant");
    const process = ledger.newProcess(signingRefused);
    for (let run = 1; run <= 3; run++) {
      const { event_id } = await process.attest(caller, requestOf("call"));
      const { outcome } = await process.seal();
      expect([outcome, process.counted.checkpointFailures]).toEqual(["published", run]);
      expect((await process.report(caller, event_id)).merkle_proof.status).toBe("included");
      ledger.now += MINUTE;
    }
    const sealed = await ledger.check();
    expect([sealed.publishedReceipts, sealed.tiledSize, sealed.signedSizes]).toEqual([3, 3, []]);
    // Each run found the oldest seal a minute older.
    expect(process.counted.checkpointAge).toBe(0 + 60 + 120);
    const next = ledger.newProcess();
    await next.seal();
    expect((await ledger.check()).signedSizes).toEqual([1, 2, 3]);
    expect([next.counted.checkpointAge, next.counted.checkpointFailures]).toEqual([0, undefined]);
  });

  test("witnesses that hang leave a checkpoint without cosignatures, within their budget", async () => {
    const ledger = await stack.newLedger();
    const vkey = formatNoteKey(newWitness("w.test").key);
    const witnesses = new Witnesses({
      policy: parsePolicy(`witness w ${vkey} https://w.test/\nquorum w\n`),
      clock: ledger.clock,
      meter: () => undefined,
      onFailure: () => undefined,
      fetch: () => new Promise(() => {}),
      budgetMs: 50,
    });
    const process = ledger.newProcess(undefined, { witnesses });
    await sealAt(ledger, [1, 2], process);
    expect([process.faults, (await process.roots.head()).size]).toEqual([[], 2]);
    expect(await signedSizesOf(ledger, [1, 2])).toEqual([1, 2]);
  });

  test("an object in a checkpoint's place is a conflict, which is counted, and the seal is public", async () => {
    const ledger = await stack.newLedger();
    const Key = "v1/metachain/checkpoints/0";
    await ledger.clients.s3.send(new PutObjectCommand({ Bucket: ledger.name, Key, Body: "forged" }));
    await growMetachain(ledger.newProcess(), 1);
    const process = ledger.newProcess();
    expect((await process.seal()).outcome).toBe("published");
    expect([codesOf(process), process.counted.publicationConflicts]).toEqual([["publication_conflict"], 1]);
    expect(countOf(process, "Sign")).toBe(0);
  });

  test("a signature that does not hold is not published", async () => {
    const ledger = await stack.newLedger();
    await growMetachain(ledger.newProcess(), 1);
    const process = ledger.newProcess(async (call, send) =>
      call.name === "Sign" ? { ...(await send()), Signature: new Uint8Array(64) } : send(),
    );
    await process.seal();
    expect(codesOf(process)).toEqual(["signing_unavailable"]);
    expect(await readObject(ledger, "checkpoints/0")).toBeNull();
  });

  test("of more than 16 seals without one, the newest gets a checkpoint, and after that each", async () => {
    const ledger = await stack.newLedger();
    const sizes = Array.from({ length: 18 }, (_, i) => i + 1);
    await sealAt(ledger, sizes.slice(0, 17), ledger.newProcess(signingRefused));
    await ledger.newProcess().seal();
    expect(await signedSizesOf(ledger, sizes.slice(0, 17))).toEqual([17]);
    await sealAt(ledger, [18], ledger.newProcess());
    expect(await signedSizesOf(ledger, sizes)).toEqual([17, 18]);
  });
});

describe.concurrent("witnesses", () => {
  const timesOf = async (ledger: Ledger, witness: TestWitness, path: string): Promise<string[]> => {
    const [log, name] = [formatNoteKey(ledger.key.log.key), formatNoteKey(witness.signer.key)];
    const policy = parsePolicy(`log ${log}\nwitness w ${name}\nquorum w\n`);
    const { cosignatures } = await openCheckpoint(String(await readObject(ledger, path)), policy);
    return cosignatures.map(({ time }) => time.toISOString());
  };

  test("cosign a checkpoint before it is published, and then once an hour while nothing is sealed", async () => {
    const ledger = await stack.newLedger();
    const witnesses = new TestWitness(ledger.clock);
    const start = ledger.clock().toISOString();
    const process = ledger.newProcess(undefined, { witnesses });
    await sealAt(ledger, [3], process);
    expect(await timesOf(ledger, witnesses, "checkpoints/0")).toEqual([start]);
    await process.seal();
    expect(witnesses.sizes).toEqual([3]);
    ledger.now += HOUR;
    for (let run = 0; run < 2; run++) await process.seal();
    expect(witnesses.sizes).toEqual([3, 3]);
    const later = ledger.clock().toISOString();
    expect(await timesOf(ledger, witnesses, "checkpoint")).toEqual([later]);
    expect(await timesOf(ledger, witnesses, "checkpoints/0")).toEqual([start]);
    expect(parseNote(String(await readObject(ledger, "checkpoint"))).signatures).toHaveLength(2);
  });

  test("that are no quorum are asked again by each run, until they are", async () => {
    const ledger = await stack.newLedger();
    const witnesses = new TestWitness(ledger.clock);
    witnesses.isDown = true;
    const process = ledger.newProcess(undefined, { witnesses });
    await sealAt(ledger, [1], process);
    expect(await timesOf(ledger, witnesses, "checkpoint")).toEqual([]);
    witnesses.isDown = false;
    for (let run = 0; run < 2; run++) await process.seal();
    expect(witnesses.sizes).toEqual([1]);
    expect(await timesOf(ledger, witnesses, "checkpoint")).toHaveLength(1);
    await sealAt(ledger, [2, 5], process);
    expect(witnesses.sizes).toEqual([1, 2, 5]);
    expect(await signedSizesOf(ledger, [1, 2, 5])).toEqual([1, 2, 5]);
  });
});
