// The operator is told of the signed log: its name, its newest checkpoint, and who cosigned what and when.
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, expect, test } from "vitest";
import { CHECKPOINT_PATH } from "../../../contract/metachain-paths.ts";
import { formatNoteKey } from "../../../evidence/core/log/note.ts";
import { type LogStatus, readLogStatus } from "../../../service/audit/log-status.ts";
import { writeCheckpointProgress } from "../../../service/log/checkpoint-progress.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { newLog, signCheckpoint } from "../../support/log-signer.ts";
import { newWitnessedLedger } from "../../support/witnessed-ledger.ts";

const stack = await startLedgerStack();
const ends = [stack.close];
afterAll(() => Promise.all(ends.map((end) => end())));

async function newWorld() {
  const world = await newWitnessedLedger(stack);
  ends.push(world.close);
  return world;
}

async function statusOf(ledger: Ledger, witnessPolicy: string | null): Promise<LogStatus | null> {
  const { roots, seals } = ledger.newProcess();
  const { log } = await roots.head();
  return readLogStatus({ roots, seals, witnessPolicy, clock: ledger.clock }, log);
}

test("a log that has signed nothing has no name", async () => {
  const { ledger, policy } = await newWorld();
  expect(await statusOf(ledger, policy)).toBeNull();
});

test("each witness is shown with what it cosigned last, also where it missed the newest checkpoint", async () => {
  const { ledger, b, policy, seal } = await newWorld();
  const { key } = ledger.key.log;
  const sealedAt = await seal();
  const first = ledger.clock().toISOString();
  const of = (witness: string, size: number, time: string) => ({ witness, size, time });
  expect(await statusOf(ledger, policy)).toEqual({
    origin: key.name,
    vkey: formatNoteKey(key),
    checkpoint: { size: 1, sealedAt, hasQuorum: true },
    fault: null,
    witnesses: [of("a", 1, first), of("b", 1, first)],
    quorumAt: first,
    ahead: [],
  });
  b.spoil = () => ({ status: 500 });
  ledger.now += MINUTE;
  const later = await seal();
  expect(await statusOf(ledger, policy)).toMatchObject({
    checkpoint: { size: 2, sealedAt: later, hasQuorum: false },
    witnesses: [of("a", 2, ledger.clock().toISOString()), of("b", 1, first)],
    quorumAt: first,
  });
});

test("a quorum of a time ahead of the clock is none, and its cosignatures are shown", async () => {
  const { ledger, policy, seal } = await newWorld();
  await seal();
  const time = ledger.clock().toISOString();
  ledger.now -= 6 * MINUTE;
  expect(await statusOf(ledger, policy)).toMatchObject({
    checkpoint: { hasQuorum: false },
    quorumAt: null,
    ahead: ["a", "b"].map((witness) => ({ witness, size: 1, time })),
  });
});

test("the newest quorum is read from what is published, and not from the progress that the table notes", async () => {
  const { ledger, policy, seal } = await newWorld();
  await seal();
  const quorumAt = ledger.clock().toISOString();
  ledger.now += 60 * MINUTE;
  const cosignedAt = ledger.clock();
  await writeCheckpointProgress(ledger.newProcess().table, { index: 0, size: 1, cosignedAt });
  expect(await statusOf(ledger, policy)).toMatchObject({ quorumAt });
});

test("without a policy nobody is expected to have cosigned", async () => {
  const { ledger, seal } = await newWorld();
  const sealedAt = await seal();
  expect(await statusOf(ledger, null)).toMatchObject({
    checkpoint: { size: 1, sealedAt, hasQuorum: null },
    witnesses: [],
  });
});

test("a witness that never cosigned is shown as such", async () => {
  const { ledger, a, policy, seal } = await newWorld();
  a.spoil = () => ({ status: 404 });
  await seal();
  expect((await statusOf(ledger, policy))?.witnesses[0]).toEqual({ witness: "a", size: null, time: null });
});

test("a checkpoint that another key signed does not hold, and the reason is told", async () => {
  const { ledger, policy, seal } = await newWorld();
  await seal();
  const forged = signCheckpoint(newLog(ledger.key.log.key.name), { size: 1, root: new Uint8Array(32) });
  const object = { Bucket: ledger.name, Key: CHECKPOINT_PATH };
  await ledger.clients.s3.send(new PutObjectCommand({ ...object, Body: forged }));
  expect(await statusOf(ledger, policy)).toMatchObject({
    checkpoint: null,
    fault: "no log of the policy signed the checkpoint",
  });
});
