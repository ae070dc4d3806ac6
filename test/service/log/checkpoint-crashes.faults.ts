// The crash table of the signed checkpoints: a run that signs two seals and has them cosigned, with everything that can
// become of each of its calls; and a deployment with a thousand seals of before.
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { PENDING_TIMESTAMP, type Seal } from "../../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../../evidence/core/merkle/hash.ts";
import { publishCheckpoints } from "../../../service/log/checkpoint-publication.ts";
import type { CosignRequest } from "../../../service/log/witnesses.ts";
import { sealItem } from "../../../service/seals/seal-item.ts";
import { runWithFault } from "../../support/deaths.ts";
import { crashTable, type Step } from "../../support/faults.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { growMetachain } from "../../support/metachain-entries.ts";
import { mth, sealAt, signedSizesOf, signingRefused } from "../../support/signed-metachain.ts";
import type { TestProcess } from "../../support/test-process.ts";
import { TestWitness } from "../../support/test-witness.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const SIZES = [2, 3];
/** The calls that publish, or that read what decides of it; checkpoint-guard.faults.ts has the leaves of the table. */
const OF_CHECKPOINTS = ["Sign", "GetPublicKey", "Cosign", "PutObject", "GetObject", "UpdateItem", "GetItem"];
const isTransient = /^(ledger|publication|signing)_unavailable$/;

interface World {
  readonly ledger: Ledger;
  readonly witness: TestWitness;
}

/** Two seals with their files and without checkpoints, and a witness that refuses whatever does not follow. */
async function newWorld(): Promise<World> {
  const ledger = await stack.newLedger();
  await sealAt(ledger, SIZES, ledger.newProcess(signingRefused));
  return { ledger, witness: new TestWitness(ledger.clock) };
}

/** The step of a run that this table is about. A witness that fails, or answers nobody any more, has cosigned nothing. */
function publish({ witness }: World, process: TestProcess): Promise<void> {
  const cosign = (request: CosignRequest) =>
    process.calls
      .make("Cosign", {}, () => witness.cosign(request))
      .catch(() => ({ signatures: [], hasQuorum: false }));
  return publishCheckpoints({ ...process.sealerServices, witnesses: { cosign } });
}

async function stepsOfGoodRun(): Promise<Step[]> {
  const world = await newWorld();
  const process = world.ledger.newProcess();
  await publish(world, process);
  expect(process.faults).toEqual([]);
  return process.calls.steps;
}

const steps = await stepsOfGoodRun();

test("the run signs and publishes the checkpoints of both seals, and notes its progress after each", () => {
  const count = (name: string) => steps.filter((step) => step.name === name).length;
  expect([count("Sign"), count("Cosign"), count("PutObject"), count("UpdateItem")]).toEqual([4, 2, 6, 2]);
});

describe.concurrent("after a run in which", () => {
  test.each(crashTable(steps.filter(({ name }) => OF_CHECKPOINTS.includes(name))))(
    "$title, the next runs leave one checkpoint for each seal, cosigned",
    async ({ step, mode }) => {
      const world = await newWorld();
      const { ledger, witness } = world;
      const rival = () => publish(world, ledger.newProcess());
      const faults: unknown[] = [];
      await runWithFault(ledger, step, mode, rival, (process) => [
        publish(world, process).finally(() => faults.push(...process.faults)),
      ]);
      for (const fault of faults) expect(fault).toMatchObject({ code: expect.stringMatching(isTransient) });
      for (let run = 0; run < 3; run++) {
        ledger.now += MINUTE;
        const process = ledger.newProcess();
        await publish(world, process);
        expect([process.faults, process.counted]).toEqual([[], {}]);
      }
      expect(await signedSizesOf(ledger, SIZES)).toEqual(SIZES);
      expect(witness.sizes.at(-1)).toBe(SIZES.at(-1));
      const last = ledger.newProcess();
      await publish(world, last);
      expect(last.calls.steps.filter(({ name }) => /Sign|Put|Cosign|Update/.test(name))).toEqual([]);
    },
  );
});

describe("a deployment with 1,000 seals of before", () => {
  /** So many entries a seal that their files take more than one run. */
  const ENTRIES = 17;
  const SEALS = 1_000;

  /** Published by a sealer that wrote no files: items of seals, and of the objects the newest root and the head. */
  async function newOldDeployment(): Promise<Ledger> {
    const ledger = await stack.newLedger();
    const { table, roots, macs } = ledger.newProcess();
    await growMetachain({ table, macs }, SEALS * ENTRIES);
    const seals = Array.from({ length: SEALS }, (_, index) => sealOf(ledger, index));
    const items = seals.map(({ tsa_timestamp: _, additional_timestamps: __, ...tree }, index) => ({
      ...sealItem(tree, tree.tree_size),
      text: { S: JSON.stringify(seals[index]) },
      published: { BOOL: true },
    }));
    for (let start = 0; start < SEALS; start += 100) {
      const writes = items.slice(start, start + 100).map((item) => ({ insert: item }));
      await table.transact(writes, randomUUID());
    }
    const newest = sealOf(ledger, SEALS - 1);
    await roots.publishSeal(newest.index, JSON.stringify(newest), ledger.clock());
    await roots.publishHead(newest);
    return ledger;
  }

  const sealOf = (ledger: Ledger, index: number): Seal => ({
    index,
    merkle_root: formatNode(mth(0, (index + 1) * ENTRIES)),
    tree_size: (index + 1) * ENTRIES,
    previous_root: index === 0 ? null : formatNode(mth(0, index * ENTRIES)),
    previous_tree_size: index * ENTRIES,
    consistency_path: [],
    receipt_count: ENTRIES,
    sealed_at: ledger.clock().toISOString(),
    tsa_timestamp: PENDING_TIMESTAMP,
    additional_timestamps: [],
  });

  test("catches up in bounded runs: the newest seal gets the first checkpoint, once all files are there", async () => {
    const ledger = await newOldDeployment();
    const sizes = Array.from({ length: SEALS }, (_, index) => (index + 1) * ENTRIES);
    const first = ledger.newProcess();
    await first.seal();
    expect([first.faults, await signedSizesOf(ledger, sizes)]).toEqual([[], []]);
    const second = ledger.newProcess();
    await second.seal();
    expect([second.faults, await signedSizesOf(ledger, sizes)]).toEqual([[], sizes.slice(-1)]);
    await sealAt(ledger, [SEALS * ENTRIES + 1], ledger.newProcess());
    const next = [...sizes, SEALS * ENTRIES + 1];
    expect(await signedSizesOf(ledger, next)).toEqual(next.slice(-2));
  });
});
