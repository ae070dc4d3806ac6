// A report under a later checkpoint of the log: found by the log's tiles, and refused where these do not lead there.
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../evidence/core/bytes.ts";
import type { CrossTenantProof } from "../../../evidence/core/formats/compliance-receipt.ts";
import { chainHeadEntry, type Seal } from "../../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../../evidence/core/merkle/hash.ts";
import { exportableReport } from "../../../evidence/reader/export.ts";
import { laterReport } from "../../../evidence/reader/later-report.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { signCheckpoint } from "../../support/log-signer.ts";
import { leafHash, PATH, treeOf } from "../../support/rfc9162.ts";
import { evidenceOf, LOG, signedReport } from "../../support/signed-report.ts";
import { readReceipt, readSeal } from "../../support/vector-files.ts";
import { filesOf } from "../../support/whole-tiles.ts";

const report = exportableReport(evidenceOf(signedReport("hand-off")));
const cross: CrossTenantProof = report.cross;
const NEWEST = 300;
const entryAt = (index: number): Uint8Array =>
  index === cross.leaf_index ? chainHeadEntry(cross.leaf) : new Uint8Array(64).fill(index);
const mth = treeOf((index) => leafHash(entryAt(index)));
const rootOf = (size: number): string => formatNode(mth(0, size));
const { tsa_timestamp: token } = readSeal("seals/1.json");

/** Seal n covers this many entries. */
const SIZES = [1, 3, 6, 9, 200, NEWEST];
const sealAt = (index: number): Seal => {
  const tree_size = SIZES[index] ?? NEWEST + index;
  return {
    ...readSeal("seals/2.json"),
    index,
    tree_size,
    merkle_root: rootOf(tree_size),
    tsa_timestamp: token,
  };
};

interface Published {
  readonly seals?: number;
  /** The size of the newest checkpoint; null where there is none. */
  readonly signed?: number | null;
  readonly change?: (files: Map<string, Uint8Array>) => void;
}

function logWith({ seals = SIZES.length, signed = NEWEST, change = () => {} }: Published = {}) {
  const files: Map<string, Uint8Array> = new Map(filesOf({ size: signed ?? 1, mth, entryAt }));
  if (signed !== null) files.set("checkpoint", utf8(checkpointOf(signed)));
  change(files);
  const head = {
    size: seals,
    latest: seals === 0 ? null : sealAt(seals - 1),
    roots: "/v1/metachain/roots/{index}",
    log: null,
  };
  const asked: number[] = [];
  const log: MetachainSource & LogSource = {
    name: "memory",
    head: async () => utf8(JSON.stringify(head)),
    root: async (index) => {
      asked.push(index);
      return index < seals ? utf8(JSON.stringify(sealAt(index))) : null;
    },
    timestamp: async () => null,
    logFile: async (path) => files.get(path) ?? null,
  };
  return { log, asked };
}
const checkpointOf = (size: number): string => signCheckpoint(LOG, { size, root: mth(0, size) });

describe("a report under the newest checkpoint", () => {
  test.each([
    ["of the newest seal", NEWEST, 5, []],
    ["of an earlier seal", 200, 4, [4]],
    ["of a seal before that", 9, 3, [4, 3]],
    ["of its own seal", 6, 2, [4, 3, 2]],
  ])("has the proof, the token and the note %s", async (_, size, index, read) => {
    const { log, asked } = logWith({ signed: size });
    const { report: later, checkpoint } = await laterReport(report, log);
    expect(asked).toEqual(read);
    expect(checkpoint).toBe(checkpointOf(size));
    const path = PATH(cross.leaf_index, 0, size, mth).map(formatNode);
    const { leaf, leaf_index } = cross;
    expect(later.cross).toEqual({
      seal_index: index,
      leaf,
      leaf_index,
      tree_size: size,
      path,
      root: rootOf(size),
    });
    expect(later.evidence).toMatchObject({
      merkle_proof: { merkle_root: rootOf(size), cross_tenant_proof: later.cross },
      tsa_timestamp: token,
      log_checkpoint: checkpoint,
      log_signed_root: null,
    });
    const { receipts } = readReceipt("receipts/hand-off.json");
    expect(later.evidence.receipts).toEqual(receipts);
  });

  test.each<[what: string, published: Published, message: string]>([
    ["none was published", { signed: null }, "the log has published no signed checkpoint yet"],
    ["it is of a smaller tree", { signed: 3 }, "the log has published no signed checkpoint yet"],
    ["no seal has its size", { signed: 7 }, "the log shows no seal over the tree of its newest checkpoint"],
    ["no seal is published", { seals: 0 }, "the log shows no seal over the tree of its newest checkpoint"],
    ["its seal lies too far back", { seals: 40, signed: 6 }, "the log shows no seal over the tree"],
  ])("can't be had where %s", async (_, published, message) => {
    await expect(laterReport(report, logWith(published).log)).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining(message),
    });
  });

  test("looks no further back than an outage lasts", async () => {
    const near = logWith({ seals: 2 + 32, signed: 6 });
    expect((await laterReport(report, near.log)).report.cross.seal_index).toBe(2);
    const far = logWith({ seals: 2 + 33, signed: 6 });
    await expect(laterReport(report, far.log)).rejects.toMatchObject({ code: "not_found" });
    expect(far.asked).toHaveLength(32);
  });

  test("is refused where the log's tiles do not lead to its root", async () => {
    const { log } = logWith({
      change: (files) =>
        files.set(
          "tile/0/000",
          (files.get("tile/0/000") ?? expect.unreachable()).map((byte) => byte ^ 1),
        ),
    });
    await expect(laterReport(report, log)).rejects.toMatchObject({ code: "proof_invalid" });
  });
});
